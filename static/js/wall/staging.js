// The draw before the hall: its tables one after the other, seat by seat, at most a minute in all. + and - change the speed.

import { serverTime } from "../round_clock.js";

const MOST = 60000;
const SEAT = 1000;
const LATE = 90000; // a screen that is opened later shows who sits where, and not how it came
const KEY = "draw-staged";
const memory = document.body.hasAttribute("inert") ? sessionStorage : localStorage; // a preview ends no draw on the wall of the same browser

let released = "";
let elapsed = 0;
let tickedAt = 0;
let speed = 1;

export const mark = (element, name, isMarked) => (isMarked ? element.setAttribute(name, "") : element.removeAttribute(name));
export const wantsNoMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const isDraw = (page) => page.dataset.kind === "draw";

/** Whether a page is to be shown: any but a draw that was staged here already, or was made some time ago. */
export function isShown(page) {
  if (!isDraw(page)) return true;
  if (memory.getItem(KEY) === page.dataset.released || wantsNoMotion()) return false;
  const now = serverTime() || Date.now(); // by the clock of this device, as long as the server has not told the time
  return page.dataset.released === released || now - Date.parse(page.dataset.released) < LATE;
}

/** Ends the staging of a draw. Returns false for any other page. */
export function skip(page) {
  if (!isDraw(page)) return false;
  memory.setItem(KEY, page.dataset.released);
  return true;
}

export function faster(by) {
  speed = Math.min(Math.max(speed * by, 0.5), 8);
}

/** Shows as many seats as are drawn by this time. Returns whether the page is a draw that goes on. */
export function stage(page, isHeld) {
  if (!isDraw(page)) return false;
  const now = performance.now();
  if (page.dataset.released !== released) {
    released = page.dataset.released;
    elapsed = 0;
    tickedAt = now;
  }
  if (!isHeld) elapsed += (now - tickedAt) * speed;
  tickedAt = now;
  const seats = [...page.querySelectorAll("li")];
  const step = Math.min(SEAT, MOST / (seats.length + 2));
  const drawn = Math.floor(elapsed / step);
  if (drawn > seats.length + 1) {
    skip(page);
    return false;
  }
  const current = seats[Math.min(drawn, seats.length - 1)].closest("section");
  for (const table of page.querySelectorAll("section")) table.hidden = table !== current;
  seats.forEach((seat, place) => mark(seat, "data-waiting", place >= drawn));
  return true;
}
