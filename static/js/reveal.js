// The organiser's page of a prize-giving: the arrow keys, or those of a presenter, press its buttons.
// The wall names a player two seconds after the prize: until then the next step waits, so that no tap skips a name.

const NAMED_MS = 3_000;
const REVEALED = "revealed";
const next = document.querySelector('[data-reveal="1"]');

document.addEventListener("submit", (event) => {
  if (event.submitter !== next) return;
  try {
    sessionStorage.setItem(REVEALED, String(Date.now()));
  } catch {
    // without storage the next step does not wait
  }
});

function lastRevealed() {
  try {
    return Number(sessionStorage.getItem(REVEALED));
  } catch {
    return 0;
  }
}

const since = Date.now() - lastRevealed();
if (next && since >= 0 && since < NAMED_MS) {
  next.disabled = true;
  setTimeout(() => (next.disabled = false), NAMED_MS - since);
}

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
