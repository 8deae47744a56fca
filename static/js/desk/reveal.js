// The organiser's page of a prize-giving: the arrow keys, or those of a presenter, press its buttons.
// The wall names a player two seconds after the prize: until then the next step waits, so that no tap skips a name. The page is not
// shown before this has run (blocking="render").

const NAMED_MS = 3_000;
const REVEALED = "revealed";
const SENT = "sent";
const next = document.querySelector('[data-reveal="1"]');

document.addEventListener("submit", (event) => {
  if (event.submitter !== next) return;
  try {
    sessionStorage.setItem(REVEALED, SENT);
  } catch {
    // without storage the next step does not wait
  }
});

// When the last step was answered: with this page, if it was sent by the one before, however long that took.
function lastRevealed() {
  try {
    if (sessionStorage.getItem(REVEALED) === SENT) sessionStorage.setItem(REVEALED, String(Date.now()));
    return Number(sessionStorage.getItem(REVEALED));
  } catch {
    return 0;
  }
}

const since = Date.now() - lastRevealed();
if (next && since >= 0 && since < NAMED_MS) {
  next.disabled = true;
  setTimeout(() => {
    next.disabled = false;
    if (document.activeElement === document.body) next.focus({ preventScroll: true });
  }, NAMED_MS - since);
}

const STEP = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const button = STEP[event.key] && document.querySelector(`[data-reveal="${STEP[event.key]}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
