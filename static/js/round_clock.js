// The clock of a round on the wall: what is left until the sign to start, and of the round, a call for the last game, and a gong where it
// is turned on at this screen.

import { serverTime } from "./server_time.js";

const SOON = 5 * 60; // seconds before the end
const TONES = [220, 440, 587, 880]; // of one stroke, in Hz

let heard = null; // what was left when it was looked at last, of the clock that ends then
let endsAt = "";
let sound = null;

/** Turns the gong on or off. Browsers allow sound only after somebody has pressed a button, so it is off after each start. */
export function toggleGong(button) {
  if (sound) {
    sound.close();
    sound = null;
  } else {
    sound = new AudioContext();
    strike(0);
  }
  button.setAttribute("aria-pressed", String(Boolean(sound)));
}

function strike(after) {
  const at = sound.currentTime + after;
  for (const [place, tone] of TONES.entries()) {
    const [voice, level] = [sound.createOscillator(), sound.createGain()];
    voice.frequency.value = tone;
    level.gain.setValueAtTime(0.3 / (place + 1), at);
    level.gain.exponentialRampToValueAtTime(0.001, at + 2.5);
    voice.connect(level).connect(sound.destination);
    voice.start(at);
    voice.stop(at + 2.5);
  }
}

// A clock that had passed the moment already when the page was opened does not ring. length: of the round, in seconds.
function ring(left, length) {
  const passed = (moment) => heard !== null && heard > moment && left <= moment;
  const strokes = passed(0) ? 3 : passed(length) ? 2 : length > SOON && passed(SOON) ? 1 : 0;
  if (sound) for (let stroke = 0; stroke < strokes; stroke += 1) strike(stroke * 1.5);
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
