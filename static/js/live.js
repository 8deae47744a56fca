// Keeps a page current. The server sends what has changed: a fragment, which the page swaps by its id, or pieces of one.
// Where the stream does not get through, the page fetches itself every few seconds and swaps all of its parts.
//
// <body data-live="/t/…/live?view=…" data-poll="5">   data-poll: ask every so many seconds, stream or no stream
// <body data-live="" data-poll="5">                   no stream: a page shows several of these, and a browser has six connections
// data-edition="…"                                   beside data-live: of the program that made the page (see renewPage)
// data-shows="…"                                      beside data-live: the digest of the parts that the page was loaded with
// <section id="…" data-live-part>                     a part of the page that is kept current
// <section id="…" data-live-part="page">              the stream does not carry it: this reader has asked for it
//   data-topic="…"                                    it also changes with events of this topic, which change nothing else
// <tbody data-list="…">                               a list in a part: its children are pieces, in the order of the server
// <tr data-piece="…">                                 a piece: replaced by itself; its key, or "" (see keyOf)
// data-stream says how it goes: open, lost. It is lost, too, while the server hears of no changes: then the topic of an event is "unheard".
// Events on document: live:contact {at} (the server has answered: what is shown is as it was then),
// live:before {part}, live:after {part} (a part is about to change, has changed).

const root = document.querySelector("[data-live]");
const ALWAYS = Number(root?.dataset.poll ?? 0) * 1000;
const WITHOUT_STREAM = 10_000;
const PATIENCE = 8_000;
const AGAIN = 60_000; // while servers of two editions answer in turn, a page does not go back and forth
const SCATTERED = 5_000;
const BEHIND = 2_000; // by so much a page of one process may be older than an event of another
const shown = new Map(); // each part as the server has sent it, whatever scripts do to it on the page
const streamed = new Set(); // ids of the parts that the stream carries
let stream;
let isStreaming = false;
let newsAt = -Infinity; // when the stream has brought something
let asked = 0;
let answered = 0;
let isOld = false; // the server is of another edition than this page
let tag = ""; // of what is shown, where the browser keeps no answer and so cannot ask whether there is another one

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`live:${name}`, { detail }));

