// The strip in the top bar (templates/scoring/organiser/_strip.html): the rest of the round ticks, the title of the page says how many tables
// call, and the parts of the page that are of another version than the strip (data-news) fetch themselves, unless somebody is at work in them.
// A new call rings, where somebody has asked for it in this browser; once, however many pages are open.

import { ring } from "../gong.js";

const bell = document.querySelector("[data-bell]");
let arrivedAt = 0;

/** Returns what this browser keeps under the key; keeps the value, if there is one. */
function kept(key, value) {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch {
    return null; // storage may be forbidden
  }
}

function ringForNew(line) {
  if (!line) return;
  const key = `calls:${line.pathname}`;
  const calls = line.dataset.calling;
  const before = kept(key);
  kept(key, calls);
  if (before === null || kept("bell") !== "on") return;
  if (calls.split(" ").some((call) => !before.split(" ").includes(call))) ring();
}

function showBell() {
  bell.setAttribute("aria-pressed", String(kept("bell") === "on"));
}

bell.addEventListener("click", () => {
  if (kept("bell", kept("bell") === "on" ? "off" : "on") === "on") ring();
  showBell();
});
showBell();
bell.hidden = false;

function tick() {
  const clock = document.querySelector("#strip [data-left]");
  if (!clock) return;
  const left = Math.max(0, Math.round(clock.dataset.left - (performance.now() - arrivedAt) / 1000));
  clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id !== "strip") return;
  arrivedAt = performance.now();
  tick();
  const calls = target.querySelector("[data-calls]");
  document.title = (calls ? `(${calls.dataset.calls}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  ringForNew(target.querySelector(".strip__line"));
  const { value } = target.querySelector("[name=seen]");
  for (const part of document.querySelectorAll("[data-news]")) {
    if (part.dataset.news !== value && !part.contains(document.activeElement)) part.dispatchEvent(new CustomEvent("news"));
  }
});

setInterval(tick, 1000);
