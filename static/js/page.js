// Small comforts. Every page works without them.

// A filter takes effect when it is chosen; without this the button beside it does the same.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-filter] select")) event.target.form.requestSubmit();
});

// Enter on a tick would press the first button of its form, whatever that does.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches(".check input")) event.preventDefault();
});

// An open menu closes on Escape, which gives the focus back, and on a click elsewhere.
document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && document.querySelector("details.menu[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});
document.addEventListener("click", (event) => {
  for (const open of document.querySelectorAll("details.menu[open]")) {
    if (!open.contains(event.target)) open.open = false;
  }
});

// A password can be read while it is typed. It is hidden again before it is sent, so that no browser keeps it as a text.
for (const offer of document.querySelectorAll("[data-shows-passwords]")) {
  const passwords = offer.closest("form").querySelectorAll("input[type=password]");
  const show = (shown) => passwords.forEach((one) => { one.type = shown ? "text" : "password"; });
  offer.hidden = false;
  offer.addEventListener("change", (event) => show(event.target.checked));
  offer.closest("form").addEventListener("submit", () => show(false));
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) print();
});

// A form is sent once, however often its button is pressed.
document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// Times read as on the device, unless the person chose another zone. A page that was made before knows no better yet.
{
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (zone) document.cookie = `device_time_zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
}
