// The hand: nothing that can be clicked moves under it because of an order, one's own or another's.
//
// Where the hand is, the page waits: a line that was done stays, struck, until the hand leaves it, and what others did is
// shown then. A second click on the spot where something was just done does nothing.
import { patch } from "./patch.js";

const ZONES = "main [data-still], main .card, main section, main .fold";
const TOUCH = 2000;

let hand = null; // where the pointer is
let spent = null; // the spot where something was just done
let waiting = null; // the fresh page that waits, and the zone it waits for
let byKey = false; // whether the keyboard was used last

const inside = (rect, { x, y }) => rect && x >= rect.left - 3 && x <= rect.right + 3 && y >= rect.top - 3 && y <= rect.bottom + 3;
const plain = ({ left, top, right, bottom }) => ({ left, top, right, bottom });

// ------------------------------------------------------------------------------------------- the spot just used

export function spend(rect, touch = hand?.touch) {
  if (!rect || byKey) return;
  spent = { rect: plain(rect), until: touch ? Date.now() + TOUCH : 0 };
}

export function forgive() {
  spent = null;
}

// Over to the page that comes next, which may have another button on the same spot.
export function remember(rect) {
  if (rect && !byKey) sessionStorage.setItem("spent", JSON.stringify({ rect: plain(rect), until: Date.now() + TOUCH }));
}

const before = sessionStorage.getItem("spent");
if (before) {
  sessionStorage.removeItem("spent");
  spent = JSON.parse(before);
}

function stillSpent(event) {
  if (spent?.until && spent.until < Date.now()) spent = null;
  return spent && inside(spent.rect, { x: event.clientX, y: event.clientY });
}

for (const kind of ["click", "dblclick"]) {
  document.addEventListener(
    kind,
    (event) => {
      // A click without a pointer is the keyboard's, or a script's.
      if (!event.isTrusted || (!event.clientX && !event.clientY) || event.detail === 0 || !stillSpent(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      tell("Done just now. Move the pointer away before you do more.");
    },
    true,
  );
}

// Said in the corner, where it covers nothing and can be clicked by nobody.
function tell(words) {
  const corner = document.getElementById("held");
  if (!corner) return;
  corner.hidden = !words;
  corner.textContent = words;
}

// ----------------------------------------------------------------------------------------------- where it is

function moved(event) {
  hand = { x: event.clientX, y: event.clientY, touch: event.pointerType === "touch", on: event.target };
  byKey = false;
  if (spent && !inside(spent.rect, hand)) {
    spent = null;
    if (!waiting) tell("");
  }
  if (waiting && zoneOf(hand.on) !== waiting.zone) release();
}

document.addEventListener("pointermove", moved, true);
document.addEventListener("pointerdown", moved, true);
document.documentElement.addEventListener("pointerleave", (event) => {
  if (event.pointerType === "touch") return;
  hand = null;
  if (!byKey) release();
});
// A finger that scrolls is about to press nothing.
let scrolled = null;
addEventListener(
  "scroll",
  () => {
    if (!waiting || !hand?.touch) return;
    clearTimeout(scrolled);
    scrolled = setTimeout(() => (hand = null, release()), 400);
  },
  { passive: true },
);
document.addEventListener(
  "keydown",
  (event) => {
    if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
    byKey = true;
    spent = null;
  },
  true,
);
// The focus is the keyboard's hand: it has left when it is on another line.
document.addEventListener("focusin", () => byKey && waiting && setTimeout(() => waiting && zone() !== waiting.zone && release()));

const zoneOf = (element) => (element instanceof Element ? element.closest(ZONES) : null);

function zone() {
  if (byKey) return document.activeElement?.closest?.("main [data-row]") || null;
  return hand ? zoneOf(hand.on) : null;
}

// ------------------------------------------------------------------------------------------------ the page waits

// Make the page like the fresh one as soon as that moves nothing under the hand.
export function show(fresh, apply, others) {
  const held = zone();
  waiting = { fresh, apply, zone: held };
  if (!held || !document.body.contains(held)) return release();
  for (const part of document.querySelectorAll("main [data-part]")) {
    const now = fresh.getElementById(part.id);
    if (now && !part.contains(held) && !held.contains(part) && apart(part)) patch(part, now);
    else if (now && held.contains(part) && part.hasAttribute("data-fixed") && !inside(part.getBoundingClientRect(), hand || {})) patch(part, now);
  }
  for (const row of held.closest("main").querySelectorAll("[data-row][id]:not(.done-now)")) {
    const now = fresh.getElementById(row.id);
    row.classList.toggle("gone-now", !now);
    if (now) retell(row, now);
  }
  if (others) tell("Something has changed. It is shown when your hand leaves the list.");
}

// What a purchase leaves is told anew where that takes no more room than before.
function retell(row, now) {
  const [told, fresh] = [row.querySelector("p > small"), now.querySelector("p > small")];
  if (!told || !fresh || told.textContent === fresh.textContent) return;
  const [before, height] = [told.textContent, row.offsetHeight];
  told.textContent = fresh.textContent;
  if (row.offsetHeight !== height) told.textContent = before;
}

// Beside the hand or below it, nothing that changes moves what is under it.
function apart(part) {
  if (!hand) return false;
  const { left, right, top } = part.getBoundingClientRect();
  return left > hand.x || right < hand.x || top > hand.y;
}

export function release(now = false) {
  if (!waiting) return;
  const { fresh, apply } = waiting;
  const row = !now && hand && hand.on instanceof Element ? hand.on.closest("main [data-row][id]") : null;
  if (row && !byKey && row.isConnected && !fresh.getElementById(row.id)) {
    // What it has come to is gone too.
    waiting.zone = zoneOf(hand.on);
    return;
  }
  waiting = null;
  tell("");
  if (now) apply();
  else anchored(apply);
}

export const holds = () => Boolean(waiting);

// What the hand has come to stays where it is, though lines above it come and go.
function anchored(apply) {
  const on = !byKey && hand ? document.elementFromPoint(hand.x, hand.y)?.closest("main [data-row], main .card, main section") : null;
  const main = document.getElementById("main");
  const was = on?.getBoundingClientRect().top;
  apply();
  main.style.paddingTop = "";
  if (!on?.isConnected) return;
  scrollBy(0, on.getBoundingClientRect().top - was);
  const short = was - on.getBoundingClientRect().top;
  if (short > 1) main.style.paddingTop = `${parseFloat(getComputedStyle(main).paddingTop) + short}px`;
}
