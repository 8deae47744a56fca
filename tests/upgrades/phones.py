"""What a scribe's phone keeps: entries and sheets in IndexedDB, choices in localStorage, a cookie."""

from typing import Any

from playwright.sync_api import Page

READ = """async () => {
  const db = await new Promise((done) => (indexedDB.open("tischliste").onsuccess = (event) => done(event.target.result)));
  const ask = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
  const stores = {};
  for (const name of db.objectStoreNames) {
    const store = db.transaction(name).objectStore(name);
    stores[name] = { keyPath: store.keyPath, indexes: [...store.indexNames], values: await ask(store.getAll()), keys: await ask(store.getAllKeys()) };
  }
  const { version } = db;
  db.close();
  return { version, stores, localStorage: { ...localStorage } };
}"""
WRITE = """async ({ version, stores, localStorage: items }) => {
  for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
  await new Promise((done, fail) => {
    const opening = indexedDB.open("tischliste", version);
    opening.onerror = fail;
    opening.onupgradeneeded = () => {
      for (const [name, { keyPath, indexes }] of Object.entries(stores)) {
        const store = opening.result.createObjectStore(name, keyPath ? { keyPath } : {});
        for (const index of indexes) store.createIndex(index, index);
      }
    };
    opening.onsuccess = () => {
      const change = opening.result.transaction(Object.keys(stores), "readwrite");
      for (const [name, { keyPath, values, keys }] of Object.entries(stores)) {
        values.forEach((value, place) => change.objectStore(name).put(value, keyPath ? undefined : keys[place]));
      }
      change.oncomplete = () => { opening.result.close(); done(); };
    };
  });
}"""


def stored_on(page: Page) -> Any:
    """Return what the page of a scribe has stored."""
    return page.evaluate(READ)


def store_on(page: Page, stored: Any) -> None:
    """Store it on a phone that has not opened the scribe's page yet. page: any other one of the program."""
    page.evaluate(WRITE, stored)
