// The clock of a round on the wall and on the players' page: what is left until the sign to start, and of the round, and a call for the
// last game. It goes by the time of the server, whatever the clock of this device says. The page asks for that once, where it shows a clock;
// its news bring it again.

const SOON = 5 * 60; // seconds before the end

let ahead = NaN; // the clock of the server, before that of this device by so many milliseconds

// An answer tells whole seconds, of a moment between `asked` and `got`. What is known is kept, unless that shows it to be wrong: a slow
// answer does not set the clock back. Of what is possible the earliest is taken.
function learn(at, asked, got) {
  const least = at - got;
  const most = at + 1000 - asked;
  if (!(least <= ahead && ahead <= most)) ahead = least; // not known yet, known better now, or a clock was set
}

/** The time of the server in milliseconds; NaN until it has told it. */
export const serverTime = () => Date.now() + ahead;

document.addEventListener("live:contact", ({ detail }) => learn(Number(detail.at), detail.asked, detail.got));

async function ask() {
  const asked = Date.now();
  const answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store" });
  const got = Date.now();
  if (answer.headers.has("Date")) learn(Date.parse(answer.headers.get("Date")), asked, got);
}

let heard = null; // what was left when it was looked at last, of the clock that ends then
let endsAt = "";

// A clock that had passed the moment already when the page was opened does not ring. length: of the round, in seconds.
function ring(left, length) {
  const passed = (moment) => heard !== null && heard > moment && left <= moment;
  const strokes = passed(0) ? 3 : passed(length) ? 2 : length > SOON && passed(SOON) ? 1 : 0;
  if (strokes) document.dispatchEvent(new CustomEvent("clock:strokes", { detail: strokes })); // see gong.js
}

/** Changes a text, if it is another one: the page is laid out anew only then. */
export function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

const figures = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Says what is left on every page that has the clock, once the time is known: until the sign to start, and then of the round. */
export function countDown(screen) {
  const places = screen.querySelectorAll("[data-ends-at]");
  if (!places.length || Number.isNaN(serverTime())) return;
  const ends = places[0].dataset.endsAt;
  if (ends !== endsAt) [endsAt, heard] = [ends, null];
  const left = Math.ceil((Date.parse(ends) - serverTime()) / 1000);
  const length = (Date.parse(ends) - Date.parse(places[0].dataset.beginsAt)) / 1000;
  if (left !== heard) ring(left, length);
  heard = left;
  const state = left <= 0 ? "over" : left > length ? "waits" : left <= SOON ? "soon" : "runs";
  for (const place of places) {
    const [lead, call] = ["lead", "call"].map((name) => place.parentElement.querySelector(`[data-${name}]`));
    if (place.dataset.state !== state) place.dataset.state = state;
    write(place, figures(Math.max(state === "waits" ? left - length : left, 0)));
    if (lead) write(lead, state === "waits" ? lead.dataset.waits : lead.dataset.runs);
    if (call) write(call, place.dataset[state] || "");
  }
}

const tick = () => countDown(document);

if (document.getElementById("clock")) {
  tick(); // on the players' page; the wall does it by itself
  setInterval(tick, 1000);
  document.addEventListener("live:after", tick);
}

// The news will tell it as well. Without the query the kept page answers.
if (document.querySelector("[data-ends-at], [data-clock], [data-kind=draw]")) ask().catch(() => {});
