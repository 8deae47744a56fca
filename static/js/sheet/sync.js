/* Between the phone and the server: an entry is stored, shown, sent, and leaves the phone only on an answer that
   names its id. Everything else (no network, another page's 200, any 4xx or 5xx) keeps it. What a server has answered,
   but lost with its machine, is sent again by the phone that writes.

   Knows nothing of the page but whether it can be seen. */

import { Server, meaning } from "./server.js";
import { byNumber, Store } from "./store.js";

const MOST_AT_ONCE = 100;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const WATCH_MS = 3_000;
const GLANCE_MS = 5_000;

const TOO_EARLY = "waits_for_sign";

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
export class Sync {
  constructor(urls, changed) {
    Object.assign(this, {
      sheet: null, entries: [], others: [], mode: null, link: "opening", status: 0, error: "", notice: "",
      isLasting: true, isMoving: false, isSending: false, storing: 0, tournament: "",
    });
    Object.assign(this, { urls, changed, server: new Server(), store: new Store(), timer: null, isTurnNext: false });
    this.failures = 0;
    this.askedToWait = 0;
    this.chain = Promise.resolve();
    this.door = null;
    this.codeRefused = ""; // why the code that was scanned last lets nobody in
  }

  get edition() {
    return this.server.edition;
  }

  /** One question at a time, so that an older answer never follows a newer one. */
  inOrder(work) {
    this.chain = this.chain.catch(() => {}).then(work);
    return this.chain;
  }

  waiting() {
    return this.entries.filter((entry) => entry.state === "waiting");
  }

  async isHere() {
    return !this.sheet || ((await this.store.current()) ?? this.sheet.key) === this.sheet.key;
  }

  /* -- What the server says --------------------------------------------------------------------------------------- */

  ask(url, body) {
    return this.server.ask(url, body, this.sheet?.key);
  }

  /** Takes a sheet; whether it was one. */
  async take(sheet) {
    if (!sheet || !Array.isArray(sheet.entries) || typeof sheet.key !== "string") return false;
    const shown = this.sheet;
    if (shown?.key !== sheet.key) await this.moveTo(sheet.key);
    else if (shown.pen.mine) await this.bringBack(shown, sheet);
    this.sheet = sheet;
    await this.store.keepSheet(sheet);
    const arrived = new Set([...sheet.entries, ...sheet.parked].map((entry) => entry.id));
    await this.drop(this.entries.filter((entry) => arrived.has(entry.id)));
    return true;
  }

  /** Entries that the server had, and has no more, wait again, in front of the others. A log never shrinks otherwise. */
  async bringBack(shown, sheet) {
    const known = new Set([...sheet.entries, ...sheet.parked, ...this.entries].map((entry) => entry.id));
    const lost = shown.entries.filter((entry) => entry.by === "scribe" && !known.has(entry.id));
    const first = Math.min(1, ...this.entries.map((entry) => entry.number)) - lost.length;
    const again = lost.map(({ id, kind, data, made_at }, place) => ({
      id, sheet: sheet.key, kind, data, made_at: made_at ?? new Date().toISOString(),
      pen_epoch: shown.pen.epoch, state: "waiting", number: first + place,
    }));
    for (const entry of again) await this.store.put(entry);
    this.entries = [...again, ...this.entries];
  }

  async moveTo(key) {
    this.entries = await this.store.entries(key);
    this.others = await this.store.others(key);
    this.mode = await this.store.mode(key);
  }

  /** Entries that the browser was too slow to hand out when the page opened. */
  async readLate() {
    const stored = await this.store.entries(this.sheet.key);
    const known = new Set(this.entries.map((entry) => entry.id));
    this.entries = [...this.entries, ...stored.filter((entry) => !known.has(entry.id))].sort(byNumber);
  }

  async drop(entries) {
    const gone = new Set(entries.map((entry) => entry.id));
    if (!gone.size) return;
    this.entries = this.entries.filter((entry) => !gone.has(entry.id));
    for (const entry of entries) await this.store.remove(entry);
    this.isLasting = this.store.isLasting();
  }

  async mark(entry, state, answer) {
    const { reason = "", code = "", params = {} } = answer;
    Object.assign(entry, { state, reason, code, params });
    await this.store.put(entry);
    this.isLasting = this.store.isLasting();
  }

  failed({ status, said, wait }) {
    this.failures += 1;
    this.askedToWait = Math.min(wait, LONGEST_WAIT_MS);
    this.error = typeof said.error === "string" ? said.error : "";
    this.link = meaning(status, this.error);
    if (this.link === "dead") this.error = this.codeRefused || this.error;
    this.status = status;
  }

  succeeded() {
    this.failures = 0;
    Object.assign(this, { link: "good", error: "", status: 200 });
  }

  /* -- Asking ------------------------------------------------------------------------------------------------------ */

