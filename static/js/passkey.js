// Passkeys are offered where the browser knows them; everything else on these pages works without.
if (window.PublicKeyCredential) {
  for (const part of document.querySelectorAll("[data-with-passkeys]")) part.hidden = false;
  for (const part of document.querySelectorAll("[data-without-passkeys]")) part.hidden = true;
}

// The person said no, or the browser has none: say so in words.
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const said = document.querySelector("[data-passkey-error]");
  if (said) said.hidden = false;
});
