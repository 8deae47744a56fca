/* What is written on the sheet: an entry is checked, stored and read aloud; taps meanwhile wait for it. */

import { append } from "../replay.js";

export const TWICE_MS = 500;
const NO_ID = "00000000-0000-4000-8000-000000000000";

/** `view`: see ../view.js. */
export class Writing {
  constructor(view) {
    Object.assign(this, { view, taps: [], isWriting: false, last: { what: "", at: 0 } });
  }

  /** The tap at once, or as soon as the entry that is being stored is shown: it means the sheet as it then stands. */
  inTurn(tap) {
    return () => (this.isWriting ? this.taps.push(tap) : tap());
  }

  /** Why this entry cannot follow now; null if it can. */
  refusalOf(kind, data) {
    const { log } = this.view.page;
    try {
      append(log, { id: NO_ID, kind, data, by: "scribe" });
      const seats = kind === "submitted" ? log.to_confirm : [];
      return seats.length ? { code: "confirmations_missing", params: { seats } } : null;
    } catch (refusal) {
      if (!refusal.code) throw refusal;
      return refusal;
    }
  }

  /** The second of two quick taps that mean the same, `once`, writes nothing. */
  write(what, data, { once = "" } = {}) {
    if (once && once === this.last.what && this.isJustWritten()) return;
    this.last = { what: once, at: performance.now(), isFact: what === "deal" || what === "ranked" };
    const refusal = this.refusalOf(what, data);
    if (refusal) this.view.complain(this.view.words.refuse(refusal));
    else this.store(what, data);
  }

  isJustWritten() {
    return performance.now() - this.last.at < TWICE_MS;
  }

  store(what, data) {
    const { view } = this;
    view.clear();
    const said = this.saidOf(what, data);
    navigator.vibrate?.(12);
    this.isWriting = true;
    view.sync.add(what, data).finally(() => {
      this.isWriting = false;
      view.announce(said);
      while (this.taps.length && !this.isWriting) this.taps.shift()();
    });
    view.header.draw();
  }

  saidOf(kind, data) {
    const { page, words } = this.view;
    const entry = kind === "voided" ? page.log.entries.find((one) => one.id === data.entry) : null;
    if (entry) return words.say("taken_back", { what: page.read(entry) });
    return page.read({ kind, data }, kind === "deal" ? page.log.facts.filter((fact) => fact.kind === "deal").length + 1 : null);
  }

  /* -- Taking back ---------------------------------------------------------------------------------------------------- */

  takeBack(entry_id) {
    this.write("voided", { entry: entry_id }, { once: "voided" });
  }

  /** What was written last and still counts, an objection too; a mark is the supervisor's. */
  newest() {
    const { entries, facts, objections } = this.view.page.log;
    const standing = new Map([...facts.filter((fact) => fact.kind !== "approved"), ...objections].map((one) => [one.entry_id, one]));
    return standing.get(entries.findLast((entry) => standing.has(entry.id))?.id);
  }

  /** The button means the entry that it names, whatever was written since it was drawn. */
  takeBackNewest(entry_id) {
    const { page, words } = this.view;
    if (this.newest()?.entry_id === entry_id) this.takeBack(entry_id);
    else if (!(entry_id in page.log.voided)) this.view.complain(words.say("not_newest"));
  }

  /** The object of a button: "Spiel 16 zurücknehmen". */
  takeBackLabel({ kind, deal_number }) {
    return this.view.words.say(`take_back_${kind ?? "objected"}`, { number: deal_number });
  }
}
