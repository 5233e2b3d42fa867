// Everything by keyboard: a letter opens a page or presses a button that bears it, arrows walk through what can be chosen.

const typing = (target) => target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");

export function watchKeys({ closeSheet }) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") {
      closeSheet();
      return escape(event);
    }
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === "/") return focusFind(event);
    if (event.key === "?") return document.getElementById("help").showModal();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") return walk(event, event.key === "ArrowDown" ? 1 : -1);
    if (event.key === "x") return tick(event);
    if (event.key === "Enter") return enter(event);
    const press = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (press) {
      event.preventDefault();
      press.click();
    }
  });
}

function escape(event) {
  for (const open of document.querySelectorAll("details.more[open]")) open.removeAttribute("open");
  if (typing(event.target)) event.target.blur();
  const answer = event.target.closest(".refusal");
  if (answer) answer.remove();
}

function focusFind(event) {
  event.preventDefault();
  const find = document.getElementById("find");
  if (find) {
    find.focus();
    find.select();
  }
}

// What a closed fold holds has a place on the page for some browsers, but cannot be gone to.
const FOLDED = "details:not([open]) > :not(summary)";
const rows = () => [...document.querySelectorAll("main [data-row]")].filter((row) => row.getClientRects().length && !row.closest(FOLDED));

function walk(event, step) {
  // What an order has made impossible stands there only until the hand leaves: nothing is to be done with it.
  const all = rows().filter((row) => !row.classList.contains("gone-now") || row.contains(event.target));
  if (!all.length) return;
  const now = all.findIndex((row) => row === event.target || row.contains(event.target));
  const next = all[now < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(now + step, 0), all.length - 1)];
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

function tick(event) {
  const box = event.target.closest("[data-row]")?.querySelector("[data-tick]");
  if (box) box.click();
}

function enter(event) {
  const row = event.target;
  if (!row.matches("[data-row]") || row.matches("a, button")) return;
  // What does harm asks by keyboard too: the first Enter opens the question, the next answers it.
  const sure = row.querySelector("details.sure:not([open])");
  if (sure) {
    event.preventDefault();
    sure.open = true;
    return sure.querySelector("button").focus();
  }
  const first = row.querySelector(".order button") || row.querySelector("a[href], button:not([data-tick])");
  if (first) {
    event.preventDefault();
    first.click();
  }
}
