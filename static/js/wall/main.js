// The wall: turns its pages, with a thin line for how long one stays, keeps its place when they change, shows who has moved, and says how old it is.
// Space holds and goes on, the arrow keys turn; at a prize-giving they reveal, where an organiser is logged in. A draw before the
// hall is shown seat by seat, until an arrow key skips the rest. It rests while nothing changes: what is written already is not
// written again, and the line runs without the script. Written, like all scripts of the wall, for televisions with Chrome 68.

import "../old_browsers.js";
import { toggleGong } from "../gong.js";
import { countDown, serverTime, write } from "../round_clock.js";
import { faster, isShown, mark, skip, stage, wantsNoMotion } from "./staging.js";

if ("tooOld" in document.documentElement.dataset) throw new Error("see errors.js");

const STALE = 10000;
const QUIET = 40000; // while the stream is open, the page asks only every 30 seconds
const MOVES_STAY = 60000;
const ASK_AGAIN = 60000;
const AT_REST = 3000;
const FADE = 300;
const DRAWS = 100; // between two looks at a draw that is being staged
const UNKNOWN = 3000; // how long the time of the server is waited for
const NAMED = 3000; // a step is said first, and its name follows

const age = document.querySelector(".age");
const pause = document.querySelector("[data-pause]");
const gong = document.querySelector("[data-gong]");
const pace = document.querySelector(".wall-pace");
const progress = document.querySelector(".wall-progress");
const inHours = { hour: "2-digit", minute: "2-digit", timeZone: age.dataset.timeZone };
const hours = new Intl.DateTimeFormat("de-DE", inHours);
const clock = new Intl.DateTimeFormat("de-DE", Object.assign({ second: "2-digit" }, inHours));
const openedAt = performance.now();
let current = 0;
let turnedAt = performance.now();
let isDue; // the turn that is to come
let line; // that is running
let isPaused = false;
let movedAt = performance.now();
let contactAt = performance.now();
let asOf = (age.textContent.match(/\d\d:\d\d:\d\d/) || [""])[0];
let askedAt = -Infinity;
let revealedAt = -Infinity;
const moves = new Map();

const pagesOf = (screen) => [...screen.querySelectorAll(".wall-page")].filter(isShown);
const pages = () => pagesOf(document.getElementById("screen"));
const stays = (all) => Number(all[current].dataset.stays); // milliseconds

// Only a page that takes the place of another one fades in: news that are swapped into it do not.
function show(all, number, since = performance.now()) {
  current = (number + all.length) % all.length;
  const page = all[current];
  if (page.hidden && !wantsNoMotion()) page.animate([{ opacity: 0 }, { opacity: 1 }], FADE);
  for (const one of document.querySelectorAll(".wall-page")) one.hidden = one !== page;
  document.body.dataset.shown = page.dataset.kind;
  stay(all, since);
}

/** Lets the page stay for its time, or for as long as the pages are held. */
function stay(all, since) {
  turnedAt = since;
  sayPace(all);
  if (line) line.cancel();
  line = null;
  if (!isPaused && all.length > 1) {
    line = progress.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], stays(all));
    line.currentTime = performance.now() - since;
  }
  turnInTime(all);
}

function turnInTime(all) {
  clearTimeout(isDue);
  if (waitsForTime() || all[current].dataset.kind === "draw") isDue = setTimeout(goOn, DRAWS);
  else if (line) isDue = setTimeout(goOn, turnedAt + stays(all) - performance.now());
}

// Whoever touches the screen sees pointer and buttons, until three seconds later.
function wake() {
  movedAt = performance.now();
  document.body.removeAttribute("data-at-rest");
}

// A draw that is being staged ends, and is not shown again: the page after it takes its place.
function turnBy(by) {
  const page = pages()[current];
  show(pages(), skip(page) ? current : current + by);
}

function hold(paused) {
  isPaused = paused;
  pause.setAttribute("aria-pressed", String(paused));
  stay(pages(), performance.now());
}

const ranks = (screen) =>
  new Map([...screen.querySelectorAll("[data-number]")].map((row) => [row.dataset.number, Number(row.dataset.rank)]));

const played = (screen) => [...screen.querySelectorAll("[data-played]")].map((row) => row.dataset.number).sort().join();

// What has to be known of a screen when it has changed.
function asItIs(screen) {
  const all = pagesOf(screen);
  return { ranks: ranks(screen), played: played(screen), phase: all[0].dataset.kind, ...all[current].dataset };
}

// A new phase begins with its first page; otherwise the page that is being read stays.
function samePlace(before, after) {
  if (before.phase !== after[0].dataset.kind) return 0;
  const same = after.findIndex((page) => page.dataset.key === before.key);
  return same >= 0 ? same : Math.max(after.map((page) => page.dataset.kind).lastIndexOf(before.kind), 0);
}

// While the first results of players come in, as in the first round, there is nothing to compare with.
function noteMoves(before, screen) {
  if (before.played !== played(screen)) moves.clear();
  else {
    for (const [number, rank] of ranks(screen)) {
      const by = before.ranks.get(number) - rank;
      if (by) moves.set(number, { by, until: performance.now() + MOVES_STAY });
    }
  }
  showMoves(screen);
}

function showMoves(screen) {
  for (const row of screen.querySelectorAll("[data-number]")) {
    const move = moves.get(row.dataset.number);
    const place = row.querySelector(".move");
    if (place.hasAttribute("data-since-round") || (!move && !place.textContent)) continue;
    if (!move || move.until < performance.now()) {
      moves.delete(row.dataset.number);
      place.textContent = "";
      continue;
    }
    place.dataset.move = move.by > 0 ? "up" : "down";
    place.textContent = `${move.by > 0 ? "▲" : "▼"}${Math.abs(move.by)}`;
  }
}

