// The organiser's page of a prize-giving: the arrow keys, or those of a presenter, press its buttons.

const STEP = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const button = STEP[event.key] && document.querySelector(`[data-reveal="${STEP[event.key]}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});

// The next prize waits until the wall has named this one: a second tap jumps over nobody.
const NAMING_MS = 2_000;
const KEY = "revealed";

document.addEventListener("submit", (event) => {
  if (event.target.querySelector("[data-reveal]")) sessionStorage.setItem(KEY, Date.now());
});

const next = document.querySelector('[data-reveal="1"]');
if (next && Date.now() - sessionStorage.getItem(KEY) < 10 * NAMING_MS) {
  next.disabled = true;
  setTimeout(() => {
    next.disabled = false;
    if (document.activeElement === document.body) next.focus({ preventScroll: true });
  }, NAMING_MS);
}
sessionStorage.removeItem(KEY);
