// Single keys: / search, ? the list, g and a letter to a page, j and k through the rows, x to tick one, c or e to correct,
// d to delete, y to confirm, u to the uses. Enter opens a focused row and Escape closes a dialog, as browsers do.
// Off when the person says so, and never in a field.
{
  const help = document.getElementById("shortcuts");
  const ROWS = ".mem .says a, [data-row] a, .devices h2 a, tbody th a";
  let going = 0;

  const typing = (target) =>
    target.closest("input:not([type=checkbox], [type=radio], [type=submit]), textarea, select, [contenteditable]");

  function move(step) {
    const rows = [...document.querySelectorAll(ROWS)].filter((row) => row.checkVisibility());
    const here = rows.findIndex((row) => row === document.activeElement || row.closest(".mem, [data-row], tr")?.contains(document.activeElement));
    const next = rows[here === -1 && step < 0 ? -1 : here + step];
    if (next) next.focus();
    return Boolean(next);
  }

  function tick() {
    const box = document.activeElement.closest(".mem")?.querySelector(".check input");
    if (box) box.click();
    return Boolean(box);
  }

  // What a key does stands in the row that has the focus, or at the head of the one memory that is open.
  function act(key) {
    const about = document.activeElement.closest(".mem, .ask") || document.querySelector(".hero");
    const action = about?.querySelector(`[data-key~="${key}"]`);
    if (action) action.click();
    return Boolean(action);
  }

  function showUses() {
    const uses = document.querySelector("[data-uses]");
    if (uses) uses.focus();
    return Boolean(uses);
  }

  function press(key) {
    if (Date.now() - going < 1500) {
      going = 0;
      const link = help.querySelector(`[data-go="${CSS.escape(key)}"]`);
      if (link) link.click();
      return Boolean(link);
    }
    switch (key) {
      case "/": {
        const search = document.querySelector("main input[type=search]");
        if (search) search.focus();
        return Boolean(search);
      }
      case "?":
        help.showModal();
        return true;
      case "g":
        going = Date.now();
        return true;
      case "j":
        return move(1);
      case "k":
        return move(-1);
      case "x":
        return tick();
      case "u":
        return showUses();
      case "c":
      case "d":
      case "e":
      case "y":
        return act(key);
    }
    return false;
  }

  if (help) {
    document.addEventListener("keydown", (event) => {
      if ("off" in help.dataset || help.open || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      if (press(event.key)) event.preventDefault();
    });
    // The link to the list opens it here; without this it is a page.
    document.addEventListener("click", (event) => {
      if (!event.target.closest("[data-help]") || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      help.showModal();
    });
  }
}
