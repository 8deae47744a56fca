// The code of the hall on a paired screen. No page and no event carries it, so the screen fetches it by itself, as long as
// players are invited to register themselves: <figure data-hall-code="/t/…"> is replaced by what that address answers.

import "../old_browsers.js";

const RENEWED = 30000;
const PATIENCE = 8000;
let latest; // as the server has sent it, for the next time that the scene around it changes
let askedAt = -Infinity;

const place = () => document.querySelector("[data-hall-code]");

function put() {
  if (latest && place()) place().replaceWith(latest.cloneNode(true));
}

async function ask() {
  askedAt = performance.now();
  try {
    const answer = await fetch(place().dataset.hallCode, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status !== 200) return;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html").body.firstElementChild;
    latest = document.importNode(part, true);
    put();
  } catch {
    // The server is lost, and the foot says so. The next try is due as always.
  }
}

function keepCurrent() {
  if (!place()) latest = undefined;
  else if (performance.now() - askedAt >= RENEWED || !latest) ask();
}

if (document.body.dataset.live) {
  document.addEventListener("live:after", () => {
    put();
    keepCurrent();
  });
  keepCurrent();
  setInterval(keepCurrent, 5000);
}
