// A click does nothing to what has slid under the pointer less than half a second ago: the second press of a double click, unless
// something else was pressed in between. And the answer to a plain form stands where its page was left. Not a module: it has to be
// here before the first click.
(() => {
  const GUARD_MS = 500;
  const GIVEN_UP_MS = 20_000; // after which a page is no answer to that press
  const NEAR_PX = 8;
  const PRESSED = "pressed";
  const CLICKABLE = "button, a, summary, label, input, select";
  let point = { x: -1, y: -1 };
  let under = "";
  let guard = { until: 0, x: -1, y: -1 };

  const nameOf = (element) => {
    const target = element?.closest?.(CLICKABLE);
    if (!target) return "";
    const own = target.getAttribute("hx-post") ?? target.getAttribute("formaction");
    const action = own ?? target.closest("form")?.getAttribute("action");
    return [target.tagName, action, target.getAttribute("href"), target.name, target.value].join(" ");
  };

  const guardAt = (place) => (guard = { ...place, until: performance.now() + GUARD_MS });

  function observePointer(event) {
    point = { x: event.clientX, y: event.clientY };
    under = nameOf(event.target);
  }

  for (const kind of ["pointermove", "pointerdown"]) addEventListener(kind, observePointer, { capture: true, passive: true });

  const isGuarded = ({ clientX, clientY }) => Math.hypot(clientX - guard.x, clientY - guard.y) <= NEAR_PX;

  addEventListener(
    "pointerdown",
    (event) => {
      if (!isGuarded(event)) guard.until = 0;
    },
    { capture: true, passive: true },
  );

  new MutationObserver(() => {
    const now = nameOf(document.elementFromPoint(point.x, point.y));
    if (now !== under && now) guardAt(point);
    under = now;
  }).observe(document.documentElement, { childList: true, subtree: true });

  // The row under the pointer stays there, whatever an answer of htmx puts above it.
  let row = null;

  document.addEventListener("htmx:beforeSwap", () => {
    const element = document.elementFromPoint(point.x, point.y)?.closest("tr[id], li[id], section[id]");
    row = element && { id: element.id, top: element.getBoundingClientRect().top };
  });

  document.addEventListener("htmx:afterSettle", () => {
    const element = row && document.getElementById(row.id);
    if (element) scrollBy(0, element.getBoundingClientRect().top - row.top);
  });

  // When it was pressed counts, not when a busy page comes to it. Nor does the press move the focus, which may be on what happened.
  function refuseGuarded(event) {
    if (!event.detail || !isGuarded(event) || event.timeStamp >= guard.until || !nameOf(event.target)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  for (const kind of ["mousedown", "click"]) addEventListener(kind, refuseGuarded, true);

  // The second press of a double click meets the next page.
  addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    const isPost = event.target.getAttribute("method")?.toLowerCase() === "post";
    const left = isPost && scrollY ? { path: location.pathname, top: topOfContent() } : {};
    try {
      sessionStorage.setItem(PRESSED, JSON.stringify({ ...point, ...left, at: Date.now() }));
    } catch {
      // without storage the next page has no guard
    }
  });

  const topOfContent = () => document.querySelector("#messages + *")?.getBoundingClientRect().top;

  /** Shows the page where it was when its form was sent, with the focus on what the answer says. */
  function stay({ path, top }) {
    const inUse = document.activeElement;
    const isUntouched = inUse === document.body || (inUse.autofocus && inUse.value === inUse.defaultValue);
    if (!isUntouched || document.querySelector("main [aria-invalid=true]")) return;
    const wasHere = path === location.pathname && !location.hash;
    if (wasHere) scrollBy({ top: topOfContent() - top, behavior: "instant" });
    // What was refused is in sight, also where it is said above the form.
    document.querySelector("main form .notice[role=alert]")?.scrollIntoView({ block: "nearest", behavior: "instant" });
    const said = document.getElementById("messages");
    // At the top the field that a page begins with is in sight, and keeps the focus.
    if (!said?.childElementCount || (!wasHere && document.querySelector("[autofocus]"))) return;
    said.tabIndex = -1;
    said.focus({ preventScroll: true });
  }

  try {
    const press = JSON.parse(sessionStorage.getItem(PRESSED));
    sessionStorage.removeItem(PRESSED);
    const [{ type }] = performance.getEntriesByType("navigation");
    const isAnswer = type !== "back_forward" && Math.abs(Date.now() - press.at) < GIVEN_UP_MS;
    if (isAnswer) guardAt(press);
    if (isAnswer) addEventListener("DOMContentLoaded", () => stay(press));
  } catch {
    // no storage, or nothing was pressed
  }
})();
