// Parts of a page that are fetched on their own: focus is never lost, and what fails says so.
document.addEventListener("htmx:afterSettle", (event) => {
  if (document.activeElement && document.activeElement !== document.body) return;
  const part = event.detail.target.isConnected ? event.detail.target : event.target;
  (part.querySelector("[data-focus]") || part).focus();
});

// An address names only the filters that narrow.
document.addEventListener("htmx:configRequest", (event) => {
  const { verb, parameters } = event.detail;
  if (verb !== "get") return;
  for (const [name, value] of Object.entries(parameters)) if (value === "") delete parameters[name];
});

{
  const banner = document.getElementById("failure");
  const said = banner.querySelector("[data-said]");
  let again = () => location.reload();

  function show(words, retry) {
    said.textContent = words;
    again = retry;
    banner.hidden = false;
  }

  const retry = (event) => () => {
    const { elt, requestConfig } = event.detail;
    if (elt.matches("form")) elt.requestSubmit();
    else location.assign(requestConfig.path);
  };

  const UNREACHED = "We could not reach the server. What you see may be old.";
  document.addEventListener("htmx:sendError", (event) => show(UNREACHED, retry(event)));
  document.addEventListener("htmx:timeout", (event) => show(UNREACHED, retry(event)));
  document.addEventListener("htmx:responseError", (event) => {
    const { xhr } = event.detail;
    const reference = xhr.getResponseHeader("X-Request-Id")?.slice(-12);
    const words = xhr.status === 429 ? "That was too often in a short time. Wait a minute." : "This part of the page could not be loaded.";
    show(xhr.status >= 500 && reference ? `${words} Reference ${reference}.` : words, retry(event));
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) banner.hidden = true;
  });
  // A form that is too large to be taken stays where it is, with all that was typed.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || form.enctype !== "application/x-www-form-urlencoded") return;
    const size = new URLSearchParams(new FormData(form)).toString().length;
    if (size <= Number(banner.dataset.most)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const kilobytes = (bytes) => Math.ceil(bytes / 1024);
    show(
      `This is ${kilobytes(size)} KB to send, and at most ${kilobytes(banner.dataset.most)} KB are taken. Your text is still here: shorten it.`,
      () => form.requestSubmit(),
    );
  }, true);
  addEventListener("offline", () => show("You are offline. What you see may be old.", () => location.reload()));
  addEventListener("online", () => {
    banner.hidden = true;
  });
  banner.querySelector("button").addEventListener("click", () => again());
}
