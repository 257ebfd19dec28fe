// What is deleted within the list leaves it at once; without this its receipt is a page, and says the same.
{
  const rows = () => [...document.querySelectorAll("#results .mem")];
  let place = -1; // of the row that is asked about
  let last = -1; // of the one that went

  document.addEventListener("click", ({ target }) => {
    const link = target.closest("a[data-dialog]");
    if (link) place = rows().indexOf(link.closest(".mem"));
    target.closest("[data-dismiss]")?.closest(".toast").remove();
  });

  // What is taken back comes to where it was.
  document.addEventListener("submit", ({ target }) => {
    if (target.closest(".toast")) place = last;
  });

  document.addEventListener("memories-changed", () => document.getElementById("dialog").close());

  // When the list has come anew, the row that took the place of the one that went has the focus.
  document.addEventListener("htmx:afterSettle", ({ target }) => {
    if (target.id !== "main" || place < 0) return;
    const next = rows()[Math.min(place, rows().length - 1)];
    (next?.querySelector(".says a") ?? target).focus();
    [last, place] = [place, -1];
  });
}
