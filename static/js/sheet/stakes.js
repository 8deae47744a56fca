/* The pot of a table, for display: mirrors scoring/core/stakes.py. */

/** {pot_cents, by_seat}; `ranks` is the rank by seat of everybody at the table. Null without stakes or a winner. */
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