function contact(at) {
  const state = root.querySelector("[data-live-state]");
  if (state) {
    state.dataset.state = "fresh";
    state.textContent = state.dataset.fresh;
  }
  tell("contact", { at });
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

function lost() {
  const state = root.querySelector("[data-live-state]");
  if (state) {
    state.dataset.state = "lost";
    state.textContent = state.dataset.lost;
  }
}

/** Replaces a part. Returns whether it is new. */
function swap(fresh) {
  const old = document.getElementById(fresh.id);
  if (!old || shown.get(fresh.id)?.isEqualNode(fresh)) return false;
  shown.set(fresh.id, fresh.cloneNode(true));
  tell("before", { part: old });
  if (old.querySelector("details[open]")) for (const one of fresh.querySelectorAll("details")) one.open = true; // a part has one at most
  old.replaceWith(fresh);
  tell("after", { part: fresh });
  return true;
}

/** Puts pieces into a part. Returns false, and changes nothing, if they are not of the version that is shown. */
function renew(id, { pieces, lists }) {
  const part = document.getElementById(id);
  if (!part) return true;
  const fresh = new Map(Object.entries(pieces).map(([key, html]) => [key, parsed(html)]));
  const sent = shown.get(id);
  if (!sent || ![sent, part].every((one) => fits(one, fresh, lists))) return false;
  tell("before", { part });
  put(sent, fresh, lists);
  keepFocus(part, () => put(part, fresh, lists));
  tell("after", { part });
  return true;
}

const keyOf = (piece) => piece.dataset.piece || piece.id || `${keyOf(piece.parentElement.closest("[data-piece]"))}+`;
const piecesOf = (part) => [...part.querySelectorAll("[data-piece]")];
const listOf = (part, name) => part.querySelector(`[data-list="${name}"]`);

function fits(part, fresh, lists) {
  const known = new Set(piecesOf(part).map(keyOf));
  const listed = Object.values(lists).flat();
  const placed = new Set(listed);
  return (
    Object.keys(lists).every((name) => listOf(part, name)) &&
    listed.every((key) => known.has(key) || fresh.has(key)) &&
    [...fresh.keys()].every((key) => known.has(key) || placed.has(key))
  );
}

function put(part, fresh, lists) {
  for (const old of piecesOf(part)) {
    const piece = fresh.get(keyOf(old));
    if (piece) old.replaceWith(piece.cloneNode(true));
  }
  const known = new Map(piecesOf(part).map((piece) => [keyOf(piece), piece]));
  for (const [name, keys] of Object.entries(lists)) {
    const list = listOf(part, name);
    let next = list.firstElementChild;
    for (const key of keys) {
      const piece = known.get(key) ?? fresh.get(key).cloneNode(true);
      if (piece === next) next = next.nextElementSibling;
      else list.insertBefore(piece, next);
    }
    while (next) {
      const gone = next;
      next = next.nextElementSibling;
      gone.remove();
    }
  }
}

// Whoever goes through the page with the keyboard stays where they are.
function keepFocus(part, change) {
  const focused = part.contains(document.activeElement) && document.activeElement;
  const around = focused && focused.closest("[data-piece]");
  const key = around && keyOf(around);
  change();
  if (!focused || focused === document.activeElement) return;
  const instead = () => piecesOf(part).find((piece) => keyOf(piece) === key)?.querySelector("a, button");
  (focused.isConnected ? focused : instead())?.focus({ preventScroll: true });
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return template.content.firstElementChild;
}

const isOwn = (part) => part.dataset.livePart === "page";

// The page itself, as it is now: one request for all fragments, also for what only this reader has asked for.
// What it brings is of no version that the stream knows, so the stream begins anew.
// An answer is dropped if a later request was answered first. What the stream carries is not taken from an answer that may be older than
// the latest event: one that was asked for before it, or so soon after it that another process may not have heard of the change yet.
async function ask({ isOfStream = true } = {}) {
  const number = ++asked;
  const askedAt = Date.now(); // goes on while a phone sleeps
  try {
    const headers = tag ? { "If-None-Match": tag } : {};
    const response = await fetch(location.href, { cache: "no-cache", headers, signal: AbortSignal.timeout(PATIENCE) });
    const at = new Date(response.headers.get("Date") ?? Date.now());
    if (response.status === 304) return contact(at);
    if (!response.ok) throw new Error(String(response.status));
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const { live } = page.body.dataset;
    if (live && live !== root.dataset.live) return location.reload(); // now a reader of another stream
    renewPage(page.querySelector("[data-live]")?.dataset.edition);
    if (number < answered) return;
    answered = number;
    if (!root.dataset.live) tag = response.headers.get("ETag") ?? "";
    const isNew = isOfStream && askedAt > newsAt + BEHIND;
    const wanted = [...shown].filter(([, part]) => isNew || isOwn(part));
    const fresh = wanted.map(([id]) => page.getElementById(id)).filter(Boolean);
    const swapped = fresh.filter((part) => swap(document.importNode(part, true)));
    if (swapped.some(({ id }) => streamed.has(id))) listen();
    if (isNew) contact(at);
    else if (isOfStream && !isStreaming) setTimeout(ask, BEHIND);
  } catch {
    if (!isStreaming) lost();
  }
}

function take(event) {
  const { at, edition, topics, parts } = JSON.parse(event.data);
  renewPage(edition);
  if (topics.includes("unheard")) {
    fall();
    return lost();
  }
  if (Object.keys(parts).length) newsAt = Date.now();
  isStreaming = true;
  root.dataset.stream = "open";
  for (const [id, part] of Object.entries(parts)) {
    streamed.add(id);
    if (!part.pieces) swap(parsed(part));
    else if (!renew(id, part)) return listen(); // which brings everything
  }
  contact(new Date(at));
  const own = document.querySelector('[data-live-part="page"] > *')?.parentElement;
  if (own && (Object.keys(parts).length || topics.includes(own.dataset.topic))) ask({ isOfStream: false });
}

/** The stream is gone, or brings nothing for now: the page asks by itself. */
function fall() {
  isStreaming = false;
  root.dataset.stream = "lost";
}

/** has: the digest of what the page shows, if it is known; the stream sends everything otherwise. */
function listen(has) {
  if (!root.dataset.live) return;
  stream?.close();
  stream = new EventSource(`${root.dataset.live}&pieces=1${has ? `&shows=${has}` : ""}`);
  stream.onopen = () => (isStreaming = true);
  stream.onmessage = take;
  stream.onerror = () => {
    fall();
    // The browser tries again by itself, unless the server has refused.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => listen(), WITHOUT_STREAM);
  };
}

function keepAsking() {
  const due = ALWAYS || !isStreaming;
  if (due && !document.hidden) ask();
  setTimeout(keepAsking, ALWAYS || WITHOUT_STREAM);
}

if (root) {
  for (const part of document.querySelectorAll("[data-live-part]")) {
    shown.set(part.id, part.cloneNode(true));
    if (root.dataset.shows && !isOwn(part)) streamed.add(part.id);
  }
  listen(root.dataset.shows);
  setTimeout(keepAsking, ALWAYS || WITHOUT_STREAM);
  document.addEventListener("visibilitychange", () => document.hidden || ask());
}
