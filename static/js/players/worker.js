/* The service worker of the players' pages; its address /t/worker.js calls `guard`. The network comes first. Where it brings nothing, a tab
   is shown as it was last seen, marked with the time, and after a day, or of other pages, a page that says so. A new version has its own cache. */

const DAY_MS = 86_400_000;

function guard({ version, scope, page, files, tabs, said }) {
  const prefix = `spieler ${scope} `; // clubs that share a host have a worker each
  const name = prefix + version;
  const isTab = ({ pathname, search }) => tabs.includes(pathname.slice(scope.length).replace(/^[^/]*\//, "")) && !search;

  async function shown({ request, preloadResponse }) {
    const cache = await caches.open(name);
    try {
      const answer = (await preloadResponse) || (await fetch(request));
      // The header tells everybody's page from that of somebody who is logged in, and from a network's log-in page.
      const isOurs = isTab(new URL(request.url)) && answer.ok && answer.headers.get("Players-Page") === version;
      if (isOurs) cache.put(request.url, answer.clone()).catch(() => {});
      return answer;
    } catch {
      const copy = await cache.match(request.url, { ignoreVary: true });
      const at = copy && new Date(copy.headers.get("Date"));
      if (!copy || Date.now() - at > DAY_MS) return cache.match(page, { ignoreVary: true });
      const time = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      const html = (await copy.text()).replace(/<main[^>]*>/, (main) => main + said.replace("{time}", time));
      return new Response(html, { headers: copy.headers });
    }
  }
  const kept = async (request) => (await (await caches.open(name)).match(request, { ignoreVary: true })) || fetch(request);

  self.addEventListener("install", (event) => {
    event.waitUntil(caches.open(name).then((cache) => cache.addAll([page, ...files])).then(() => self.skipWaiting()));
  });
  self.addEventListener("activate", (event) => {
    const old = caches.keys().then((names) => names.filter((one) => one.startsWith(prefix) && one !== name));
    const sooner = self.registration.navigationPreload && self.registration.navigationPreload.enable();
    event.waitUntil(Promise.all([sooner, old.then((names) => Promise.all(names.map((one) => caches.delete(one))))]));
  });
  self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== self.location.origin) return;
    if (files.includes(pathname)) event.respondWith(kept(request));
    else if (request.mode === "navigate" && !pathname.includes("/screen/")) event.respondWith(shown(event)); // a wall looks after itself
  });
}
