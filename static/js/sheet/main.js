/* The page of the scribe comes alive: the secret out of the address, the modules together, the network's signals. */

import "../old_browsers.js";
import { setLimits } from "./checks.js";
import { Sync } from "./sync.js";
import { View } from "./view.js";
import { openWords } from "./words.js";

if ("tooOld" in document.documentElement.dataset) throw new Error("see errors.js");
const config = JSON.parse(document.getElementById("config").content.textContent);
const parts = Object.fromEntries(["header", "main", "actions", "announcer", "ruler", "probe"].map((id) => [id, document.getElementById(id)]));
const words = openWords(config, document.documentElement.lang);
setLimits(config.limits);

let update = null;
const sync = new Sync(config.urls, () => {
  view.redraw();
  if (sync.edition && sync.edition !== config.edition) follow();
});
const view = new View(parts, sync, words, config);

const secret = decodeURIComponent(location.hash.slice(1));
view.redraw();
document.documentElement.dataset.alive = "sheet";
sync.open(secret, () => history.replaceState(null, "", location.pathname));

addEventListener("online", () => sync.wake({ isNetworkNew: true }));
addEventListener("pageshow", (event) => event.persisted && sync.wake());
addEventListener("hashchange", () => location.hash && location.reload());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  sync.wake();
  stayAwake();
});
addEventListener("beforeunload", (event) => {
  const isKept = sync.isLasting && (sync.link === "good" || navigator.serviceWorker?.controller);
  if (!isKept && sync.entries.some((entry) => entry.state === "waiting")) event.preventDefault(event.returnValue = "");
});

// With it the page opens without a network; browsers have it on https and on this computer only.
addEventListener("load", () => navigator.serviceWorker?.register(config.urls.worker).catch(() => {}));

/** Another edition of the program answers: this page is to be loaded anew. */
async function follow() {
  update = update ?? import("./update.js").then(({ openUpdate }) => openUpdate(sync, config.edition));
  (await update.catch(() => (update = null)))?.();
}

/** The screen stays on while the sheet is open, where the browser can do that. */
function stayAwake() {
  navigator.wakeLock?.request("screen").catch(() => {});
}
stayAwake();

// The page sends no Referer, and a form without one would be taken for a foreign page's. Its button waits for this.
const language = document.getElementById("language");
for (const button of language.querySelectorAll("button")) button.disabled = false;
language.addEventListener("click", async (event) => {
  const { form, name, value } = event.target;
  if (!form) return;
  event.preventDefault();
  const chosen = new URLSearchParams(new FormData(form));
  chosen.set(name, value);
  await fetch(form.action, { method: "POST", body: chosen, redirect: "manual" }).catch(() => {});
  location.reload();
});
