/* A player's own phone, while another one writes: it shows the sheet, and the player confirms or objects there under his name. */

import { h } from "./dom.js";
import { itIsMe, me } from "./me_here.js";

/** Answers with the function that describes this part of a `page` (see view.js). */
export function openOwn({ words, icon, button, redraw, announce, onlyWatch, limits }, sync, urls) {
  const { say } = words;
  const form = { seat: undefined, isOpen: false, isSending: false, message: "" };

  /** The seat of whoever holds this phone: as chosen here, or as its owner said before; null if it is not known. */
  function seatOf({ seats, tournament }) {
    if (form.seat !== undefined) return form.seat;
    const mine = me(urls, tournament);
    return seats.find(({ start_number }) => start_number === mine)?.seat_number ?? null;
  }

  function choose(page, seat_number) {
    form.seat = seat_number;
    const seat = page.sheet.seats.find((one) => one.seat_number === seat_number);
    if (seat) itIsMe(urls, page.sheet.tournament, seat.start_number);
    Object.assign(form, { isOpen: false, message: "" });
    onlyWatch(); // whoever says a name does not write here
  }

  async function speak(kind, data, said) {
    if (form.isSending) return;
    form.isSending = true;
    const { error } = await sync.speak(kind, data);
    Object.assign(form, { isSending: false, message: error === undefined ? "" : error || say("own_needs_network") });
    if (error === undefined) {
      form.isOpen = false;
      announce(said);
    }
    redraw();
  }

  function chooser(page) {
    const onchange = (event) => event.target.value && choose(page, Number(event.target.value));
    return h("div", { key: "who", class: "field" }, h("label", { for: "own-seat" }, say("own_who")),
      h("select", { id: "own-seat", onchange },
        h("option", { value: "" }, "–"), page.seats.map((seat) => h("option", { value: seat }, page.nameOf(seat)))));
  }

  function objection(page, seat_number) {
    const toggle = () => {
      Object.assign(form, { isOpen: !form.isOpen, message: "" });
      redraw();
    };
    const send = (event) => {
      event.preventDefault();
      const note = event.target.elements.note.value.trim();
      if (note) speak("objected", { seat_number, note }, say("own_objected", { name: page.nameOf(seat_number) }));
      else event.target.elements.note.focus();
    };
    return [
      button([icon("flag"), say("object")], "button--quiet button--wide", toggle, { key: "object", "aria-expanded": String(form.isOpen) }),
      form.isOpen ? h("form", { key: "objection", class: "field", onsubmit: send, novalidate: true },
        h("label", { for: "own-note" }, say("what_is_wrong")),
        h("input", { id: "own-note", name: "note", maxlength: limits.longest_text, autocomplete: "off", enterkeyhint: "done" }),
        h("button", { class: "button button--danger" }, say("object"))) : null,
    ];
  }

  function confirmation(page, seat_number) {
    const name = page.nameOf(seat_number);
    if (page.sheet.ruleset.confirmation === "paper") return null;
    if (!page.isDecided) return h("p", { key: "later" }, say("own_later", { name }));
    if (page.log.confirmed.includes(seat_number)) return h("p", { key: "done" }, icon("check"), " ", say("own_done", { name }));
    const confirm = () => speak("confirmed", { seat_number }, say("own_done", { name }));
    return [
      h("p", { key: "ask" }, h("strong", {}, say("own_ask", { name }))),
      button([icon("check"), say("own_yes")], "button--primary button--wide", confirm, { key: "yes" }),
    ];
  }

  function own(page) {
    const { sheet, log } = page;
    if (!page.isLetIn || sheet.pen.mine || !sheet.pen.taken || log.phase !== "open") return null;
    const seat = seatOf(sheet);
    const hasObjected = log.objections.some(({ seat_number }) => seat_number === seat);
    return h("section", { key: "own", class: "block" },
      h("h2", {}, say("own")),
      seat === null ? chooser(page) : [
        confirmation(page, seat),
        hasObjected ? h("p", { key: "objected" }, say("own_objected", { name: page.nameOf(seat) })) : objection(page, seat),
        button(say("own_not_me"), "button--quiet button--wide", () => choose(page, null), { key: "not me" }),
      ],
      form.message ? h("p", { key: "why", class: "why", role: "alert" }, form.message) : null);
  }

  return { own };
}
