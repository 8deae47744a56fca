/* Draws what `view.js` describes: a description is compared with the page, and only what differs is changed, so that
   focus, a half-typed note and the screen reader's place survive every redraw. */

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "use"]);

/** Describes an element. `key` in props tells siblings apart; on... props are handlers; null and false are left out. */
export function h(tag, props, ...children) {
  const shown = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  return { tag, props: props ?? {}, children: shown };
}

/** Makes the children of `parent` what the descriptions say; one that stands there already is not looked into. */
export function draw(parent, ...described) {
  const wanted = described.flat(Infinity).filter(Boolean);
  const kept = new Map();
  for (const child of parent.childNodes) if (child.sheetKey !== undefined) kept.set(child.sheetKey, child);
  let place = parent.firstChild;
  for (const one of wanted) {
    const node = found(one, place, kept) ?? made(one);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
    update(node, one);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** The node that already stands for this description: by its key, or the one at its place if it is of its kind. */
function found(one, place, kept) {
  if (typeof one !== "object") return place?.nodeType === Node.TEXT_NODE ? place : null;
  const { key } = one.props;
  if (key !== undefined) return kept.get(key)?.localName === one.tag ? kept.get(key) : null;
  return place?.localName === one.tag && place.sheetKey === undefined ? place : null;
}

function made(one) {
  if (typeof one !== "object") return document.createTextNode("");
  const node = SVG_TAGS.has(one.tag) ? document.createElementNS(SVG, one.tag) : document.createElement(one.tag);
  if (one.props.key !== undefined) node.sheetKey = one.props.key;
  return node;
}

function update(node, one) {
  if (typeof one !== "object") {
    if (node.data !== String(one)) node.data = String(one);
    return;
  }
  if (node.described === one) return;
  const before = node.described?.props ?? {};
  for (const name of Object.keys(before)) if (!(name in one.props)) set(node, name, null);
  for (const [name, value] of Object.entries(one.props)) if (before[name] !== value) set(node, name, value);
  node.described = one;
  draw(node, one.children);
}

function set(node, name, value) {
  if (name === "key") return;
  if (name.startsWith("on")) node[name] = value;
  else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}
