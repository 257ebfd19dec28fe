// Single keys: / search, ? the list, g and a letter to a page, j and k through the rows, x to tick one, c or e to correct,
// d to delete, z to undo that, y to confirm, u to the uses. Enter opens a focused row and Escape closes a dialog, as
// browsers do. Among policies: n begins, a and r ask before they decide, [ and ] are the cases before and after. Off when the
// person says so, and never in a field; only the keys of the editor, which are held together with another, act there too.
{
  const help = document.getElementById("shortcuts");
  const ROWS = ".mem .says a, tbody th a";
  let going = 0;

  const typing = (target) =>
    target.closest("input:not([type=checkbox], [type=radio], [type=submit]), textarea, select, [contenteditable]");

  // Says whether there was something to do it to.
  const on = (element, deed) => {
    element?.[deed]();
    return Boolean(element);
  };

  function move(step) {
    const rows = [...document.querySelectorAll(ROWS)].filter((row) => row.checkVisibility());
    const here = rows.findIndex((row) => row.closest(".mem, tr").contains(document.activeElement));
    return on(rows[here + step], "focus");
  }

  // What a key does stands in the row that has the focus, or at the head of the one memory that is open.
  function act(key) {
    const about = document.activeElement.closest(".mem, .ask") || document.querySelector(".hero");
    return on(about?.querySelector(`[data-key~="${key}"]`), "click");
  }

  // What the page offers by a key, such as the next case; what decides asks first.
  const offered = (key) => on(document.querySelector(`main [data-key~="${key}"]`), "click");

  const KEYS = {
    "/": () => on(document.querySelector("main input[type=search]"), "focus"),
    "?": () => on(help, "showModal"),
    g: () => (going = Date.now()),
    j: () => move(1),
    k: () => move(-1),
    x: () => on(document.activeElement.closest(".mem")?.querySelector(".check input"), "click"),
    u: () => on(document.querySelector("[data-uses]"), "focus"),
    z: () => on(document.querySelector(".toast button[type=submit]"), "click"),
    c: act,
    d: act,
    e: act,
    y: act,
    n: offered,
    a: offered,
    r: offered,
    "[": offered,
    "]": offered,
  };

  // Where the person was in the form, to come back to from what the checks say.
  let left = null;

  function turn(editor) {
    const checks = editor.querySelector("aside");
    const back = left?.isConnected ? left : editor.querySelector("input:not([type=hidden])");
    if (checks.contains(document.activeElement)) return on(back, "focus");
    left = document.activeElement;
    return on(checks.querySelector("h2"), "focus");
  }

  function find(editor) {
    const found = [...editor.querySelectorAll("#check .found li")];
    const here = found.findIndex((one) => one.contains(document.activeElement));
    if (!editor.querySelector("aside").contains(document.activeElement)) left = document.activeElement;
    const next = found[here + 1] ?? found[0];
    return on(next?.querySelector("a") ?? next, "focus");
  }

  const EDITOR = {
    "Ctrl s": (editor) => on(editor.querySelector(".actions [value=save]"), "click"),
    F6: turn,
    "Alt ArrowDown": find,
  };

  function pressInEditor(event) {
    const editor = document.getElementById("editor");
    if (!editor || event.shiftKey) return false;
    const held = [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : "", event.key];
    const name = held.filter(Boolean).join(" ");
    return Object.hasOwn(EDITOR, name) && EDITOR[name](editor);
  }

  function press(key) {
    if (Date.now() - going > 1500) return Object.hasOwn(KEYS, key) && KEYS[key](key);
    going = 0;
    return on(help.querySelector(`[data-go="${CSS.escape(key)}"]`), "click");
  }

  if (help) {
    document.addEventListener("keydown", (event) => {
      if ("off" in help.dataset || event.defaultPrevented) return;
      if (document.querySelector("dialog[open]")) return;
      if (pressInEditor(event)) return event.preventDefault();
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
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
