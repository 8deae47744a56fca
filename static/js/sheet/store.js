/* What a phone keeps, in IndexedDB: entries that the server has not answered for yet, and the last sheet it sent.

   Where there is no storage, where it is full, and where it does not answer in time, the page's memory takes its
   place: then `isLasting` is false, and the page says so. What lies there is stored as soon as that is possible. */

import { openDB } from "../../vendor/idb-8.0.4/index.js";

// Clubs that share a host have a page each, and each page what it keeps.
const NAME = location.pathname === "/s/" ? "tischliste" : `tischliste ${location.pathname}`;
const PATIENCE_MS = 1_000;
const PATIENCE_AFTER_FAILURE_MS = 150;

export class Store {
  constructor() {
    this.homeless = new Map(); // entries that are in the page's memory only, by id
    this.remembered = { sheet: "", current: null }; // what was stored last, or should have been
    this.isUnread = false; // whether what is stored was not handed out in time
    Object.assign(this, { opening: null, patience: PATIENCE_MS, lastNumber: 0 });
  }

  /** What `work` makes of the database; undefined where there is none, it is full or it does not answer. */
  async attempt(work) {
    let clock;
    const late = new Promise((_, fail) => (clock = setTimeout(fail, this.patience, new Error("late"))));
    try {
      this.opening = this.opening ?? opened(() => (this.opening = null));
      const answer = await Promise.race([this.opening.then(work), late]);
      this.patience = PATIENCE_MS;
      return answer;
    } catch {
      this.patience = PATIENCE_AFTER_FAILURE_MS;
      return undefined;
    } finally {
      clearTimeout(clock);
    }
  }

  written(entry) {
    return this.attempt(async (db) => {
      const change = db.transaction("entries", "readwrite");
      const stored = await newest(change.store);
      entry.number = entry.number ?? (this.lastNumber = Math.max(this.lastNumber, stored) + 1);
      await Promise.all([change.store.put(entry), change.done]);
      this.homeless.delete(entry.id); // also when nobody waits for it any more
      return true;
    });
  }

  /** Stores what could not be stored before. */
  async bringHome() {
    for (const entry of this.homeless.values()) if (!(await this.written(entry))) return;
  }

  /** Whether everything here survives this page. */
  isLasting() {
    return this.homeless.size === 0;
  }

  /** Entries of one sheet in the order they were made: by a counter, for clocks go wrong. */
  async entries(key) {
    const stored = await this.attempt((db) => db.getAllFromIndex("entries", "sheet", key));
    this.isUnread = !stored;
    const all = new Map([...(stored ?? []), ...this.homeless.values()].map((entry) => [entry.id, entry]));
    const found = [...all.values()].filter((entry) => entry.sheet === key).sort(byNumber);
    this.lastNumber = Math.max(this.lastNumber, found.at(-1)?.number ?? 0); // the next one comes behind them, stored or not
    return found;
  }

  /** Entries of other sheets that never left this phone: [{sheet, entries}], each with the sheet as it was. */
  async others(key) {
    const [sheets, entries] = (await this.attempt((db) => Promise.all([db.getAll("sheets"), db.getAll("entries")]))) ?? [[], []];
    return sheets.filter((sheet) => sheet.key !== key)
      .map((sheet) => ({ sheet, entries: entries.filter((entry) => entry.sheet === sheet.key).sort(byNumber) }))
      .filter((other) => other.entries.length);
  }

  /** Stores an entry, a new one behind all others of this phone. It is safe, or in memory, when this is done. */
  async put(entry) {
    if (await this.written(entry)) await this.bringHome();
    else {
      if (this.isUnread) this.lastNumber = Math.max(this.lastNumber, Date.now()); // behind all that is stored, however many
      entry.number = entry.number ?? (this.lastNumber += 1);
      this.homeless.set(entry.id, entry);
    }
  }

  async remove(entry) {
    this.homeless.delete(entry.id);
    await this.attempt((db) => db.delete("entries", entry.id));
  }

  /** The sheet that this browser is at, also when another tab has gone there. */
  async current() {
    return (await this.attempt((db) => db.get("kept", "current"))) ?? this.remembered.current;
  }

  /** The sheet that this browser was at last, as the server has sent it. */
  async lastSheet() {
    return (await this.attempt(async (db) => db.get("sheets", (await db.get("kept", "current")) ?? ""))) ?? null;
  }

  /** From now on this browser is at this sheet; what is known of others goes, but for those with entries here. */
  async keepSheet(sheet) {
    const text = JSON.stringify(sheet);
    if (this.remembered.sheet === text) return;
    this.remembered = { sheet: text, current: sheet.key };
    await this.attempt(async (db) => {
      const change = db.transaction(["entries", "sheets", "kept"], "readwrite");
      const sheets = change.objectStore("sheets");
      const waiting = change.objectStore("entries").index("sheet");
      for (const key of await sheets.getAllKeys()) if (!(await waiting.count(key))) await sheets.delete(key);
      await Promise.all([sheets.put(sheet), change.objectStore("kept").put(sheet.key, "current"), change.done]);
    });
  }

  /** How this table is written down: a choice of this phone, not of the sheet. */
  async mode(key) {
    return (await this.attempt((db) => db.get("kept", "mode")))?.[key] ?? null;
  }

  keepMode(key, mode) {
    return this.attempt((db) => db.put("kept", { [key]: mode }, "mode"));
  }
}

async function opened(lost) {
  try {
    return await openDB(NAME, 1, {
      upgrade(db) {
        const entries = db.createObjectStore("entries", { keyPath: "id" });
        entries.createIndex("sheet", "sheet");
        entries.createIndex("number", "number");
        db.createObjectStore("sheets", { keyPath: "key" });
        db.createObjectStore("kept");
      },
      terminated: lost,
    });
  } catch (trouble) {
    lost();
    throw trouble;
  }
}

async function newest(entries) {
  return (await entries.index("number").openKeyCursor(null, "prev"))?.key ?? 0;
}

export function byNumber(one, other) {
  return one.number - other.number || (one.id < other.id ? -1 : 1);
}
