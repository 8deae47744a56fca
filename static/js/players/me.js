// Who am I? Said once, kept on this phone alone: the number, in its storage, for this tournament. What a tab tells
// about me is a part of its own, fetched anew when the standings or my table change; my row, table and seat are marked.
// Without storage, and without script, the links lead to ?me=…, which does the same by hand.

import "../old_browsers.js";

const slot = document.getElementById("mine");
const CLUB = location.pathname.split("/t/")[0]; // where clubs share a host
const KEY = `me:${CLUB}${slot?.dataset.tournament}`;
const SPREAD = 600; // sixty phones do not ask in the same moment
const PATIENCE = 8_000;
let due;
let isAsking = false;
let again = false; // something has changed while we were asking
let isStale = false; // there was no answer

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

// Says whether it will be known when the page is opened again.
function remember(number) {
  try {
    localStorage.setItem(KEY, number);
    return true;
  } catch {
    return false;
  }
}

function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // nothing was kept
  }
}

const shown = () => document.getElementById("me");
const number = () => remembered() ?? shown()?.dataset.number ?? slot.dataset.number;

// My row of the standings, and my table, which comes first where all are shown.
function mark() {
  for (const one of document.querySelectorAll("[data-live-part] [data-mine]")) delete one.dataset.mine;
  const table = myTable();
  const seat = table?.querySelector(`[data-player="${Number(number())}"]`);
  for (const one of [document.getElementById(`p${Number(number())}`), table, seat]) if (one) one.dataset.mine = "true";
  if (table && !table.closest("details")) table.parentElement.prepend(table);
}

const myTable = () => number() && document.querySelector(`#seating [data-player="${Number(number())}"]`)?.closest(".table-card");
const myTableSays = () => myTable()?.innerHTML.replace(/ data-(?:mine|has-\w+)="\w*"/g, "");

function put(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  const fresh = template.content.firstElementChild;
  if (fresh?.id !== "me") throw new Error("somebody else's page"); // of a network that wants a log-in
  // A form that is open is being filled in: it is not touched, and what is around it is new.
  const isSame = shown()?.dataset.number === fresh.dataset.number;
  const open = isSame && shown().querySelector(":scope > details[open]");
  const place = fresh.querySelector(":scope > details");
  // Nor are the numbers of a picture that are being read closed.
  const read = isSame ? shown().querySelectorAll("details[open][id]") : [];
  for (const { id } of read) fresh.querySelector(`#${id}`)?.setAttribute("open", "");
  if (open && place) renewAround(open, place);
  else slot.replaceChildren(fresh);
}

// Not taken out even for a moment: whoever writes there keeps the keyboard.
function renewAround(kept, place) {
  const nodes = [...place.parentNode.childNodes];
  const at = nodes.indexOf(place);
  for (const other of [...kept.parentNode.childNodes]) if (other !== kept) other.remove();
  kept.before(...nodes.slice(0, at));
  kept.after(...nodes.slice(at + 1));
}

async function ask() {
  const wanted = number();
  again = isAsking;
  if (!wanted || !slot.dataset.address || isAsking) return;
  isAsking = true;
  isStale = false;
  try {
    const address = slot.dataset.address.replace("/0/", `/${encodeURIComponent(wanted)}/`);
    const response = await fetch(address, { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
    if (wanted !== number()) again = true;
    else if (response.ok) put(await response.text());
    else if ([404, 410].includes(response.status)) slot.replaceChildren();
    else isStale = true;
  } catch {
    isStale = true; // asked again as soon as the server is heard of
  } finally {
    isAsking = false;
  }
  if (again) askSoon();
}

function askSoon() {
  due = due ?? setTimeout(() => {
    due = undefined;
    ask();
  }, Math.random() * SPREAD);
}

// Which round, how far it is, and who sits where: a stroke at another table is nothing to ask about.
const texts = (seating) => [...seating.querySelectorAll("h2, :scope > p")].map((one) => one.textContent);
const seats = (seating) => [...texts(seating), myTableSays()].join();

async function itIsMe(event, link) {
  if (!remember(link.dataset.me)) return; // the link itself leads there
  event.preventDefault();
  // What was looked for is found: it need not stand there twice.
  history.replaceState(null, "", location.pathname);
  document.getElementById("q").value = "";
  document.getElementById("answer").replaceChildren();
  mark();
  await ask();
  document.getElementById("me-title")?.focus();
}

function itIsNotMe(event) {
  forget();
  if (new URLSearchParams(location.search).has("me")) return; // the link leads to the page without it
  event.preventDefault();
  slot.replaceChildren();
  mark();
  document.getElementById("q").focus();
}

// Whether more is shown of each player, for this visit.
const MORE = "standings-more";

function keepMore() {
  const more = document.getElementById(MORE);
  if (!more) return;
  try {
    more.open = Boolean(sessionStorage.getItem(MORE));
    document.addEventListener("toggle", ({ target }) => target.id === MORE && sessionStorage.setItem(MORE, target.open ? "1" : ""), true);
  } catch {
    // without storage it is opened anew
  }
}

if (slot) {
  keepMore();
  if (remembered()) ask();
  mark();
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-me], [data-forget]");
    if (!link) return;
    if (link.matches("[data-me]")) itIsMe(event, link);
    else itIsNotMe(event);
  });
  let seatsBefore;
  document.addEventListener("live:before", ({ detail: { part } }) => {
    if (part.id === "seating") seatsBefore = seats(part);
  });
  document.addEventListener("live:after", ({ detail: { part } }) => {
    if (part.id === "standings" || (part.id === "seating" && seats(part) !== seatsBefore)) askSoon();
    mark();
  });
  document.addEventListener("live:contact", () => isStale && askSoon());
}
