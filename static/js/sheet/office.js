/* Who writes: the scribe's office goes to a volunteer if the whole table agrees. */

import { h } from "./dom.js";

/** Answers with the functions that describe this part of a `page` (see view.js), and the bar while somebody is chosen. */
export function openOffice({ words, icon, button, barOf, complain, changed, announce }, sync) {
  const { say, refuse } = words;
  const form = { isOpen: false, isSending: false };
  const field = (name) => document.getElementById(`office-${name}`);

  function toggle() {
    form.isOpen = !form.isOpen;
    changed();
    field("volunteer")?.scrollIntoView({ block: "center" }); // not under the bar
  }

  async function give(page) {
    const seat_number = Number(field("volunteer").value);
    if (!seat_number) return complain(say("office_who_missing"));
    if (!field("agreed").checked) return complain(refuse({ code: "consent_missing" }));
    if (form.isSending) return undefined;
    form.isSending = true;
    const { error } = await sync.giveOffice(seat_number);
    form.isSending = false;
    if (error !== undefined) return complain(error || say("office_needs_network"));
    form.isOpen = false;
    announce(say("office_agreed", { name: page.nameOf(seat_number) }));
    return changed();
  }

  function choice(page) {
    const others = page.seats.filter((seat) => seat !== page.sheet.scribe.seat_number);
    return [
      h("div", { key: "volunteer", class: "field" }, h("label", { for: "office-volunteer" }, say("office_who")),
        h("select", { id: "office-volunteer" },
          h("option", { value: "" }, "–"), others.map((seat) => h("option", { value: seat }, page.nameOf(seat))))),
      h("label", { key: "agreed", class: "consent" }, h("input", { id: "office-agreed", type: "checkbox" }),
        h("span", {}, say("office_consent", { names: page.names(page.seats) }))),
    ];
  }

  function office(page) {
    const { ruleset, scribe } = page.sheet;
    if (!page.mayWrite) form.isOpen = false;
    if (!ruleset.volunteer_scribe || !scribe) return null;
    return h("section", { key: "office", class: "block" },
      h("p", {}, say(scribe.agreed ? "office_agreed" : "office", { name: page.nameOf(scribe.seat_number) })),
      page.mayWrite ? button([icon("pen"), say("office_give")], "button--quiet button--wide", toggle, { "aria-expanded": String(form.isOpen) }) : null,
      form.isOpen ? choice(page) : null);
  }

  /** In place of the buttons for a deal, which would leave no room for the choice; null while nobody is chosen. */
  function officeBar(page) {
    if (!form.isOpen) return null;
    return barOf(say("office_who"), "",
      button([icon("cross"), say("cancel")], "action-bar__back", toggle, { key: "cancel", "data-cancels": "" }),
      button(say("office_record"), "button--primary action-bar__go", () => give(page), { key: "give" }));
  }

  return { office, officeBar };
}
