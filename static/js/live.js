// Keeps a page current. The server tells it that something has changed, and the page fetches itself and swaps the parts that are new:
// at once, then at most every two seconds, and once more two seconds after the last news, as another process may have answered that had not
// heard of them yet. Where the stream brings nothing, the page asks by itself every few seconds.
//
// <body data-live="/t/…/live" data-poll="5">   data-poll: ask every so many seconds as long as there is no stream
// <body data-live="" data-poll="5">            no stream: a page shows several of these, and a browser has six connections
// data-edition="…"                            beside data-live: of the program that made the page (see renewPage)
// data-audience="…"                           beside data-live: who reads the page; it is loaded anew for another one
// <section id="…" data-live-part>              a part of the page that is kept current
// data-stream says how it goes: open, lost. Events on document: live:contact {at, asked, got} (the server has answered: what is shown is as it
// was at its time `at`, which was between those two of this device, in milliseconds), live:before {part}, live:after {part} (a part is about
// to change, has changed). Walls have it too: it keeps to Chrome 68.

import "./old_browsers.js";

const root = "tooOld" in document.documentElement.dataset ? null : document.querySelector("[data-live]"); // see errors.js
const WITHOUT_STREAM = Number((root && root.dataset.poll) || 10) * 1000;
const WITHOUT_NEWS = 30000; // a server that has lost its database connection without knowing it brings none
const PAUSE = 2000; // between the news of which the page asks
const PATIENCE = 8000;
const AGAIN = 60000; // while servers of two editions answer in turn, a page does not go back and forth
const SCATTERED = 5000;
const shown = new Map(); // each part as the server has sent it, whatever scripts do to it on the page
let isStreaming = false;
let isLost = false; // there was no answer
let hasNews = false; // after which the page has not asked yet
let due; // the request that is to come
let askedAt = -Infinity;
let asked = 0;
let answered = 0;
let isOld = false; // the server is of another edition than this page
let tag = ""; // of what is shown

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`live:${name}`, { detail }));

function say(state) {
  isLost = state === "lost";
  const place = root.querySelector("[data-live-state]");
  if (!place) return;
  place.dataset.state = state;
  place.textContent = place.dataset[state];
}

function contact({ at, asked, got }) {
  say("fresh");
  if (isStreaming) root.dataset.stream = "open";
  const lastSeen = document.querySelector(".last-seen"); // see worker.js
  if (lastSeen) lastSeen.remove();
  tell("contact", { at, asked, got });
}

/** After an update of the program the page is loaded anew: not all pages of a hall at once, and none in which somebody writes. */
function renewPage(edition) {
  if (isOld || !edition || edition === root.dataset.edition) return;
  isOld = true;
  const [{ type } = {}] = performance.getEntriesByType("navigation");
  const rest = type === "reload" ? Math.max(0, AGAIN - performance.now()) : 0;
  const reload = () => (document.querySelector("input:focus, select:focus, textarea:focus") ? setTimeout(reload, SCATTERED) : location.reload());
  setTimeout(reload, rest + Math.random() * SCATTERED);
}

const isAsShown = (fresh) => shown.has(fresh.id) && shown.get(fresh.id).isEqualNode(fresh);

/** Replaces a part, if it is new. */
function swap(fresh) {
  const old = document.getElementById(fresh.id);
  if (!old || isAsShown(fresh)) return;
  shown.set(fresh.id, fresh.cloneNode(true));
  tell("before", { part: old });
  if (old.querySelector("details[open]")) for (const one of fresh.querySelectorAll("details")) one.open = true; // a part has one at most
  keepFocus(old, () => old.replaceWith(fresh));
  tell("after", { part: fresh });
}

// Whoever goes through the page with the keyboard stays where they are.
function keepFocus(part, change) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  if (!focused) return change();
  const { id } = focused.closest("[id]");
  change();
  const around = document.getElementById(id) || document.getElementById(part.id); // what was around it may be gone
  const alike = [around, ...around.querySelectorAll(focused.localName)].filter((one) => one.matches(focused.localName));
  const same = alike.find((one) => one.isEqualNode(focused)) || alike[0];
  if (same) same.focus({ preventScroll: true });
}

// The page itself, as it is now. An answer is dropped if a later request was answered first.
async function ask() {
  clearTimeout(due);
  due = undefined;
  const number = ++asked;
  const isToConfirm = hasNews;
  hasNews = false;
  askedAt = performance.now();
  const answer = await fetched().catch(() => null);
  if (isToConfirm) askSoon();
  if (!answer) {
    root.dataset.stream = "lost"; // a server that is gone without a word leaves it open
    return say("lost");
  }
  if (number < answered) return;
  answered = number;
  try {
    if (answer.page) take(answer.page, answer.tag); // what fails here is no fault of the connection
  } finally {
    contact(answer);
  }
}

async function fetched() {
  const headers = tag ? { "If-None-Match": tag } : {};
  const began = Date.now();
  const response = await fetch(location.href, { cache: "no-cache", headers, signal: AbortSignal.timeout(PATIENCE) });
  const got = Date.now();
  if (!response.ok && response.status !== 304) throw new Error(String(response.status));
  const page = response.ok && new DOMParser().parseFromString(await response.text(), "text/html");
  if (page && !page.querySelector("[data-live]")) throw new Error("somebody else's page"); // of a network that wants a log-in
  return { page, tag: response.headers.get("ETag") || "", at: new Date(response.headers.get("Date") || got), asked: began, got };
}

function take(page, itsTag) {
  const now = page.querySelector("[data-live]");
  if (root.dataset.live && now.dataset.audience !== root.dataset.audience) return location.reload();
  renewPage(now.dataset.edition);
  tag = itsTag;
  for (const id of shown.keys()) {
    const fresh = page.getElementById(id);
    if (fresh) swap(document.importNode(fresh, true));
  }
}

/** Asks in a moment: not sooner than PAUSE after the last time, and within `spread` milliseconds, as others ask as well. */
function askSoon(spread = 0) {
  const rest = askedAt + PAUSE - performance.now();
  if (!due) due = setTimeout(ask, Math.max(rest, Math.random() * spread));
}

function listen() {
  if (!root.dataset.live) return;
  const stream = new EventSource(root.dataset.live);
  stream.onmessage = ({ data }) => {
    const { topics, edition, spread } = JSON.parse(data);
    isStreaming = true;
    root.dataset.stream = "open";
    renewPage(edition);
    if (!topics.length) return say("fresh"); // back, and nothing was missed
    hasNews = true;
    if (!document.hidden) askSoon(spread);
  };
  stream.onerror = () => {
    const wasStreaming = isStreaming;
    isStreaming = false;
    root.dataset.stream = "lost";
    if (wasStreaming && root.dataset.poll) keepAsking(); // a wall; of players there are too many
    // The browser tries again by itself, unless the server has refused.
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, WITHOUT_STREAM);
  };
}

function keepAsking() {
  const isDue = !isStreaming || isLost || performance.now() - askedAt > WITHOUT_NEWS;
  if (isDue && !document.hidden) ask();
}

if (root) {
  for (const part of document.querySelectorAll("[data-live-part]")) shown.set(part.id, part.cloneNode(true));
  listen();
  setInterval(keepAsking, WITHOUT_STREAM);
  document.addEventListener("visibilitychange", () => document.hidden || ask());
  document.documentElement.dataset.alive = "live";
}
