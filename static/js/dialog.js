// Questions open in a dialog over the page; without this each is a page of its own, and so it is when it cannot be had.
{
  const dialog = document.getElementById("dialog");
  let opener = null;

  function ask(url, sender) {
    const { activeElement } = document;
    opener = activeElement === document.body ? sender : activeElement;
    htmx.ajax("GET", url, { source: dialog, target: dialog, swap: "innerHTML" });
  }

  const plain = (event) => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-dialog]");
    if (link && plain(event)) {
      event.preventDefault();
      ask(link.href, link);
    }
    // What leaves everything as it is closes the dialog; as a page it leads back.
    if (dialog.open && event.target.closest("a[data-leave]") && plain(event)) {
      event.preventDefault();
      dialog.close();
    }
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-dialog]") || event.defaultPrevented) return;
    event.preventDefault();
    const sender = event.submitter?.hasAttribute("formaction") ? event.submitter : null;
    const url = new URL(sender ? sender.formAction : event.target.action);
    url.search = new URLSearchParams(new FormData(event.target, event.submitter));
    ask(url.href, event.submitter);
  });

  // What came is a page after all, such as the list again with what stands in the way.
  dialog.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (xhr.responseText.includes('id="dialog-h"')) return;
    event.detail.shouldSwap = false;
    location.assign(requestConfig.path);
  });
  dialog.addEventListener("htmx:afterSwap", () => {
    if (!dialog.open) dialog.showModal();
    const first = dialog.querySelector("[autofocus]");
    first?.focus();
    first?.removeAttribute("autofocus"); // htmx would focus it once more, a moment later
  });
  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    dialog.addEventListener(failure, (event) => {
      event.stopPropagation();
      location.assign(event.detail.requestConfig.path);
    });
  }

  const written = () => [...dialog.querySelectorAll("textarea")].some((field) => field.value !== field.defaultValue);

  // Escape would throw away what was typed: the first time it says so.
  dialog.addEventListener("cancel", (event) => {
    const said = dialog.querySelector("[data-unsaved]");
    if (!said || !said.hidden || !written()) return;
    event.preventDefault();
    said.hidden = false;
  });
  dialog.addEventListener("close", () => {
    dialog.replaceChildren();
    // The row of the opener may have been closed with its menu: then its summary is where the person was.
    const menu = opener?.closest("details.menu");
    (opener?.checkVisibility() ? opener : menu?.querySelector("summary"))?.focus();
  });
}

// Control and Enter send what is being written.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("textarea")) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
});
