// The time of the server, whatever the clock of this device says. The page asks for it once; its news bring it again.

const JITTER = 1500; // milliseconds: an answer tells whole seconds, and is under way for some time

let ahead = NaN; // the clock of the server, before that of this device by so many milliseconds

// Each answer tells a time that is a little too early, so the latest is the truest, unless a clock was set.
function learn(at) {
  const found = at - Date.now();
  ahead = Math.abs(found - ahead) < JITTER ? Math.max(found, ahead) : found;
}

/** The time of the server in milliseconds; NaN until it has told it. */
export const serverTime = () => Date.now() + ahead;

document.addEventListener("live:contact", ({ detail }) => learn(detail.at));
fetch(location.href, { method: "HEAD", cache: "no-store" })
  .then((answer) => answer.headers.has("Date") && learn(Date.parse(answer.headers.get("Date"))))
  .catch(() => {}); // the news will tell it
