// The clock of a round on the wall and on the players' page: what is left until the sign to start, and of the round, and a call for the
// last game.

import { serverTime } from "./server_time.js";

const SOON = 5 * 60; // seconds before the end

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
