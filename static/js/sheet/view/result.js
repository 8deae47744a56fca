/* The table is decided: ranks, points, the pot, and everybody's word on it. */

import { h } from "../dom.js";

/** {pot_cents, by_seat}, mirroring scoring/core/stakes.py; `ranks` is the rank by seat of everybody at the table. Null without stakes or a winner. */
export function payout(ranks, stakes) {
  const winners = Object.keys(ranks).filter((seat) => ranks[seat] === 1).sort((a, b) => a - b);
  if (!stakes || !winners.length) return null;
  const { stake_cents, returned_to_ranks } = stakes;
  const pot_cents = stake_cents * Object.keys(ranks).length;
  const by_seat = {};
  let rest = pot_cents;
  for (const [seat, rank] of Object.entries(ranks)) {
    by_seat[seat] = returned_to_ranks.includes(rank) ? stake_cents : 0;
    rest -= by_seat[seat];
  }
  winners.forEach((seat, index) => {
    by_seat[seat] = Math.floor(rest / winners.length) + (index < rest % winners.length ? 1 : 0);
  });
  return { pot_cents, by_seat };
}

/** Answers with the function that describes the result of a `page` (see ../view.js); `kind` as there. */
export function openResult({ words, icon, inTurn, tally, write }, { objections, objectionForm }) {
  const { say, list, money } = words;
  const unseen = (...text) => h("span", { class: "visually-hidden" }, text);

  /** In a knockout, who goes on; those who share the rank at the cut do, too. */
  function fate({ sheet }, rank) {
    const { qualifying } = sheet.ruleset;
    return qualifying && !sheet.is_final ? h("strong", {}, say(rank <= qualifying.go_on ? "goes_on" : "drops_out")) : null;
  }

  function row(page, kind, score, pot, ties) {
    const { seat_number, rank, strokes } = score;
    const isConfirmed = page.log.confirmed.includes(seat_number);
    const canConfirm = page.mayWrite && page.sheet.ruleset.confirmation !== "paper" && !isConfirmed;
    const cents = pot?.by_seat[seat_number] ?? 0;
    const cells = [
      h("span", { class: "rank", "data-rank": rank }, unseen(say("rank"), " "), String(rank),
        ties.has(rank) ? [h("span", { class: "rank__tie", "aria-hidden": "true" }, "="), unseen(say("tied"))] : null),
      h("span", { class: "result__who" }, h("span", { class: "result__name" }, page.nameOf(seat_number)),
        h("span", { class: "result__more" }, tally(strokes), kind.detail(seat_number), fate(page, rank), cents ? h("span", {}, say("gets", { money: money(cents) })) : null)),
      h("span", { class: "result__points" }, kind.points(score)),
      isConfirmed ? h("span", { class: "result__word", "data-confirmed": true }, icon("check"), say("right")) : null,
      canConfirm ? h("span", { class: "result__word" }, unseen("– "), say("right_question")) : null,
    ];
    const confirm = inTurn(() => write("confirmed", { seat_number }, { once: `confirmed ${seat_number}` }));
    const props = { type: "button", class: "result__row", onclick: confirm };
    return h("li", { key: `seat ${seat_number}` }, canConfirm ? h("button", props, cells) : h("div", { class: "result__row" }, cells));
  }

  /** One sentence for each rank that is shared; without points where ranks give none. */
  function explained(page, ties) {
    return [...ties.entries()].map(([rank, scores]) => {
      const seats = scores.map((score) => score.seat_number);
      const deals = new Set(seats.map((seat) => page.log.state.drowned_in[seat]));
      const together = page.log.state.ranked === null && deals.size === 1;
      const skipped = list(scores.slice(1).map((_, index) => String(rank + index + 1)));
      const params = { rank, names: page.names(seats), points: say("points", { count: scores[0].points }), skipped, count: scores.length - 1 };
      return h("p", { key: `tie ${rank}` }, say(scores[0].points === null ? "shared" : together ? "shared_drowned" : "shared_ranked", params));
    });
  }

  function tiesOf(scores) {
    const byRank = new Map();
    for (const score of scores) byRank.set(score.rank, [...(byRank.get(score.rank) ?? []), score]);
    return new Map([...byRank].filter(([, sharing]) => sharing.length > 1));
  }

  function pot(page, shares) {
    if (!shares) return null;
    const { stakes } = page.sheet.ruleset;
    const params = { pot: money(shares.pot_cents), stake: money(stakes.stake_cents), ranks: list(stakes.returned_to_ranks.map(String)) };
    return h("p", { key: "pot" }, say(stakes.returned_to_ranks.length ? "pot" : "pot_to_winner", params));
  }

  function result(page, kind) {
    const scores = [...page.log.results].sort((a, b) => a.rank - b.rank || a.seat_number - b.seat_number);
    const ties = tiesOf(scores);
    const ranks = Object.fromEntries(scores.map((score) => [score.seat_number, score.rank]));
    const shares = payout(ranks, page.sheet.ruleset.stakes);
    return h("section", { key: "result", class: "block" },
      h("h2", {}, say("result")),
      objections(page),
      h("ol", { class: "result" }, scores.map((score) => row(page, kind, score, shares, ties))),
      page.rules.kind === "survival" ? explained(page, ties) : null,
      pot(page, shares),
      objectionForm(page));
  }

  return { result };
}