  /** Sends what waits, or looks whether something new is there; then plans the next time. */
  turn() {
    clearTimeout(this.timer);
    if (this.isTurnNext) return;
    this.isTurnNext = true;
    this.inOrder(async () => {
      this.isTurnNext = false;
      clearTimeout(this.timer);
      try {
        if (this.store.isUnread) await this.readLate(); // first, for they go before what was written since
        if (this.door) await this.comeIn();
        else if (!(await this.isHere())) this.link = "elsewhere";
        else if (this.waiting().length) await this.send();
        else if (document.visibilityState === "visible") await this.look();
      } finally {
        this.isSending = false;
        this.isLasting = this.store.isLasting(); // what was stored late is safe, too
        this.plan();
        this.changed();
      }
    });
  }

  /** Shows the server the secret, or the cookie that it gave for one. */
  async comeIn() {
    const { secret, answered } = this.door;
    if (!this.sheet) await this.recall(secret); // at each try: the browser may have been slow before
    if (secret) await this.leave();
    let answer = await this.ask(...(secret ? [this.urls.enter, { secret }] : [this.urls.sheet]));
    const isOurs = answer.status === 200 || answer.status === 401;
    if (!isOurs || !(answer.said.error || answer.said.key)) return this.failed(answer);
    this.door = null;
    this.isMoving = false;
    answered();
    const refusal = answer.status === 401 ? answer.said.error : "";
    this.codeRefused = secret ? refusal : "";
    this.tournament = answer.said.tournament ?? "";
    if (secret && refusal) answer = await this.ask(this.urls.sheet); // a dead link, but perhaps a phone that was in
    if (answer.status !== 200 || !(await this.take(answer.said))) {
      this.failed(answer);
      this.error = refusal || this.error;
      return undefined;
    }
    this.succeeded();
    this.notice = refusal;
    await this.sendHeld();
    const { pen, round_state, state } = this.sheet;
    const isFree = !pen.taken && round_state === "released" && state !== "submitted" && state !== "accepted";
    return isFree ? this.grabPen() : undefined;
  }

  /** What waits for the table that this phone comes from is sent while its cookie is good. */
  async leave() {
    for (let before = Infinity; this.waiting().length && this.waiting().length < before; ) {
      before = this.waiting().length;
      await this.send();
    }
  }

  plan() {
    clearTimeout(this.timer);
    const isWriting = this.sheet?.pen.mine && ["open", "objected"].includes(this.sheet.state);
    const pause = this.failures ? this.backoff() : this.waiting().length ? 0 : isWriting ? GLANCE_MS : WATCH_MS;
    this.timer = setTimeout(this.turn.bind(this), pause);
  }

