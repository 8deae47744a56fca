/* The players' objections: what stands there, and the form in which the scribe notes one. */

import { h } from "../dom.js";

/** Answers with the functions that describe these parts of a `page` (see ../view.js). */
export function openObjections({ words, icon, button, write, takeBack, redraw, refusalOf, limits }) {
  const { say, refuse } = words;
  const form = { isOpen: false, message: "", field: "" };

  function objections(page) {
    return page.log.objections.map(({ entry_id, seat_number, note }) =>
      h("div", { key: entry_id, class: "notice", "data-kind": "error" },
        h("p", {}, icon("flag"), " ", h("strong", {}, say("objected", { name: page.nameOf(seat_number), note }))),
        h("p", {}, say("objection_hint")),
        page.mayWrite ? button(say("take_back_objected"), "button--small", () => takeBack(entry_id)) : null));
  }

  function objectionForm(page) {
    if (!page.mayWrite) return null;
    const toggle = () => {
      Object.assign(form, { isOpen: !form.isOpen, message: "" });
      redraw();
      document.getElementById("objection-note")?.scrollIntoView({ block: "center" }); // not under the bar
    };
    const opener = button([icon("flag"), say("object")], "button--quiet", toggle, { key: "object", "aria-expanded": String(form.isOpen) });
    if (!form.isOpen) return opener;
    const send = (event) => {
      event.preventDefault();
      const { seat, note } = event.target.elements;
      const data = { seat_number: Number(seat.value), note: note.value };
      const refusal = seat.value ? refusalOf("objected", data) : null;
      const message = seat.value ? refusal && refuse(refusal) : say("objector_missing");
      Object.assign(form, { isOpen: Boolean(message), message: message ?? "", field: seat.value ? "note" : "seat" });
      if (message) redraw();
      else write("objected", data);
    };
    const wrong = (field) => (form.message && form.field === field
      ? { "aria-invalid": "true", "aria-describedby": "objection-error" } : {});
    const why = (field) => (form.message && form.field === field
      ? h("p", { key: "why", id: "objection-error", class: "why", role: "alert" }, form.message) : null);
    return [opener, h("form", { key: "objection", class: "block", onsubmit: send, novalidate: true },
      h("div", { class: "field" }, h("label", { for: "objection-seat" }, say("who_objects")),
        h("select", { id: "objection-seat", name: "seat", ...wrong("seat") },
          h("option", { value: "" }, "–"), page.seats.map((seat) => h("option", { value: seat }, page.nameOf(seat)))),
        why("seat")),
      h("div", { class: "field" }, h("label", { for: "objection-note" }, say("what_is_wrong")),
        h("input", {
          id: "objection-note", name: "note", maxlength: limits.longest_text, autocomplete: "off", enterkeyhint: "done",
          ...wrong("note"),
        }),
        why("note")),
      h("button", { class: "button button--danger" }, say("object")))];
  }

  return { objections, objectionForm, objecting: (page) => [objections(page), objectionForm(page)] };
}
