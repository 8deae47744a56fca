// The strip in the top bar (templates/scoring/organiser/_strip.html): the rest of the round ticks, the title of the page says how many tables
// call, and the parts of the page that are of another version than the strip (data-news) fetch themselves, unless somebody is at work in them.

let arrivedAt = 0;

function tick() {
  const clock = document.querySelector("#strip [data-left]");
  if (!clock) return;
  const left = Math.max(0, Math.round(clock.dataset.left - (performance.now() - arrivedAt) / 1000));
  clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id !== "strip") return;
  arrivedAt = performance.now();
  tick();
  const calls = target.querySelector("[data-calls]");
  document.title = (calls ? `(${calls.dataset.calls}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  const { value } = target.querySelector("[name=seen]");
  for (const part of document.querySelectorAll("[data-news]")) {
    if (part.dataset.news !== value && !part.contains(document.activeElement)) part.dispatchEvent(new CustomEvent("news"));
  }
});

setInterval(tick, 1000);
