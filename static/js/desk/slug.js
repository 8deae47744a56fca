// The address follows the name until somebody types an address; the server makes one just the same if it stays empty.
const name = document.querySelector("#id_name");
const slug = document.querySelector("[data-slug]");
const spelt = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

const made = (text) =>
  text
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => spelt[letter])
    .normalize("NFKD")
    .replace(/[^a-z0-9\s-]/g, "")
    .trim()
    .replace(/[\s-]+/g, "-")
    .slice(0, 52)
    .replace(/^-+|-+$/g, "");

if (name && slug) {
  let follows = slug.value === "" || slug.value === made(name.value);
  slug.addEventListener("input", () => {
    follows = slug.value === "";
  });
  name.addEventListener("input", () => {
    if (follows) slug.value = made(name.value);
  });
}
