/* The program was updated while this page was open: the page is loaded anew, once everything is sent. */

const UNTOUCHED_MS = 10_000;
const AGAIN_MS = 60_000; // while two editions answer in turn, a page does not go back and forth
const DRAFTS = "[data-cancels], #main form, #main .qr, input:focus, select:focus";

/** Answers with the function that looks whether the page of this `edition` is to be loaded anew, and does it: what was
    written is on the sheet, or lies in the store where its way there needs the new page; nothing is drafted, and nobody has
    touched the page for a while. */
export function openUpdate(sync, edition) {
  let touchedAt = performance.now(); // perhaps just before
  for (const kind of ["pointerdown", "keydown", "scroll"]) {
    addEventListener(kind, () => (touchedAt = performance.now()), { capture: true, passive: true });
  }
  const [{ type } = {}] = performance.getEntriesByType("navigation");

  function isSafe() {
    const isSent = sync.link === "good" && !sync.entries.some((entry) => entry.state === "waiting");
    const isRefused = sync.link === "refused"; // perhaps the new page knows the way
    const isAtRest = sync.isLasting && !sync.isMoving && !sync.isSending && !sync.storing;
    return isAtRest && (isSent || isRefused) && !document.querySelector(DRAFTS);
  }

  return () => {
    const isOther = sync.edition && sync.edition !== edition;
    if (!isOther || performance.now() < (type === "reload" ? AGAIN_MS : 0)) return;
    if (performance.now() - touchedAt > UNTOUCHED_MS && isSafe()) location.reload();
  };
}
