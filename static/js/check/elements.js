/* Elements of the page. Whatever comes from a record becomes text, never markup. */

/** An element with attributes, and with elements and texts inside. */
export function element(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside.flat().filter((item) => item !== null));
  return made;
}

export function listOf(items) {
  return element("ul", {}, items.map((item) => element("li", {}, item)));
}
