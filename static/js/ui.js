// Small manners of the page, all of them optional: menus close, toasts appear, printing has a button.

import "./old_browsers.js";

const TOAST_MS = 8000;

function showToast(text, kind = "info") {
  const region = document.querySelector(".toasts");
  if (!region || !text) return;
  for (const old of region.querySelectorAll(".toast")) if (old.firstChild.textContent === text) old.remove();
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.dataset.kind = kind;
  const words = document.createElement("span");
  words.textContent = text;
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "×";
  close.setAttribute("aria-label", region.dataset.close ?? "×");
  close.addEventListener("click", () => toast.remove());
  toast.append(words, close);
  region.append(toast);
  // What went wrong stays until it is read and closed.
  if (kind !== "error") setTimeout(() => toast.remove(), TOAST_MS);
}

document.addEventListener("toast", (event) => showToast(event.detail.text, event.detail.kind));

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
  if (event.target.closest?.("[data-print]")) window.print();
  const copy = event.target.closest?.("[data-copy]");
  if (copy) {
    document.getElementById(copy.dataset.copy).select();
    // Not navigator.clipboard, which plain http does not have.
    if (document.execCommand("copy")) showToast(copy.dataset.copied);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = event.target.closest?.("details.menu[open]") ?? document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Whoever follows a link to what is folded up sees it.
const openTarget = () => {
  const at = document.getElementById(location.hash.slice(1));
  if (at?.matches("details")) at.open = true;
};
openTarget();
addEventListener("hashchange", openTarget);

// Over https and on this computer the players' pages have a page for a time without a connection.
const tabs = document.querySelector("[data-worker]");
if (tabs) addEventListener("load", () => navigator.serviceWorker?.register(tabs.dataset.worker).catch(() => {}));

for (const button of document.querySelectorAll("[data-print], [data-copy]")) button.hidden = false;
// A form that htmx sends at every change needs no button. What was chosen before it listened is sent now.
if (window.htmx)
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-by-itself]")) {
      button.hidden = true;
      const fields = Array.from(button.form.elements);
      if (fields.some((field) => field.checked !== field.defaultChecked)) htmx.trigger(button.form, "change");
    }
  });
// What was refused is in sight, however far down it stands; unless somebody types already, before this script was there.
const inUse = document.activeElement;
const isUntouched = inUse === document.body || (inUse.autofocus && inUse.value === inUse.defaultValue);
if (isUntouched) document.querySelector("main [aria-invalid=true]")?.focus();
for (const current of document.querySelectorAll(".nav [aria-current], .tabs [aria-current]")) {
  const list = current.closest("ul");
  list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
}
