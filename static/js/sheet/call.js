/* The table calls the supervisor, who sees it on the board of all tables. That needs the network, and is never stored. */

import { h } from "./dom.js";

/** Answers with the functions that describe these parts of a `page` (see view.js). */
export function openCall({ words, button, announce, complain, changed }, sync) {
  const { say } = words;
  const toldOf = ({ called_at }) => say("called", { time: words.time(called_at) });

  async function change(isCalled) {
    const { error } = await sync.call(isCalled);
    if (error !== undefined) return complain(error || say("call_needs_network"));
    if (isCalled) announce(toldOf(sync.sheet));
    return changed();
  }

  function called(page) {
    if (!page.isLetIn || !page.sheet.called_at) return null;
    return h("div", { key: "called", class: "notice", "data-kind": "warning" },
      h("p", {}, toldOf(page.sheet)), button(say("call_back"), "button--small", () => change(false)));
  }

  return { called, taps: { call: () => change(!sync.sheet.called_at) } };
}
