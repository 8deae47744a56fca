/* Between the phone and the server: an entry is stored, shown, sent, and leaves the phone only on an answer that
   names its id. Everything else (no network, another page's 200, any 4xx or 5xx) keeps it. What a server has answered,
   but lost with its machine, is sent again by the phone that writes.

   Knows nothing of the page but whether it can be seen. */

import { openStore } from "./store.js";

const MOST_AT_ONCE = 100;
const TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const WATCH_MS = 3_000;
const GLANCE_MS = 5_000;

const TOO_EARLY = "waits_for_sign";
const KEEP_TRYING = new Set([408, 409, 425, 429]);

/** {sheet, entries, others, mode, link, status, error, notice, isLasting, isMoving, isSending, edition}; `changed` is called
    after every change of it.

    link: "opening"; "good"; "offline" (no answer); "foreign" (an answer, but not from the tournament: a network that
    wants a log-in first); "busy" (409, 429, 5xx); "refused" (any other 4xx, `error` may say why); "dead" (no longer
    let in); "elsewhere" (another tab of this browser has gone to another table).
    entries: of this phone and not in the sheet, each with `state`: waiting, refused (one the server has judged), or
    held (one that the server could not read, or that came before the sign to start). What is parked is in the sheet and has left the phone.
    others: entries that another sheet never got, [{sheet, entries}]. isLasting: all is stored so that it survives
    this page. isMoving: `sheet` is the one that this phone comes from, for the link of another was opened.
    storing: how many entries are being written down and not shown yet. tournament: that of the link that was refused,
    where the server names it, as its round is over. edition: of the program, as the server has named it last. */