function sayTime(screen) {
  countDown(screen);
  if (Number.isNaN(serverTime())) return;
  for (const place of screen.querySelectorAll("[data-clock]")) write(place, hours.format(serverTime()));
}

function sayPace(all) {
  mark(pace, "data-idle", all.length === 1);
  pace.textContent = isPaused ? pace.dataset.held : pace.dataset.running.replace("{seconds}", String(Math.round(stays(all) / 1000)));
}

function sayAge() {
  const silent = performance.now() - contactAt;
  const isStale = silent > (document.body.dataset.stream === "open" ? QUIET : STALE);
  const text = isStale ? age.dataset.stale : age.dataset.fresh;
  write(age, text.replace("{seconds}", String(Math.round(silent / 1000))).replace("{time}", asOf));
  if (isStale === (age.dataset.state === "stale")) return;
  age.dataset.state = isStale ? "stale" : "fresh";
  mark(document.body, "data-lost", isStale);
}

// A step that has just been revealed is said first, and the name comes after a pause; one that was taken back to is shown.
const isRevealed = (before, now) => now.kind === "prizes" && before.kind === "prizes" && now.seen && before.next === now.seen;

let before;
document.addEventListener("live:before", ({ detail: { part } }) => {
  if (part.id === "screen") before = asItIs(part);
});
document.addEventListener("live:after", ({ detail: { part } }) => {
  if (part.id !== "screen") return;
  const all = pagesOf(part);
  const page = samePlace(before, all);
  noteMoves(before, part);
  sayTime(part);
  if (all[page].dataset.key === before.key) all[page].hidden = false; // it is there already
  show(all, page, all[page].dataset.key === before.key ? turnedAt : performance.now());
  if (isRevealed(before, all[page].dataset)) all[page].dataset.fresh = "";
});

document.addEventListener("live:contact", ({ detail }) => {
  contactAt = performance.now();
  asOf = clock.format(detail.at);
  sayAge();
});

// The step that is to be revealed is said, not "one more": a key that is pressed twice reveals one.
// Where it does not get through, nothing is revealed, and the foot says that the server is lost.
function reveal(step) {
  const form = document.querySelector("form[data-reveal]");
  const page = pages()[current];
  if (!form || page.dataset.kind !== "prizes") return false;
  const { seen, next, previous } = page.dataset;
  if (step > 0 ? !next || performance.now() - revealedAt < NAMED : !seen) return true;
  revealedAt = performance.now();
  form.elements.seen.value = seen;
  form.elements.step.value = step > 0 ? next : previous;
  fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" })
    .then((response) => response.status >= 400 && location.reload()) // whoever was logged in is somebody else now
    .catch(() => {});
  return true;
}

// A browser that is not paired asks for a code by itself, and for another one when it has lost that.
async function askForCode() {
  const place = document.getElementById("pairing");
  if (!place || place.dataset.code || document.hidden || performance.now() - askedAt < ASK_AGAIN) return;
  askedAt = performance.now();
  const form = document.querySelector("form[data-pairing]");
  form.hidden = true;
  try {
    const response = await fetch(form.action, { method: "POST", body: new FormData(form) });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById("pairing");
    if (fresh) place.replaceWith(document.importNode(fresh, true));
  } catch {
    // The server is lost, and the foot says so.
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const turn = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  if (turn && event.repeat) return event.preventDefault(); // held down: the prizes do not run through
  if (turn && reveal(turn)) event.preventDefault();
  else if (turn) turnBy(turn);
  else if (event.key === "+" || event.key === "-") faster(event.key === "+" ? 2 : 0.5);
  else if (event.key === " ") hold(!isPaused);
  else return;
  event.preventDefault();
});

for (const link of document.querySelectorAll("[data-turn]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    turnBy(Number(link.dataset.turn));
  });
}
pause.addEventListener("click", () => hold(!isPaused));
gong.addEventListener("click", () => toggleGong(gong));
gong.addEventListener("keydown", (event) => event.key === " " && event.stopPropagation());
askForCode();
gong.removeAttribute("data-idle");
pause.addEventListener("keydown", (event) => event.key === " " && event.stopPropagation());
pause.removeAttribute("data-idle");
current = Math.max(pages().findIndex((page) => !page.hidden), 0);
document.body.dataset.shown = pages()[current].dataset.kind;

for (const kind of ["pointermove", "pointerdown", "keydown", "focusin"]) document.addEventListener(kind, wake);

sayTime(document);
setInterval(() => {
  sayAge();
  askForCode();
  sayTime(document);
  if (moves.size) showMoves(document.getElementById("screen"));
  if (performance.now() - movedAt >= AT_REST && !("atRest" in document.body.dataset)) mark(document.body, "data-at-rest", true);
}, 500);

// Without the time nobody knows whether a draw is to be staged, or was long ago.
function waitsForTime() {
  if (!Number.isNaN(serverTime()) || performance.now() - openedAt > UNKNOWN) return false;
  return Boolean(document.querySelector('.wall-page[data-kind="draw"]:not([hidden])'));
}

function goOn() {
  const all = pages();
  const page = all[current];
  if (waitsForTime()) return turnInTime(all);
  if (stage(page, isPaused)) turnedAt = performance.now();
  else if (!isShown(page) || page.hidden) return show(pages(), current);
  else if (!isPaused && performance.now() - turnedAt >= stays(all)) return show(all, current + 1);
  turnInTime(pages());
}

stay(pages(), performance.now());
document.documentElement.dataset.alive = "wall";
