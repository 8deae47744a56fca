// What browsers from Chrome 68 and Safari 13.1 on lack and our scripts use: imported first by the entries of the players' pages, the
// wall, the sheet and the check. tests/architecture/browsers.toml says what is not here, so that no script may use it.

function lacks(holder, functions) {
  for (const [name, value] of Object.entries(functions)) {
    if (!holder[name]) Object.defineProperty(holder, name, { value, configurable: true, writable: true });
  }
}

const lists = {
  at(place) {
    return this[place < 0 ? this.length + place : place];
  },
  findLastIndex(is) {
    let place = this.length - 1;
    while (place >= 0 && !is(this[place], place, this)) place -= 1;
    return place;
  },
  findLast(is) {
    return this[this.findLastIndex(is)];
  },
};
lacks(Array.prototype, lists);

lacks(Object, {
  hasOwn: (holder, key) => Object.prototype.hasOwnProperty.call(holder, key),
});

lacks(Intl, {
  ListFormat: class {
    constructor(language) {
      this.and = String(language).startsWith("de") ? " und " : " and ";
    }

    format(names) {
      return [...names.slice(0, -2), names.slice(-2).join(this.and)].join(", ");
    }
  },
});

if (typeof AbortController !== "undefined") {
  lacks(AbortSignal, {
    timeout(time) {
      const patience = new AbortController();
      setTimeout(() => patience.abort(), time);
      return patience.signal;
    },
  });
}

if (typeof document !== "undefined") { // this is no worker
  if (!CSS.supports("selector(:has(a))")) import("./has.js").catch(() => {});
  lacks(Element.prototype, {
    replaceChildren(...nodes) {
      this.textContent = "";
      this.append(...nodes);
    },
    toggleAttribute(name, isThere = !this.hasAttribute(name)) {
      if (isThere) this.setAttribute(name, "");
      else this.removeAttribute(name);
      return isThere;
    },
  });
}
