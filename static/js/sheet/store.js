/* What a phone keeps: entries that the server has not answered for yet, and the last sheet it sent.

   Every entry is stored under a key of its own, so that two tabs never overwrite each other's. The functions are
   asynchronous for the sake of other stores. */

const PREFIX = "tischliste:";

/** The browser's storage, or the page's memory where there is none (then `isLasting` is false). */
export function openStore() {
  const storage = lastingStorage();
  const memory = new Map();
  const read = (name) => {
    const text = memory.get(name) ?? storage?.getItem(name) ?? null;
    try {
      return text === null ? null : JSON.parse(text);
    } catch {
      return null;
    }
  };
  const names = () => new Set([...memory.keys(), ...(storage ? Object.keys(storage) : [])]);
  const write = (name, value) => {
    const text = JSON.stringify(value);
    try {
      if (!storage) throw new Error("no storage");
      storage.setItem(name, text);
      memory.delete(name);
      return true;
    } catch {
      memory.set(name, text);
      return false;
    }
  };
  const remove = (name) => {
    memory.delete(name);
    storage?.removeItem(name);
  };
  const entryName = (key, id) => `${PREFIX}${key}:entry:${id}`;

  return {
    /** Entries of one sheet in the order they were made. */
    async entries(key) {
      const found = [...names()].filter((name) => name.startsWith(entryName(key, ""))).map(read);
      return found.filter(Boolean).sort((a, b) => a.number - b.number || (a.made_at < b.made_at ? -1 : 1));
    },

    /** Stores an entry; false if it will be lost with this page. */
    async put(key, entry) {
      return write(entryName(key, entry.id), entry);
    },

    async remove(key, id) {
      remove(entryName(key, id));
    },

    /** The sheet that this browser is at, also when another tab has gone there. */
    current: () => read(`${PREFIX}current`),

    /** The last sheet that the server has sent for a key. */
    sheet: (key) => read(`${PREFIX}${key}:sheet`),

    /** From now on this browser is at this sheet; what is known of others goes, but for entries not sent yet. */
    keepSheet(sheet) {
      for (const name of names()) if (name.endsWith(":sheet")) remove(name);
      write(`${PREFIX}${sheet.key}:sheet`, sheet);
      write(`${PREFIX}current`, sheet.key);
    },

    /** How this table is written down: a choice of this phone, not of the sheet. */
    mode: (key) => read(`${PREFIX}mode`)?.[key] ?? null,
    keepMode: (key, mode) => write(`${PREFIX}mode`, { [key]: mode }),
  };
}

function lastingStorage() {
  try {
    const probe = `${PREFIX}probe`;
    localStorage.setItem(probe, "1");
    localStorage.removeItem(probe);
    return localStorage;
  } catch {
    return null; // forbidden, or full
  }
}