  /** 1 to 15 seconds, doubled with every failure, and not sooner than the server asks for; scattered, so that a hall of
      phones does not knock at once. */
  backoff() {
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.failures);
    return Math.max(FIRST_WAIT_MS, this.askedToWait, longest * (0.5 + Math.random() / 2));
  }

  async look() {
    const answer = await this.ask(this.urls.sheet);
    if (answer.status !== 200 || !(await this.take(answer.said))) return this.failed(answer);
    this.succeeded();
    return this.sheet.waits_for_sign ? undefined : this.sendHeld((entry) => entry.code === TOO_EARLY);
  }

  /** What was kept back waits again, all of it or what fits. */
  async sendHeld(fits = () => true) {
    for (const entry of this.entries.filter((one) => one.state === "held" && fits(one))) await this.mark(entry, "waiting", {});
  }

  /** An epoch that the server does not know was lost with its machine: the pen is taken anew. Whether that was answered. */
  async renewEpochs() {
    const isLost = (entry) => entry.pen_epoch > this.sheet.pen.epoch;
    if (!this.waiting().some(isLost)) return true;
    if (!this.sheet.pen.mine) await this.grabPen();
    if (this.failures) return false;
    for (const entry of this.sheet.pen.mine ? this.waiting().filter(isLost) : []) {
      entry.pen_epoch = this.sheet.pen.epoch;
      await this.store.put(entry);
    }
    return true;
  }

  async send(most = MOST_AT_ONCE) {
    if (!(await this.renewEpochs())) return undefined;
    const [first] = this.waiting();
    const { pen_epoch } = first;
    const differs = this.waiting().findIndex((entry) => entry.pen_epoch !== pen_epoch);
    const batch = this.waiting().slice(0, Math.min(most, differs < 0 ? most : differs));
    this.isSending = true;
    this.changed();
    const entries = batch.map(({ id, kind, data, made_at }) => ({ id, kind, data, made_at }));
    const answer = await this.ask(this.urls.entries, { pen_epoch, entries });
    if (answer.status === 200 && (await this.settle(batch, answer.said))) return this.succeeded();
    const isUnfit = answer.status === 413 || (answer.status === 400 && answer.said.error);
    if (!isUnfit) return this.failed(answer);
    if (batch.length > 1) return this.send(Math.floor(batch.length / 2));
    await this.mark(first, "held", { reason: answer.said.error });
    return this.succeeded();
  }

  /** What became of each entry of a batch; whether the answer named them all. */
  async settle(batch, { results, sheet }) {
    if (!Array.isArray(results)) return false;
    const answers = new Map(results.map((result) => [result?.id, result]));
    const outcomeOf = (entry) => answers.get(entry.id)?.outcome;
    for (const entry of batch.filter((one) => outcomeOf(one) === "refused")) {
      const answer = answers.get(entry.id);
      await this.mark(entry, answer.code === TOO_EARLY ? "held" : "refused", answer);
    }
    if (await this.take(sheet)) await this.drop(batch.filter((one) => ["recorded", "duplicate", "parked"].includes(outcomeOf(one))));
    return batch.every((entry) => entry.state !== "waiting" || !this.entries.includes(entry));
  }

  /** A 409 of ours is an answer too: the supervisor is asked first, or the round is over. */
  async grabPen() {
    const answer = await this.ask(this.urls.pen, {});
    const isTaken = answer.status === 200 && (await this.take(answer.said));
    if (isTaken || (answer.status === 409 && answer.said.error)) this.succeeded();
    else this.failed(answer);
    if (answer.status === 409) this.notice = this.notice || (answer.said.error ?? "");
  }

  /* -- For the page ------------------------------------------------------------------------------------------------ */

  keepMode(key, mode) {
    this.mode = mode;
    this.store.keepMode(key, mode);
  }

  /** Comes in with the secret of a link, or goes on with the cookie; tries until there is an answer. */
  open(secret, answered) {
    this.door = { secret, answered };
    this.turn();
  }

  /** Shows the sheet that this browser was at last, as it was. */
  async recall(secret) {
    const before = await this.store.lastSheet();
    if (!before) return;
    await this.moveTo(before.key);
    this.sheet = before;
    this.isMoving = Boolean(secret) && !secret.startsWith(`${before.key}-`);
    this.changed();
  }

  /** From now on this phone writes, or `notice` says why not; false without an answer. What it has not sent yet
      goes first, under the pen it was written with. */
  takePen() {
    return this.inOrder(async () => {
      this.notice = "";
      if (this.waiting().length) await this.leave();
      await this.grabPen();
      this.plan();
      this.changed();
      return this.link === "good";
    });
  }

  /** Sends what `bodyOf` answers when it is this question's turn, and takes the sheet as it is then: {}, or {error}, "" without
      an answer. */
  change(url, bodyOf) {
    return this.inOrder(async () => {
      const { status, said } = await this.ask(url, bodyOf());
      return status === 200 && (await this.take(said)) ? {} : { error: said.error ?? "" };
    });
  }

  /** The scribe's office goes to the player of this seat, with the consent of all. */
  giveOffice(seat_number) {
    return this.change(this.urls.scribe, () => ({ seat_number, agreed: true }));
  }

  /** The supervisor is called, or need not come. */
  call(called) {
    return this.change(this.urls.call, () => ({ called }));
  }

  /** A player's confirmation or objection to what is shown, without the pen. */
  speak(kind, data) {
    const entry = { id: newId(), kind, data, made_at: new Date().toISOString() };
    return this.change(this.urls.own, () => ({ seen: this.sheet.entries.length, entry }));
  }

  /** The player of a seat is missing, or found (seat 0: only to ask): {seats}, or {error}, "" without an answer. */
  missing(seat_number, missing) {
    return this.inOrder(async () => {
      const { status, said } = await this.ask(this.urls.missing, { seat_number, missing });
      return status === 200 && said.missing ? { seats: said.missing } : { error: said.error ?? "" };
    });
  }

  /** The table's link as a picture, for another phone: {url, picture}, or {error}. */
  askForLink() {
    return this.inOrder(async () => {
      const { status, said } = await this.ask(this.urls.link, {});
      return status === 200 && said.picture ? said : { error: said.error ?? "" };
    });
  }

  /** Writes an entry down on this phone, then shows it, and sends it as soon as that is possible. */
  async add(kind, data) {
    const { key, pen } = this.sheet;
    const made_at = new Date().toISOString();
    const entry = { id: newId(), sheet: key, kind, data, made_at, pen_epoch: pen.epoch, state: "waiting" };
    this.storing += 1;
    await this.store.put(entry);
    this.storing -= 1;
    this.isLasting = this.store.isLasting();
    this.entries = [...this.entries.filter(({ id }) => id !== entry.id), entry].sort(byNumber);
    this.changed();
    if (!this.failures) this.turn();
  }

  /** An entry that was kept back is tried once more. */
  async tryAgain(entry) {
    await this.mark(entry, "waiting", {});
    this.changed();
    this.turn();
  }

  /** Entries that the server has refused, or that another sheet never got, have been seen and may go. */
  async dismiss(...entries) {
    const gone = new Set(entries.map((entry) => entry.id));
    await this.drop(entries);
    this.others = this.others.filter((other) => !other.entries.every((entry) => gone.has(entry.id)));
    this.changed();
  }

  /** Something has happened that makes a new try worth it. `isNetworkNew`: what is under way will not be answered. */
  wake({ isNetworkNew = false } = {}) {
    if (isNetworkNew && this.failures) this.server.giveUp?.abort();
    this.turn();
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
