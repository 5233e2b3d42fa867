// The turn page: which of the news this seat has not seen yet, as the server remembers it.

function mark() {
  const fresh = (document.getElementById("beside")?.dataset.fresh || "").split(" ").filter(Boolean);
  for (const each of fresh) document.getElementById(`news-${each}`)?.classList.add("fresh");
  const told = document.querySelector("[data-new]");
  if (told) told.textContent = fresh.length ? `${fresh.length} new` : "";
}

mark();
document.addEventListener("patched", mark);
