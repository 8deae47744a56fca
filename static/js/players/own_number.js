// Who has registered on this phone need not look for themselves: the tabs of the players' page know the number from now on.
// The key is that of me.js.

const CLUB = location.pathname.split("/t/")[0]; // where clubs share a host
const own = () => document.getElementById("own");
const key = () => `me:${CLUB}${own().dataset.tournament}`;

function remember(number) {
  try {
    localStorage.setItem(key(), number);
  } catch {
    // the link leads to ?me=…
  }
}

// With several on one phone the one whose evening is opened is meant.
function rememberTheOnlyOne() {
  const players = own()?.querySelectorAll("[data-own]") ?? [];
  if (players.length === 1) remember(players[0].dataset.own);
}

rememberTheOnlyOne();
document.addEventListener("htmx:afterSettle", rememberTheOnlyOne);
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-own]");
  if (link) remember(link.dataset.own);
});
