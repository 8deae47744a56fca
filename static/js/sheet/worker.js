/* The service worker of the scribe's page: without a network the page is opened out of a cache.

   Its address /s/worker.js calls `keep` with the page and everything that the page loads, under names with hashes.
   A new version comes with its own cache, whole or not at all. What is said to the server is never touched. */

const PATIENCE_MS = 4_000;

function keep({ version, page, words, files }) {
  const prefix = page === "/s/" ? "tischliste " : `tischliste ${page} `; // clubs that share a host have a page each
  const name = prefix + version;
  const isKept = new Set(files);

  /** The page, or the words of its modules, from the server, if that answers soon and with them; else as they were last. */
  async function newest(event, address) {
    const cache = await caches.open(name);
    try {
      const answer = await inTime(fetch(event.request));
      const isOurs = answer.ok && answer.headers.has("Sheet-Page");
      if (isOurs && answer.headers.get("Sheet-Page") === version) event.waitUntil(cache.put(address, answer.clone()).catch(() => {}));
      if (isOurs) return answer;
      return (await cache.match(address, { ignoreVary: true })) ?? answer;
    } catch {
      return (await cache.match(address, { ignoreVary: true })) ?? Response.error();
    }
  }

  async function kept(request) {
    const cache = await caches.open(name);
    return (await cache.match(request, { ignoreVary: true })) ?? fetch(request);
  }

  self.addEventListener("install", (event) => {
    const all = caches.open(name).then((cache) => cache.addAll([page, words, ...files]));
    event.waitUntil(all.then(() => self.skipWaiting()));
  });

  self.addEventListener("activate", (event) => {
    const old = caches.keys().then((names) => names.filter((one) => one.startsWith(prefix) && one !== name));
    const gone = old.then((names) => Promise.all(names.map((one) => caches.delete(one))));
    event.waitUntil(gone.then(() => self.clients.claim()));
  });

  self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== self.location.origin) return;
    if (pathname === words || (request.mode === "navigate" && pathname === page)) event.respondWith(newest(event, pathname));
    else if (isKept.has(pathname)) event.respondWith(kept(request));
  });
}

function inTime(answer) {
  return Promise.race([answer, new Promise((_, fail) => setTimeout(fail, PATIENCE_MS, new Error("late")))]);
}