export function openSync(urls, changed) {
  const store = openStore();
  const sync = {
    sheet: null, entries: [], others: [], mode: null, link: "opening", status: 0, error: "", notice: "",
    isLasting: true, isMoving: false, isSending: false, storing: 0, tournament: "", edition: "",
  };
  let failures = 0;
  let askedToWait = 0;
  let timer = null;
  let isTurnNext = false;
  let chain = Promise.resolve();
  let door = null;
  let codeRefused = ""; // why the code that was scanned last lets nobody in
  let giveUp = null;

  /** One question at a time, so that an older answer never follows a newer one. */
  const inOrder = (work) => (chain = chain.catch(() => {}).then(work));
  const waiting = () => sync.entries.filter((entry) => entry.state === "waiting");
  const isHere = async () => !sync.sheet || ((await store.current()) ?? sync.sheet.key) === sync.sheet.key;

  /* -- What the server says --------------------------------------------------------------------------------------- */

  /** {status, said, wait}: status 0 without an answer; said is {} where it is not JSON as our server gives it; wait is
      what the server asks for before the next try, in milliseconds. */
  async function ask(url, body) {
    giveUp = new AbortController();
    const clock = setTimeout(() => giveUp.abort(), TIMEOUT_MS);
    try {
      const answer = await fetch(url, {
        method: body === undefined ? "GET" : "POST",
        headers: body === undefined ? {} : headers(),
        body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-store",
        redirect: "manual",
        signal: giveUp.signal,
      });
      const text = await answer.text();
      const wait = 1_000 * Number(answer.headers.get("Retry-After")) || 0;
      sync.edition = answer.headers.get("Sheet-Page") ?? sync.edition;
      return { status: answer.status || 302, said: readable(text), wait };
    } catch {
      return { status: 0, said: {}, wait: 0 };
    } finally {
      clearTimeout(clock);
    }
  }

  function headers() {
    const json = { "Content-Type": "application/json" };
    return sync.sheet ? { ...json, "Sheet-Key": sync.sheet.key } : json;
  }

  /** Takes a sheet; whether it was one. */
  async function take(sheet) {
    if (!sheet || !Array.isArray(sheet.entries) || typeof sheet.key !== "string") return false;
    const shown = sync.sheet;
    if (shown?.key !== sheet.key) await moveTo(sheet.key);
    else if (shown.pen.mine) await bringBack(shown, sheet);
    sync.sheet = sheet;
    await store.keepSheet(sheet);
    const arrived = new Set([...sheet.entries, ...sheet.parked].map((entry) => entry.id));
    await drop(sync.entries.filter((entry) => arrived.has(entry.id)));
    return true;
  }

  /** Entries that the server had, and has no more, wait again, in front of the others. A log never shrinks otherwise. */
  async function bringBack(shown, sheet) {
    const known = new Set([...sheet.entries, ...sheet.parked, ...sync.entries].map((entry) => entry.id));
    const lost = shown.entries.filter((entry) => entry.by === "scribe" && !known.has(entry.id));
    const first = Math.min(1, ...sync.entries.map((entry) => entry.number)) - lost.length;
    const again = lost.map(({ id, kind, data, made_at }, place) => ({
      id, sheet: sheet.key, kind, data, made_at: made_at ?? new Date().toISOString(),
      pen_epoch: shown.pen.epoch, state: "waiting", number: first + place,
    }));
    for (const entry of again) await store.put(entry);
    sync.entries = [...again, ...sync.entries];
  }

  async function moveTo(key) {
    sync.entries = await store.entries(key);
    sync.others = await store.others(key);
    sync.mode = await store.mode(key);
  }

  async function drop(entries) {
    const gone = new Set(entries.map((entry) => entry.id));
    if (!gone.size) return;
    sync.entries = sync.entries.filter((entry) => !gone.has(entry.id));
    for (const entry of entries) await store.remove(entry);
    sync.isLasting = store.isLasting();
  }

  async function mark(entry, state, answer) {
    const { reason = "", code = "", params = {} } = answer;
    Object.assign(entry, { state, reason, code, params });
    await store.put(entry);
    sync.isLasting = store.isLasting();
  }

  function failed({ status, said, wait }) {
    failures += 1;
    askedToWait = Math.min(wait, LONGEST_WAIT_MS);
    sync.error = typeof said.error === "string" ? said.error : "";
    sync.link = meaning(status, sync.error);
    if (sync.link === "dead") sync.error = codeRefused || sync.error;
    sync.status = status;
  }

  function succeeded() {
    failures = 0;
    Object.assign(sync, { link: "good", error: "", status: 200 });
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
      try {
        if (door) await comeIn();
        else if (!(await isHere())) sync.link = "elsewhere";
        else if (waiting().length) await send();
        else if (document.visibilityState === "visible") await look();
      } finally {
        sync.isSending = false;
        plan();
        changed();
      }
    });
  }

  /** Shows the server the secret, or the cookie that it gave for one. */
  async function comeIn() {
    const { secret, answered } = door;
    if (secret) await leave();
    let answer = await ask(...(secret ? [urls.enter, { secret }] : [urls.sheet]));
    const isOurs = answer.status === 200 || answer.status === 401;
    if (!isOurs || !(answer.said.error || answer.said.key)) return failed(answer);
    door = null;
    sync.isMoving = false;
    answered();
    const refusal = answer.status === 401 ? answer.said.error : "";
    codeRefused = secret ? refusal : "";
    sync.tournament = answer.said.tournament ?? "";
    if (secret && refusal) answer = await ask(urls.sheet); // a dead link, but perhaps a phone that was in
    if (answer.status !== 200 || !(await take(answer.said))) {
      failed(answer);
      sync.error = refusal || sync.error;
      return undefined;
    }
    succeeded();
    sync.notice = refusal;
    await sendHeld();
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

  /** 1 to 15 seconds, doubled with every failure, and not sooner than the server asks for; scattered, so that a hall of
      phones does not knock at once. */
  function backoff() {
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    return Math.max(FIRST_WAIT_MS, askedToWait, longest * (0.5 + Math.random() / 2));
  }

  async function look() {
    const answer = await ask(urls.sheet);
    if (answer.status !== 200 || !(await take(answer.said))) return failed(answer);
    succeeded();
    return sync.sheet.waits_for_sign ? undefined : sendHeld((entry) => entry.code === TOO_EARLY);
  }

  /** What was kept back waits again, all of it or what fits. */
  async function sendHeld(fits = () => true) {
    for (const entry of sync.entries.filter((one) => one.state === "held" && fits(one))) await mark(entry, "waiting", {});
  }

  /** An epoch that the server does not know was lost with its machine: the pen is taken anew. Whether that was answered. */
  async function renewEpochs() {
    const isLost = (entry) => entry.pen_epoch > sync.sheet.pen.epoch;
    if (!waiting().some(isLost)) return true;
    if (!sync.sheet.pen.mine) await grabPen();
    if (failures) return false;
    for (const entry of sync.sheet.pen.mine ? waiting().filter(isLost) : []) {
      entry.pen_epoch = sync.sheet.pen.epoch;
      await store.put(entry);
    }
    return true;
  }

  async function send(most = MOST_AT_ONCE) {
    if (!(await renewEpochs())) return undefined;
    const [first] = waiting();
    const { pen_epoch } = first;
    const differs = waiting().findIndex((entry) => entry.pen_epoch !== pen_epoch);
    const batch = waiting().slice(0, Math.min(most, differs < 0 ? most : differs));
    sync.isSending = true;
    changed();
    const entries = batch.map(({ id, kind, data, made_at }) => ({ id, kind, data, made_at }));
    const answer = await ask(urls.entries, { pen_epoch, entries });
    if (answer.status === 200 && (await settle(batch, answer.said))) return succeeded();
    const isUnfit = answer.status === 413 || (answer.status === 400 && answer.said.error);
    if (!isUnfit) return failed(answer);
    if (batch.length > 1) return send(Math.floor(batch.length / 2));
    await mark(first, "held", { reason: answer.said.error });
    return succeeded();
  }

  /** What became of each entry of a batch; whether the answer named them all. */
  async function settle(batch, { results, sheet }) {
    if (!Array.isArray(results)) return false;
    const answers = new Map(results.map((result) => [result?.id, result]));
    const outcomeOf = (entry) => answers.get(entry.id)?.outcome;
    for (const entry of batch.filter((one) => outcomeOf(one) === "refused")) {
      const answer = answers.get(entry.id);
      await mark(entry, answer.code === TOO_EARLY ? "held" : "refused", answer);
    }
    if (await take(sheet)) await drop(batch.filter((one) => ["recorded", "duplicate", "parked"].includes(outcomeOf(one))));
    return batch.every((entry) => entry.state !== "waiting" || !sync.entries.includes(entry));
  }

  /** A 409 of ours is an answer too: the supervisor is asked first, or the round is over. */
  async function grabPen() {
    const answer = await ask(urls.pen, {});
    const isTaken = answer.status === 200 && (await take(answer.said));
    if (isTaken || (answer.status === 409 && answer.said.error)) succeeded();
    else failed(answer);
    if (answer.status === 409) sync.notice = sync.notice || (answer.said.error ?? "");
  }

  /* -- For the page ------------------------------------------------------------------------------------------------ */

  return Object.assign(sync, {
    keepMode(key, mode) {
      sync.mode = mode;
      store.keepMode(key, mode);
    },

    /** Comes in with the secret of a link, or goes on with the cookie; tries until there is an answer. */
    async open(secret, answered) {
      const before = await store.lastSheet();
      if (before) {
        await moveTo(before.key);
        sync.sheet = before;
        sync.isMoving = Boolean(secret) && !secret.startsWith(`${before.key}-`);
      }
      changed();
      door = { secret, answered };
      turn();
    },

    /** From now on this phone writes, or `notice` says why not; false without an answer. What it has not sent yet
        goes first, under the pen it was written with. */
    takePen: () =>
      inOrder(async () => {
        sync.notice = "";
        if (waiting().length) await leave();
        await grabPen();
        plan();
        changed();
        return sync.link === "good";
      }),

    /** The scribe's office goes to the player of this seat, with the consent of all: {}, or {error}, "" without an answer. */
    giveOffice: (seat_number) =>
      inOrder(async () => {
        const { status, said } = await ask(urls.scribe, { seat_number, agreed: true });
        return status === 200 && (await take(said)) ? {} : { error: said.error ?? "" };
      }),

    /** The supervisor is called, or need not come: {}, or {error}, "" without an answer. */
    call: (called) =>
      inOrder(async () => {
        const { status, said } = await ask(urls.call, { called });
        return status === 200 && (await take(said)) ? {} : { error: said.error ?? "" };
      }),

    /** The player of a seat is missing, or found (seat 0: only to ask): {seats}, or {error}, "" without an answer. */
    missing: (seat_number, missing) =>
      inOrder(async () => {
        const { status, said } = await ask(urls.missing, { seat_number, missing });
        return status === 200 && said.missing ? { seats: said.missing } : { error: said.error ?? "" };
      }),

    /** A player's confirmation or objection to what is shown, without the pen: {}, or {error}, "" without an answer. */
    speak: (kind, data, id = newId()) =>
      inOrder(async () => {
        const entry = { id, kind, data, made_at: new Date().toISOString() };
        const { status, said } = await ask(urls.own, { seen: sync.sheet.entries.length, entry });
        return status === 200 && (await take(said)) ? {} : { error: said.error ?? "" };
      }),

    /** The table's link as a picture, for another phone: {url, picture}, or {error}. */
    askForLink: () =>
      inOrder(async () => {
        const { status, said } = await ask(urls.link, {});
        return status === 200 && said.picture ? said : { error: said.error ?? "" };
      }),

    /** Writes an entry down on this phone, then shows it, and sends it as soon as that is possible. */
    async add(kind, data) {
      const { key, pen } = sync.sheet;
      const made_at = new Date().toISOString();
      const entry = { id: newId(), sheet: key, kind, data, made_at, pen_epoch: pen.epoch, state: "waiting" };
      sync.storing += 1;
      await store.put(entry);
      sync.storing -= 1;
      sync.isLasting = store.isLasting();
      sync.entries = [...sync.entries, entry].sort((one, other) => one.number - other.number);
      changed();
      if (!failures) turn();
    },

    /** An entry that was kept back is tried once more. */
    async tryAgain(entry) {
      await mark(entry, "waiting", {});
      changed();
      turn();
    },

    /** Entries that the server has refused, or that another sheet never got, have been seen and may go. */
    async dismiss(...entries) {
      const gone = new Set(entries.map((entry) => entry.id));
      await drop(entries);
      sync.others = sync.others.filter((other) => !other.entries.every((entry) => gone.has(entry.id)));
      changed();
    },

    /** Something has happened that makes a new try worth it. `isNetworkNew`: what is under way will not be answered. */
    wake({ isNetworkNew = false } = {}) {
      if (isNetworkNew && failures) giveUp?.abort();
      turn();
    },
  });
}

/** What an answer that was not hoped for says about the link. `sentence`: the server's own, "" if it is not ours. */
function meaning(status, sentence) {
  if (status === 0) return "offline";
  if (status >= 500 || KEEP_TRYING.has(status)) return "busy";
  if (status < 400) return "foreign";
  return status === 401 && sentence ? "dead" : "refused";
}

/** The object that an answer holds; {} if it is another page's. */
function readable(text) {
  try {
    const said = JSON.parse(text);
    return said !== null && typeof said === "object" ? said : {};
  } catch {
    return {};
  }
}

/** 128 random bits as a UUID; crypto.randomUUID is missing on plain http. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
