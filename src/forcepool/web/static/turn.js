// The turn page: which of the news one has not seen yet, as this browser remembers it.

const KEY = `news ${document.body.dataset.path} ${document.getElementById("side")?.value || ""}`;
const lines = () => [...document.querySelectorAll("#agenda-news li[id]")];
let known = null;
try {
  known = JSON.parse(localStorage.getItem(KEY));
} catch {
  // Whatever was kept there was not ours.
}
const seen = new Set(Array.isArray(known) ? known : []);

function mark() {
  const fresh = seen.size ? lines().filter((line) => !seen.has(line.id)) : [];
  for (const line of fresh) line.classList.add("fresh");
  const told = document.querySelector("[data-new]");
  if (told) told.textContent = fresh.length ? `${fresh.length} new` : "";
  localStorage.setItem(KEY, JSON.stringify(lines().map((line) => line.id)));
}

mark();
document.addEventListener("patched", mark);
