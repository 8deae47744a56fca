// `:has()` for browsers without it, as far as our styles need it. Where they say `.a:has(.b) .c`, the collected ones (tournaments/old_browsers.py)
// say `.a[data-has-1f=yes] .c { --has: ".b" }` as well, and this sets the attributes anew whenever something changes. Who measures what was
// just drawn sends has:now first, and measures anew after has:ready.

const ATTRIBUTE = /\[(data-has-\w+)="?(?:yes|no)"?\]/g;
const rules = [];

function collect(list) {
  for (const rule of list) {
    if (rule.cssRules && !rule.selectorText) collect(rule.cssRules);
    const inside = rule.style ? rule.style.getPropertyValue("--has").match(/"(?:[^"\\]|\\.)*"/g) : null;
    if (!inside) continue;
    for (const selector of rule.selectorText.split(", ")) {
      const texts = [...inside]; // one for each attribute
      selector.replace(ATTRIBUTE, (_, name, at) => {
        rules.push({ name, of: selector.slice(0, at), has: JSON.parse(texts.shift()) });
      });
    }
  }
}

function isThere(element, has) {
  const [, sign, selector] = has.match(/^([+~]?)\s*([^]*)$/);
  if (!sign) return Boolean(element.querySelector(`:scope ${selector}`));
  let next = element.nextElementSibling;
  while (sign === "~" && next && !next.matches(selector)) next = next.nextElementSibling;
  return Boolean(next && next.matches(selector));
}

let isDue = false;

function apply({ name, of, has }) {
  for (const element of document.querySelectorAll(of)) {
    const state = isThere(element, has) ? "yes" : "no";
    if (element.getAttribute(name) !== state) element.setAttribute(name, state);
  }
}

function update() {
  isDue = false;
  for (const rule of rules) {
    try {
      apply(rule);
    } catch {
      // a selector that this browser does not know
    }
  }
}

function updateSoon() {
  if (!isDue) requestAnimationFrame(update);
  isDue = true;
}

function begin() {
  for (const sheet of document.styleSheets) collect(sheet.cssRules);
  if (!rules.length) return; // such as on the wall
  update();
  const isMore = ({ attributeName }) => attributeName !== "style"; // that of the wall's progress changes ten times a second
  const changed = (changes) => changes.some(isMore) && updateSoon();
  new MutationObserver(changed).observe(document, { subtree: true, childList: true, attributes: true });
  for (const kind of ["change", "focusin", "focusout", "reset"]) document.addEventListener(kind, updateSoon);
  addEventListener("hashchange", updateSoon); // :target
  document.addEventListener("has:now", update);
  document.dispatchEvent(new Event("has:ready"));
}

if (document.readyState === "complete") begin();
else addEventListener("load", begin);
