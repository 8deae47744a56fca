// Forms that change something, on every page: a form is sent once, its button says that the answer is under way, and a click
// does nothing to what has slid under the pointer. Not a module: it has to be here before the first click.
(() => {
  const GUARD_MS = 500;
  const GIVEN_UP_MS = 20_000; // the page is still here: the answer was a download, or was stopped
  const NEAR_PX = 8;
  const PRESSED = "pressed";

  const isPost = (form) => form.getAttribute("method")?.toLowerCase() === "post";
  const idField = (form) => form?.querySelector('input[name="once"]');
  const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join("");

  function begin(sender, button) {
    sender.dataset.sending = "";
    button?.setAttribute("aria-busy", "true");
  }

  function end(sender) {
    delete sender.dataset.sending;
    for (const button of [sender, ...sender.querySelectorAll("[aria-busy]")]) button.removeAttribute("aria-busy");
  }

  const refuse = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  // --- sent once ---------------------------------------------------------------------------------------------------

  addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (!isPost(form)) return;
      const field = idField(form);
      if (field && !field.value) field.value = newId(); // a page that is the same for everybody has none
      if ("sending" in form.dataset && !form.matches("[hx-post]")) refuse(event);
    },
    true,
  );

  addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !isPost(form)) return;
    begin(form, event.submitter);
    keepPress();
    setTimeout(() => end(form), GIVEN_UP_MS);
  });

  // Back to a page that was left while it was sending.
  addEventListener("pageshow", (event) => {
    if (event.persisted) for (const form of document.querySelectorAll("[data-sending]")) end(form);
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig } = event.detail;
    if (requestConfig.verb === "get") return;
    if ("sending" in elt.dataset) event.preventDefault();
    else begin(elt, requestConfig.triggeringEvent?.submitter ?? elt);
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, requestConfig, successful } = event.detail;
    if (!requestConfig || requestConfig.verb === "get") return;
    end(elt);
    // Where the form still stands, pressing again is something new. After a lost answer it is not.
    const field = idField(elt.closest("form"));
    if (successful && field) field.value = newId();
  });

  // --- nothing slides under the pointer ----------------------------------------------------------------------------

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

  addEventListener(
    "click",
    (event) => {
      const isNear = Math.hypot(event.clientX - guard.x, event.clientY - guard.y) <= NEAR_PX;
      if (event.detail && isNear && performance.now() < guard.until && nameOf(event.target)) refuse(event);
    },
    true,
  );

  // The second press of a double click meets the next page.
  function keepPress() {
    try {
      sessionStorage.setItem(PRESSED, JSON.stringify({ ...point, at: Date.now() }));
    } catch {
      // without storage the next page has no guard
    }
  }

  try {
    const press = JSON.parse(sessionStorage.getItem(PRESSED));
    sessionStorage.removeItem(PRESSED);
    if (press && Math.abs(Date.now() - press.at) < GIVEN_UP_MS) guardAt(press);
  } catch {
    // no storage
  }
})();
