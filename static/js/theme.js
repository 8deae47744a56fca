// Light, dark, or as the device has it. Loaded in the head without `defer`, so that the page never flashes in the wrong theme.
// dark.css is linked with a media query; a choice replaces that query. Paper is never dark.
(() => {
  const QUERY = { light: "not all", dark: "screen" };
  const link = document.querySelector("link[data-dark]");
  const read = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // storage may be forbidden; the device's choice counts then
    }
  };
  const apply = (theme) => {
    if (link) link.media = QUERY[theme] ?? "screen and (prefers-color-scheme: dark)";
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === (QUERY[theme] ? theme : "auto")));
    }
  };
  apply(read());
  const show = () => {
    for (const group of document.querySelectorAll("[data-theme-switch][hidden]")) {
      group.hidden = false;
      apply(read());
    }
  };
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("htmx:afterSettle", show);
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-theme-choice]");
    if (!button) return;
    try {
      localStorage.setItem("theme", button.dataset.themeChoice);
    } catch {
      // not remembered, still applied
    }
    apply(button.dataset.themeChoice);
  });
})();
