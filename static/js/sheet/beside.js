/* Beside the players: what is wrong, what was written down last, and the ways to the rules. */

import { h } from "./dom.js";

const SHORT_HISTORY = 4;

/** Answers with the functions that describe these parts of a `page` (see view.js). */
export function openBeside({ words, button, takeBack, takeBackLabel, refusalOf, redraw }, sync, urls) {
  const { say } = words;
  let isLong = false;

  function notice(key, kind, text, ...more) {
    return text ? h("div", { key: `notice ${key}`, class: "notice", "data-kind": kind }, h("p", {}, text), more) : null;
  }

  /** What is wrong with the link, and what to do; "" while all is well or there is simply no network. */
  function linkTrouble() {
    if (sync.link === "foreign") return say("foreign_answer");
    if (sync.link === "busy") return sync.error || say("busy_answer");
    if (sync.link === "refused") return sync.error || say("refused_answer", { status: sync.status });
    return sync.link === "dead" ? sync.error : "";
  }

  /** The sign to all tables to start, until something is written; that none was given is known with a link alone. */
  function startSign(page) {
    const { started_at, round_state } = page.sheet;
    if (page.waitsForSign) return notice("sign", "warning", say("not_started"));
    if (page.log.entries.length || round_state !== "released" || !started_at) return null;
    return notice("sign", "success", say("started", { time: words.time(started_at) }));
  }

  function notices(page) {
    const reopened = page.log.last_reopened && page.log.entries.findLast((entry) => entry.kind === "reopened");
    const reload = () => button(say("reload"), "button--small", () => location.reload());
    return [
      notice("link", sync.link === "busy" ? "warning" : "error", linkTrouble()),
      sync.link === "elsewhere" ? notice("elsewhere", "warning", say("elsewhere"), reload()) : null,
      notice("door", "info", sync.link === "good" ? sync.notice : ""),
      startSign(page),
      notice("reopened", "warning", reopened ? page.read(reopened) : ""),
    ];
  }

  function history(page) {
    const facts = new Map(page.log.facts.map((fact) => [fact.entry_id, fact]));
    const shown = page.log.entries.filter((entry) => entry.kind !== "voided" || entry.data.reason).reverse();
    if (!shown.length) return null;
    const some = isLong ? shown : shown.slice(0, SHORT_HISTORY);
    const toggle = () => {
      isLong = !isLong;
      redraw();
    };
    return h("section", { key: "history", class: "block" },
      h("h2", {}, say("history")),
      h("ol", { class: "entries" }, some.map((entry) => historyLine(page, entry, facts.get(entry.id)))),
      shown.length > SHORT_HISTORY
        ? button(say(isLong ? "show_less" : "show_all", { count: shown.length }), "button--quiet button--wide", toggle,
          { "aria-expanded": String(isLong) })
        : null,
      sync.link === "good" ? h("a", { class: "button button--quiet button--wide", href: urls.history }, say("whole_history")) : null);
  }

  function historyLine(page, entry, fact) {
    const isVoid = entry.id in page.log.voided;
    const isWaiting = page.isWaiting.has(entry.id);
    const text = page.read(fact ? { ...entry, data: fact.data } : entry, fact?.deal_number);
    const canGoBack = page.mayWrite && !isVoid && (fact || entry.kind === "objected") && !refusalOf("voided", { entry: entry.id });
    const label = canGoBack ? takeBackLabel(fact ?? entry) : "";
    const tags = [
      isVoid ? say("is_void") : "",
      fact?.corrected ? say("is_corrected") : "",
      isWaiting ? say("is_waiting") : "",
    ].filter(Boolean);
    const props = { key: entry.id, class: isVoid ? "entry entry--void" : "entry", "data-state": isWaiting ? "waiting" : "recorded" };
    return h("li", props,
      h("p", {}, h("span", { class: "entry__what" }, text), tags.map((tag) => h("span", { class: "entry__tag" }, tag))),
      canGoBack
        ? button(label, "entry__back", () => takeBack(entry.id), { "aria-label": `${label}: ${text}` })
        : null);
  }

  /** To the pages with the rules, and with what three cards count; they open beside this one, and need the network. */
  function pages(page) {
    const { ruleset, tournament } = page.sheet;
    if (sync.link !== "good") return [];
    const names = ruleset.hands ? ["hand", "rules"] : ["rules"];
    const props = { class: "button button--quiet button--wide", target: "_blank", rel: "noopener" };
    return names.map((name) => h("a", { ...props, key: name, href: urls[name].replace("SLUG", tournament) }, say(name)));
  }

  return { notices, history, pages };
}
