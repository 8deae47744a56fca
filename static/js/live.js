// Keeps a page current. The server sends a fragment whenever something has changed, and the page swaps it by its id;
// where the stream does not get through, the page fetches itself every few seconds and swaps all of its parts.
//
// <body data-live="/t/…/live?view=…" data-poll="5">   data-poll: ask every so many seconds, stream or no stream
// <section id="…" data-live-part>                     a part of the page that is kept current
// <section id="…" data-live-part="page">              the stream does not carry it: this reader has asked for it
// data-stream says how it goes: open, lost. Events on document: live:contact {at} (the server has answered: what is shown is as it was then),
// live:swap {old, fresh} (before a fragment is replaced).

const root = document.querySelector("[data-live]");
const ALWAYS = Number(root?.dataset.poll ?? 0) * 1000;
const WITHOUT_STREAM = 10_000;
const PATIENCE = 8_000;
const shown = new Map();
let stream;
let isStreaming = false;
let received = 0;

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`live:${name}`, { detail }));

function contact(at) {
  const state = root.querySelector("[data-live-state]");
  if (state) {
    state.dataset.state = "fresh";
    state.textContent = state.dataset.fresh;
  }
  tell("contact", { at });
}

function lost() {
  const state = root.querySelector("[data-live-state]");
  if (state) {
    state.dataset.state = "lost";
    state.textContent = state.dataset.lost;
  }
}

function swap(fresh) {
  const old = document.getElementById(fresh.id);
  const html = fresh.outerHTML;
  if (!old || (shown.get(fresh.id) ?? old.outerHTML) === html) return;
  tell("swap", { old, fresh });
  old.replaceWith(fresh);
  shown.set(fresh.id, html);
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return template.content.firstElementChild;
}

// The page itself, as it is now: one request for all fragments, also for what only this reader has asked for.
async function ask() {
  const before = received;
  try {
    const response = await fetch(location.href, { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
    if (!response.ok) throw new Error(String(response.status));
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const { live } = page.body.dataset;
    if (live && live !== root.dataset.live) return location.reload(); // now a reader of another stream
    if (before !== received) return; // the stream was faster, and what came is newer
    for (const id of shown.keys()) {
      const fresh = page.getElementById(id);
      if (fresh) swap(document.importNode(fresh, true));
    }
    contact(new Date(response.headers.get("Date") ?? Date.now()));
  } catch {
    if (!isStreaming) lost();
  }
}

function take(event) {
  const { at, parts } = JSON.parse(event.data);
  if (Object.keys(parts).length) received += 1;
  root.dataset.stream = "open";
  for (const html of Object.values(parts)) swap(parsed(html));
  contact(new Date(at));
  if (Object.keys(parts).length && document.querySelector('[data-live-part="page"] > *')) ask();
}

function listen() {
  stream = new EventSource(root.dataset.live);
  stream.onopen = () => (isStreaming = true);
  stream.onmessage = take;
  stream.onerror = () => {
    isStreaming = false;
    root.dataset.stream = "lost";
    // The browser tries again by itself, unless the server has refused.
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, WITHOUT_STREAM);
  };
}

function keepAsking() {
  const due = ALWAYS || !isStreaming;
  if (due && !document.hidden) ask();
  setTimeout(keepAsking, ALWAYS || WITHOUT_STREAM);
}

if (root) {
  for (const part of document.querySelectorAll("[data-live-part]")) shown.set(part.id, part.outerHTML);
  listen();
  setTimeout(keepAsking, ALWAYS || WITHOUT_STREAM);
  document.addEventListener("visibilitychange", () => document.hidden || ask());
}
