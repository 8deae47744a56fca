// What htmx leaves open: say when a request failed, show a whole page that came where a fragment was asked for,
// and put the focus where the work goes on.

const words = (name) => document.querySelector(".toasts")?.dataset[name];
const toast = (text, kind) => document.dispatchEvent(new CustomEvent("toast", { detail: { text, kind } }));
/** Whether the page asked by itself; news: see live_strip.js. */
const isPoll = (event) => [undefined, "news"].includes(event.detail.requestConfig?.triggeringEvent?.type);

// A poll that fails says nothing: the next one comes by itself.
document.addEventListener("htmx:sendError", (event) => isPoll(event) || toast(words("offline"), "error"));
document.addEventListener("htmx:timeout", (event) => isPoll(event) || toast(words("offline"), "error"));
document.addEventListener("htmx:responseError", (event) => {
  const logIn = event.detail.xhr.getResponseHeader("Log-In");
  if (logIn) {
    if (isTyping()) toast(words("loggedOut"), "error");
    else if (!document.querySelector("[data-sending]")) location.assign(logIn); // the answer to what is sent keeps it
    return;
  }
  if (isPoll(event)) return;
  const { status, responseText } = event.detail.xhr;
  const said = status === 503 && sentenceIn(responseText);
  toast(said || words(status === 403 ? "forbidden" : "failed"), "error");
});

/** The sentence of an answer for scripts, such as that the disk is full; "" in any other. */
function sentenceIn(text) {
  try {
    return String(JSON.parse(text).error ?? "");
  } catch {
    return "";
  }
}

// A page that is being left is not reloaded: the answer to what was sent from it would reach nobody.
const LEAVING_MS = 20_000; // later it is still here: it was a download, or was stopped
let leftAt = -Infinity;
addEventListener("beforeunload", () => (leftAt = performance.now()));
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const isReload = event.detail.xhr.getResponseHeader("HX-Refresh");
  if (isReload && performance.now() - leftAt < LEAVING_MS) event.preventDefault();
});

/** Whether something typed would be lost with this page. */
const isTyping = () =>
  [...document.querySelectorAll("input:not([type=hidden], [type=checkbox], [type=radio]), textarea")].some(
    (field) => field.value !== field.defaultValue,
  );

const wholePage = /^\s*<!doctype html/i;

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, target, requestConfig } = event.detail;
  // A part in which something was pressed waits for that answer, which would not find its place any more.
  if (isPoll(event) && target.querySelector("[data-sending]")) event.detail.shouldSwap = false;
  const typing = document.activeElement;
  // What was typed since stays; its own change asks anew.
  if (target.matches("[data-keep-typed]") && target.contains(typing) && typing.value !== requestConfig.parameters[typing.name])
    event.detail.shouldSwap = false;
  const isLogIn = xhr.status === 401 && wholePage.test(xhr.responseText);
  if (isLogIn) event.detail.shouldSwap = true; // it keeps what was posted
  if (!event.detail.shouldSwap || !wholePage.test(xhr.responseText)) return;
  if (isPoll(event)) {
    // Logged out in another window, say: leave what stands here alone.
    event.detail.shouldSwap = false;
    return;
  }
  event.detail.target = document.body;
  event.detail.swapOverride = "innerHTML";
  event.detail.selectOverride = null;
  if (!isLogIn && xhr.responseURL && xhr.responseURL !== location.href) history.pushState(null, "", xhr.responseURL);
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (isPoll(event)) return;
  const place = event.detail.elt;
  if (place.matches?.(".paper-line")) return; // the cursor is in the next line already, see paper.js
  const next = place.querySelector?.("[aria-invalid=true]") ?? place.querySelector?.("[data-focus]");
  if (!next) return;
  next.focus();
  next.select?.();
});

window.addEventListener("popstate", (event) => {
  if (!event.state?.htmx) location.reload();
});
