// The force pool: to and fro between the counters and the card, and the card in view when it opens.

const card = () => document.getElementById("card");
const picked = () => document.querySelector(".charts [aria-current]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if (event.key === "ArrowRight" && event.target.closest(".charts")) {
    const first = card()?.querySelector("[data-row]");
    if (!first) return;
    event.preventDefault();
    first.focus();
  } else if (event.key === "ArrowLeft" && event.target.closest("#card")) {
    event.preventDefault();
    (picked() || document.querySelector(".charts [data-row]"))?.focus();
  }
});

let open = picked()?.href || "";
document.addEventListener("patched", () => {
  const now = picked()?.href || "";
  // Its head is what one wants to see first, also of a card longer than the screen.
  const top = card()?.getBoundingClientRect().top ?? 0;
  if (now && now !== open && (top < 0 || top > innerHeight - 80)) card().scrollIntoView({ block: "start" });
  open = now;
});
