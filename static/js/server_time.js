// The time of the server, whatever the clock of this device says. The page asks for it once, where it shows a clock; its news bring it again.

let ahead = NaN; // the clock of the server, before that of this device by so many milliseconds

// An answer tells whole seconds, of a moment between `asked` and `got`. What is known is kept, unless that shows it to be wrong: a slow
// answer does not set the clock back. Of what is possible the earliest is taken.
function learn(at, asked, got) {
  const least = at - got;
  const most = at + 1000 - asked;
  if (!(least <= ahead && ahead <= most)) ahead = least; // not known yet, known better now, or a clock was set
}

/** The time of the server in milliseconds; NaN until it has told it. */
export const serverTime = () => Date.now() + ahead;

document.addEventListener("live:contact", ({ detail }) => learn(Number(detail.at), detail.asked, detail.got));

async function ask() {
  const asked = Date.now();
  const answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store" });
  const got = Date.now();
  if (answer.headers.has("Date")) learn(Date.parse(answer.headers.get("Date")), asked, got);
}

// The news will tell it as well. Without the query the kept page answers.
if (document.querySelector("[data-ends-at], [data-clock], [data-kind=draw]")) ask().catch(() => {});
