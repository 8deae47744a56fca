/* Between the phone and the server: an entry is stored, shown, sent, and leaves the phone only on an answer that
   names its id. Everything else (no network, another page's 200, any 4xx or 5xx) keeps it.

   Listens to `online` and visibility, and knows nothing else of the page. */

import { openStore } from "./store.js";

const MOST_AT_ONCE = 100;
const TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const WATCH_MS = 3_000;
const GLANCE_MS = 10_000;

/** {sheet, entries, link, error, notice, isLasting, isSending}; `changed` is called after every change of it.

    link: "opening", "good", "offline" (no answer, or none of ours), "dead" (no longer let in; `error` says why) or
    "elsewhere" (another tab of this browser has gone to another table).
    entries: not in the sheet, each with `state`: waiting, parked, refused, discarded, or held (an answer that does
    not name it). isLasting: stored so that it survives this page. */
export function openSync(urls, changed) {
  const store = openStore();
  const sync = { sheet: null, entries: [], link: "opening", error: "", notice: "", isLasting: true, isSending: false };
  let failures = 0;
  let timer = null;
  let isTurnNext = false;
  let chain = Promise.resolve();
  let door = null;

  /** One question at a time, so that an older answer never follows a newer one. */
  const inOrder = (work) => (chain = chain.catch(() => {}).then(work));
  const waiting = () => sync.entries.filter((entry) => entry.state === "waiting");
  const isHere = () => !sync.sheet || (store.current() ?? sync.sheet.key) === sync.sheet.key;

  /* -- What the server says --------------------------------------------------------------------------------------- */

  async function ask(url, body) {
    const giveUp = new AbortController();
    const clock = setTimeout(() => giveUp.abort(), TIMEOUT_MS);
    try {
      const answer = await fetch(url, {
        method: body === undefined ? "GET" : "POST",
        headers: body === undefined ? {} : headers(),
        body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-store",
        redirect: "error",
        signal: giveUp.signal,
      });
      const said = await answer.json();
      if (typeof said !== "object" || said === null) throw new TypeError("not ours");
      return { status: answer.status, said };
    } catch {
      return { status: 0, said: {} };
    } finally {
      clearTimeout(clock);
    }
  }

  function headers() {
    const json = { "Content-Type": "application/json" };
    return sync.sheet ? { ...json, "Sheet-Key": sync.sheet.key } : json;
  }

  /** Takes a sheet that is not older than the one shown; whether it was one. */
  async function take(sheet) {
    if (!sheet || !Array.isArray(sheet.entries) || typeof sheet.key !== "string") return false;
    const shown = sync.sheet;
    if (shown?.key !== sheet.key) {
      sync.entries = await store.entries(sheet.key);
    } else if (sheet.entries.length < shown.entries.length || sheet.pen.epoch < shown.pen.epoch) {
      return true;
    }
    sync.sheet = sheet;
    store.keepSheet(sheet);
    const known = new Set(sheet.entries.map((entry) => entry.id));
    await drop(sync.entries.filter((entry) => known.has(entry.id)));
    for (const { id, reason } of sheet.parked.filter((parked) => parked.outcome === "discarded")) {
      const entry = sync.entries.find((one) => one.id === id && one.state === "parked");
      if (entry) await mark(entry, "discarded", { reason });
    }
    return true;
  }

  async function drop(entries) {
    const gone = new Set(entries.map((entry) => entry.id));
    if (!gone.size) return;
    sync.entries = sync.entries.filter((entry) => !gone.has(entry.id));
    for (const id of gone) await store.remove(sync.sheet.key, id);
  }

  async function mark(entry, state, answer) {
    const { reason = "", code = "", params = {} } = answer;
    Object.assign(entry, { state, reason, code, params });
    await store.put(sync.sheet.key, entry);
  }

  function failed({ status, said }) {
    failures += 1;
    const isOurs = typeof said.error === "string";
    sync.link = status === 401 && isOurs ? "dead" : "offline";
    sync.error = isOurs ? said.error : "";
  }

  function succeeded() {
    failures = 0;
    sync.link = "good";
    sync.error = "";
  }

  /* -- Asking ------------------------------------------------------------------------------------------------------ */

  /** Sends what waits, or looks whether something new is there; then plans the next time. */
  function turn() {
    clearTimeout(timer);
    if (isTurnNext) return;
    isTurnNext = true;
    inOrder(async () => {
      isTurnNext = false;
      clearTimeout(timer);
      if (door) await comeIn();
      else if (!isHere()) sync.link = "elsewhere";
      else if (waiting().length) await send();
      else if (document.visibilityState === "visible") await look();
      sync.isSending = false;
      plan();
      changed();
    });
  }

  /** Shows the server the secret, or the cookie that it gave for one. */
  async function comeIn() {
    const { secret, answered } = door;
    if (secret) await leave();
    let answer = await ask(...(secret ? [urls.enter, { secret }] : [urls.sheet]));
    if (!answer.status) return failed(answer);
    door = null;
    answered();
    const refusal = answer.status === 401 ? answer.said.error : "";
    if (secret && refusal) answer = await ask(urls.sheet); // a dead link, but perhaps a phone that was in
    if (answer.status !== 200 || !(await take(answer.said))) {
      failed(answer);
      sync.error = refusal || sync.error;
      return undefined;
    }
    succeeded();
    sync.notice = refusal;
    const { pen, round_state, state } = sync.sheet;
    const isFree = !pen.taken && round_state === "released" && state !== "submitted" && state !== "accepted";
    return isFree ? grabPen() : undefined;
  }

  /** What waits for the table that this phone comes from is sent while its cookie is good. */
  async function leave() {
    for (let before = Infinity; waiting().length && waiting().length < before; ) {
      before = waiting().length;
      await send();
    }
  }

  function plan() {
    clearTimeout(timer);
    const isWriting = sync.sheet?.pen.mine && ["open", "objected"].includes(sync.sheet.state);
    const pause = failures ? backoff() : waiting().length ? 0 : isWriting ? GLANCE_MS : WATCH_MS;
    timer = setTimeout(turn, pause);
  }

  /** 1 to 15 seconds, doubled with every failure; scattered, so that a hall of phones does not knock at once. */
  function backoff() {
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    return Math.max(FIRST_WAIT_MS, longest * (0.5 + Math.random() / 2));
  }

  async function look() {
    const answer = await ask(urls.sheet);
    if (answer.status === 200 && (await take(answer.said))) succeeded();
    else failed(answer);
  }

  async function send(most = MOST_AT_ONCE) {
    const [first] = waiting();
    const { pen_epoch } = first;
    const differs = waiting().findIndex((entry) => entry.pen_epoch !== pen_epoch);
    const batch = waiting().slice(0, Math.min(most, differs < 0 ? most : differs));
    sync.isSending = true;
    changed();
    const entries = batch.map(({ id, kind, data, made_at }) => ({ id, kind, data, made_at }));
    const answer = await ask(urls.entries, { pen_epoch, entries });
    if (answer.status === 200 && (await settle(batch, answer.said))) return succeeded();
    failed(answer);
    const isUnfit = [400, 413].includes(answer.status) && typeof answer.said.error === "string";
    if (!isUnfit) return undefined;
    if (batch.length > 1) return send(Math.floor(batch.length / 2));
    await mark(first, "held", { reason: answer.said.error });
    return succeeded();
  }

  /** What became of each entry of a batch; whether the answer named at least one of them. */
  async function settle(batch, { results, sheet }) {
    if (!Array.isArray(results)) return false;
    const answers = new Map(results.map((result) => [result?.id, result]));
    const named = batch.filter((entry) => answers.has(entry.id));
    const written = named.filter((entry) => ["recorded", "duplicate"].includes(answers.get(entry.id).outcome));
    for (const entry of named) {
      const answer = answers.get(entry.id);
      if (answer.outcome === "refused" || answer.outcome === "parked") await mark(entry, answer.outcome, answer);
    }
    await take(sheet);
    await drop(written);
    return named.length > 0;
  }

  async function grabPen() {
    const answer = await ask(urls.pen, {});
    if (answer.status === 200 && (await take(answer.said))) succeeded();
    else failed(answer);
  }

  /* -- For the page ------------------------------------------------------------------------------------------------ */

  return Object.assign(sync, {
    mode: (key) => store.mode(key),
    keepMode: (key, mode) => store.keepMode(key, mode),

    /** Comes in with the secret of a link, or goes on with the cookie; tries until there is an answer. */
    async open(secret, answered) {
      const before = store.current();
      if (before && store.sheet(before)) {
        sync.sheet = store.sheet(before);
        sync.entries = await store.entries(before);
      }
      door = { secret, answered };
      turn();
    },

    /** From now on this phone writes. */
    takePen: () =>
      inOrder(async () => {
        await grabPen();
        changed();
      }),

    /** Writes an entry down on this phone and sends it as soon as that is possible. */
    async add(kind, data) {
      const number = Math.max(0, ...sync.entries.map((entry) => entry.number)) + 1;
      const made_at = new Date().toISOString();
      const entry = { id: newId(), kind, data, made_at, number, pen_epoch: sync.sheet.pen.epoch, state: "waiting" };
      sync.entries = [...sync.entries, entry];
      sync.isLasting = (await store.put(sync.sheet.key, entry)) && sync.isLasting;
      changed();
      if (!failures) turn();
    },

    /** An entry that was kept back is tried once more. */
    async tryAgain(entry) {
      await mark(entry, "waiting", {});
      changed();
      turn();
    },

    /** An entry that the server has refused or decided on has been read. */
    async dismiss(entry) {
      await drop([entry]);
      changed();
    },

    /** Something has happened that makes a new try worth it. */
    wake: turn,
  });
}

/** 128 random bits as a UUID; crypto.randomUUID is missing on plain http. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
