// Pages work without this file. With it, a form answers where the hand is, the page follows what others do, and keys work.
import { patch } from "./patch.js";
import { watchKeys } from "./keys.js";
import { forgive, holds, release, remember, show, spend } from "./hand.js";

const body = document.body;
const path = body.dataset.path || "";
const PATIENCE = 20000;

// On a narrow screen the pages scroll sideways: the one that is open is in sight.
const tabs = document.getElementById("tabs");
const open = tabs?.querySelector("a.on");
if (open) tabs.scrollLeft = open.offsetLeft - (tabs.clientWidth - open.offsetWidth) / 2;

// ------------------------------------------------------------------------------------------- asking the server

async function ask(url, options = {}) {
  try {
    return await fetch(url, { credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE), ...options });
  } catch {
    say("The server did not answer. Nothing is lost: try again.", [], null);
    return null;
  }
}

let refreshing = null;
let again = false;
// Ticks sent and answered, and those still on their way.
let ticks = 0;
let ticking = 0;

export async function refresh() {
  if (refreshing) {
    again = true;
    return refreshing;
  }
  refreshing = (async () => {
    do {
      again = false;
      const known = ticks;
      const answer = await ask(location.href, { headers: { "x-patch": "1" } });
      // A seat that was taken away: what the page shows is no longer ours to see.
      if (answer?.status === 404) return location.reload();
      if (!answer || !answer.ok) return;
      const html = await answer.text();
      // A page fetched before a tick was answered may not know of it; the one that does follows.
      if (known === ticks && !ticking) take(html);
    } while (again);
  })();
  await refreshing;
  refreshing = null;
}

// A line that moves or is done takes the focus with it: it goes back to the line, or to the one that took its place.
function keepFocus() {
  const held = document.activeElement;
  const row = held?.closest?.("main [data-row]");
  const at = row ? [...document.querySelectorAll("main [data-row]")].indexOf(row) : -1;
  return () => {
    if (document.activeElement && document.activeElement !== body) return;
    if (held?.isConnected) return held.focus({ preventScroll: true });
    const same = held?.id && document.getElementById(held.id);
    const rows = document.querySelectorAll("main [data-row]");
    const next = same || (at >= 0 && rows[Math.min(at, rows.length - 1)]);
    if (next) next.focus({ preventScroll: true });
  };
}

// The entry that the middle of the page shows, and those of one's own that it was told of.
let shown = Number(body.dataset.seq || 0);
let mine = [];
const mineSince = (seq) => mine.filter((each) => each > seq);

function take(html, atOnce = false) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  if (fresh.body.dataset.path !== body.dataset.path) return location.reload();
  const seq = Number(fresh.body.dataset.seq);
  body.dataset.seq = fresh.body.dataset.seq;
  body.dataset.token = fresh.body.dataset.token;
  document.title = fresh.title;
  for (const id of ["bar", "whatif", "tabs"]) renew(id, fresh);
  const apply = () => {
    const restore = keepFocus();
    for (const each of document.querySelectorAll(".undo-now")) each.remove();
    renew("main", fresh);
    shown = seq;
    restore();
    document.dispatchEvent(new CustomEvent("patched"));
  };
  // What one asked for oneself, such as another page of a list, is shown wherever the hand is; no order moves it.
  atOnce ||= seq === shown;
  show(fresh, apply, seq - shown > mineSince(shown).length);
  if (atOnce) release(true);
}

function renew(id, fresh) {
  const [old, now] = [document.getElementById(id), fresh.getElementById(id)];
  if (old && now) patch(old, now);
}

// Follow a link within the same page (a filter, a counter's card) without loading everything again.
export async function go(url, push = true) {
  const answer = await ask(url, { headers: { "x-patch": "1" } });
  if (!answer) return;
  if (!answer.ok) return void (location.href = url);
  if (push) history.pushState(null, "", url);
  take(await answer.text(), true);
}

addEventListener("popstate", () => go(location.href, false));

// ------------------------------------------------------------------------------------------------------- forms

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method === "get" && form.hasAttribute("data-patch")) {
    event.preventDefault();
    const fields = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
    const url = `${form.action}?${fields}`.replace(/[?]$/, "");
    // Narrowing a list is no step that one wants to go back through.
    if (form.hasAttribute("data-replace")) history.replaceState(null, "", url);
    return void go(url, !form.hasAttribute("data-replace"));
  }
  if (form.method !== "post") return;
  if (form.hasAttribute("data-plain")) return void remember(event.submitter?.getBoundingClientRect());
  event.preventDefault();
  send(form, event.submitter);
});

// One after another: a second order given before the first is answered stands on what the first has changed.
let sending = Promise.resolve();

function send(form, button) {
  const data = new FormData(form, button);
  const held = holds() && form.closest("#main");
  const seen = Number(form.dataset.seen || (held ? shown : body.dataset.seq));
  const rect = button?.getBoundingClientRect();
  form.setAttribute("aria-busy", "true");
  // A tick is shown at once, and may be taken back before the first is answered.
  if (form.classList.contains("tick")) {
    ticking += 1;
    ticked(form, data.get("on"));
  } else {
    spend(rect);
    if (button) button.disabled = true;
  }
  // What takes a while says so, in a corner where it moves nothing.
  const slow = setTimeout(() => (body.dataset.working = ""), 700);
  const answered = () => (clearTimeout(slow), delete body.dataset.working);
  sending = sending.then(() => sent(form, button, data, seen, rect)).catch(reportError).finally(answered);
}

async function sent(form, button, data, seen, rect) {
  data.set("token", body.dataset.token);
  if (data.has("seen")) {
    data.set("seen", seen);
    if (!form.dataset.seen && mineSince(seen).length) data.set("own", mineSince(seen).join(" "));
  }
  const hasFile = [...data.values()].some((value) => value instanceof File);
  const answer = await ask(form.action, {
    method: "post",
    headers: { accept: "application/json", "x-token": body.dataset.token },
    body: hasFile ? data : new URLSearchParams(data),
  });
  form.removeAttribute("aria-busy");
  if (button) button.disabled = false;
  if (form.classList.contains("tick")) {
    ticking -= 1;
    ticks += 1;
  }
  if (!answer && form.classList.contains("tick")) ticked(form, data.get("on") ? "" : "yes");
  if (!answer) return forgive();
  if (!(answer.headers.get("content-type") || "").includes("json")) {
    const text = (await answer.text()).slice(0, 300);
    return void say(answer.ok ? "Done." : text.startsWith("<") ? "This page is out of date. Load it again." : text, [], null);
  }
  const outcome = await answer.json();
  form.dispatchEvent(new CustomEvent("outcome", { bubbles: true, detail: outcome }));
  if (outcome.accepted) {
    // What one has just done oneself is known, before the page shows it.
    if (outcome.entry === Number(body.dataset.seq) + 1) body.dataset.seq = outcome.entry;
    if (outcome.entry) for (let each = outcome.back_to || outcome.entry; each <= outcome.entry; each++) mine.push(each);
    if (outcome.entry && !form.classList.contains("tick")) struck(form, button, outcome);
    closeAnswer(form);
    closeQuestion(form);
    if (form.hasAttribute("data-ends") || form.id === "end-phase") closeSheet();
    if (outcome.says) say(outcome.says, outcome.words || [], outcome.entry ? path : null, outcome.back_to, outcome.seq, outcome.undid);
    if (outcome.go) {
      remember(rect);
      return void (location.href = outcome.go);
    }
    // What was given is no longer something that one is writing.
    const clears = form.hasAttribute("data-clear");
    if (!clears) for (const each of form.querySelectorAll("input:not([type=hidden])")) each.defaultValue = each.value;
    refresh().then(() => clears && form.reset());
  } else {
    forgive();
    showAnswer(form, outcome);
    if (outcome.kind === "stale" || form.classList.contains("tick")) refresh();
  }
}

// The box as it was asked for, where the page itself may have to wait; the next click asks for the other.
function ticked(form, asked) {
  ticks += 1;
  form.querySelector("[data-tick]")?.setAttribute("aria-checked", String(asked === "yes"));
  form.closest("[data-row]")?.classList.toggle("done", asked === "yes");
  form.elements.on.value = asked === "yes" ? "" : "yes";
}

// The line that was done stays where it is, struck, with the way back beside it, until the hand leaves.
function struck(form, button, outcome) {
  const row = form.closest("[data-row]");
  if (!row || !button || outcome.undid) return;
  for (const older of document.querySelectorAll(".undo-now")) older.remove();
  const label = button.textContent;
  Object.assign(button.style, { width: `${button.getBoundingClientRect().width}px`, paddingInline: "0" });
  Object.assign(row.style, { height: `${row.getBoundingClientRect().height}px`, boxSizing: "border-box" });
  row.classList.add("done-now");
  for (const each of row.querySelectorAll("button, select, input, summary")) each.inert = true;
  button.textContent = "Done";
  const undo = element("form", { method: "post", action: `${path}/undo`, class: "undo-now", "data-keep": "" },
    element("input", { type: "hidden", name: "to", value: outcome.back_to || outcome.entry }),
    element("input", { type: "hidden", name: "seen", value: outcome.seq }),
    element("button", { class: "small" }, "Undo"));
  undo.dataset.seen = outcome.seq;
  undo.addEventListener("outcome", (event) => {
    if (!event.detail.accepted) return;
    row.classList.remove("done-now");
    row.removeAttribute("style");
    button.removeAttribute("style");
    for (const each of row.querySelectorAll("[inert]")) each.inert = false;
    button.textContent = label;
    undo.remove();
  });
  (row.querySelector(".how") || form).after(undo);
}

// A field that searches as one types.
let typed = null;
document.addEventListener("input", (event) => {
  if (!event.target.matches("[data-live]")) return;
  clearTimeout(typed);
  typed = setTimeout(() => event.target.form.requestSubmit(), 200);
});

// A select that acts at once, such as the side one looks from.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-send]")) event.target.form.requestSubmit();
});

// ------------------------------------------------------------------------------ what came of it, where the hand is

function closeAnswer(form) {
  const next = form.nextElementSibling;
  if (next && next.matches(".refusal")) next.remove();
}

// A die entered or a refusal overruled settles whatever it was the answer to, however many boxes deep.
function closeQuestion(form) {
  let box = form.closest(".refusal");
  while (box?.parentElement?.closest(".refusal")) box = box.parentElement.closest(".refusal");
  box?.remove();
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function clauseLink(id) {
  return element("a", { class: "clause", href: `${path}/rules/${encodeURIComponent(id)}` }, id);
}

const TITLES = {
  refused: "Refused",
  wrong: "Not understood",
  forbidden: "Not yours to do",
  stale: "Changed since you looked",
  die: "A die is needed",
  asked: "Asked",
  disk: "Not recorded",
  withheld: "Not recorded",
  busy: "Not now",
  help: "What would help",
};

// What keeps a phase from ending lies below the work: it covers nothing that cannot be scrolled up, and moves nothing.
function showSheet(html) {
  const sheet = document.getElementById("sheet");
  sheet.innerHTML = html;
  sheet.hidden = false;
  body.style.paddingBottom = document.documentElement.style.scrollPaddingBottom = `${sheet.offsetHeight}px`;
  sheet.focus({ preventScroll: true });
}

export function closeSheet() {
  const sheet = document.getElementById("sheet");
  if (!sheet || sheet.hidden) return;
  sheet.hidden = true;
  sheet.replaceChildren();
  body.style.paddingBottom = document.documentElement.style.scrollPaddingBottom = "";
}

function showAnswer(form, outcome) {
  closeAnswer(form);
  if (outcome.panel) return showSheet(outcome.panel);
  // Given by its key, an order of the closed menu would be answered where nobody sees it.
  if (form.closest("details:not([open])")) return say(TITLES[outcome.kind] || "Not done", [outcome.says]);
  const box = element(
    "div",
    { class: "refusal", role: "alert", tabindex: "-1", "data-keep": "" },
    ...(outcome.helps && outcome.kind === "help" ? [] : [element("h4", {}, TITLES[outcome.kind] || "Not done")]),
    ...(outcome.kind === "stale" ? outcome.words || [] : []).map((each) => element("p", {}, each)),
    element("p", {}, outcome.says),
  );
  if (outcome.reasons && outcome.reasons.length) {
    const list = element("ul", { class: "reasons" });
    for (const each of outcome.reasons) list.append(element("li", {}, ...(each.clause ? [clauseLink(each.clause), " "] : []), each.sentence));
    box.append(list);
  }
  if (outcome.helps) box.append(document.createRange().createContextualFragment(outcome.helps));
  const order = outcome.order || (form.elements.order && form.elements.order.value);
  if (outcome.kind === "refused" && !outcome.final && order) box.append(overrule(form, order));
  if (outcome.kind === "die" && order) box.append(die(form, order, outcome.sides));
  const close = element("button", { type: "button", class: "small" }, "Close");
  close.addEventListener("click", () => box.remove());
  box.append(" ", close);
  form.after(box);
  box.focus();
}

function again_(form, order, field, label, button, kind) {
  const made = element("form", { method: "post", action: `${path}/do`, class: "fields" }, element("input", { type: "hidden", name: "order", value: order }));
  for (const name of ["seen", "back", "token", "die", "override"]) {
    if (name !== field.getAttribute("name") && form.elements[name]) made.append(element("input", { type: "hidden", name, value: form.elements[name].value }));
  }
  made.append(element("label", {}, label, field), element("button", { class: kind }, button));
  return made;
}

function overrule(form, order) {
  return again_(form, order, element("textarea", { name: "override", required: "", rows: "2" }), "Overrule with a note", "Overrule", "warn");
}

function die(form, order, sides) {
  // Where a rule asks for several, those entered so far stay in the field.
  const before = form.elements.die ? `${form.elements.die.value.trim()} ` : "";
  return again_(form, order, element("input", { name: "die", required: "", value: before }), `What the d${sides} shows${before ? ", after the others" : ""}`, "Enter it", "go");
}

export function say(text, words = [], undoPath = null, backTo = 0, seen = 0, undid = false) {
  const toast = element("div", { class: "toast" }, element("div", {}, element("b", {}, text), ...words.slice(0, 4).map((each) => element("div", { class: "words" }, each))));
  if (undoPath) {
    const undo = element("form", { method: "post", action: `${undoPath}/${undid ? "redo" : "undo"}` }, element("button", {}, undid ? "Bring back" : "Undo"));
    // Several entries made together are undone together, unless someone has played on since.
    if (backTo) undo.append(element("input", { type: "hidden", name: "to", value: backTo }), element("input", { type: "hidden", name: "seen", value: seen }));
    if (backTo) undo.dataset.seen = seen;
    undo.addEventListener("outcome", (event) => event.detail.accepted && toast.remove());
    toast.append(undo);
  }
  const close = element("button", { type: "button", "aria-label": "Close" }, "×");
  close.addEventListener("click", () => toast.remove());
  toast.append(close);
  // One notice at a time: several would cover the work, and undo takes back the last command, not an older one's.
  document.getElementById("toasts").replaceChildren(toast);
  setTimeout(() => toast.matches(":hover, :focus-within") || toast.remove(), 12000);
}

// ---------------------------------------------------------------------------------------- what others do meanwhile

if (path) {
  const stream = new EventSource(`${path}/changes?seen=${body.dataset.seq}`);
  stream.addEventListener("entry", (event) => {
    if (event.data !== body.dataset.seq) refresh();
  });
  // How far a long task of one's own is, while one looks at it.
  stream.addEventListener("job", () => document.querySelector("[data-job]") && refresh());
  stream.addEventListener("error", () => stream.readyState === EventSource.CLOSED && refresh());
  addEventListener("pagehide", () => stream.close());
}

// Whoever waits for a task is shown what came of it; whoever comes back to its page later is not led away again.
let waits = Boolean(document.querySelector("[data-job] progress"));
document.addEventListener("patched", () => {
  const found = waits && document.querySelector("[data-job][data-go]");
  waits = Boolean(document.querySelector("[data-job] progress"));
  if (found) location.replace(found.dataset.go);
});

// ------------------------------------------------------------------------------------------ dialogs and settings

document.addEventListener("click", (event) => {
  if (event.target.closest("#sheet [data-close]")) closeSheet();
  const opener = event.target.closest("[data-open]");
  if (opener) {
    opener.closest("details")?.removeAttribute("open");
    document.getElementById(opener.dataset.open).showModal();
  }
  const link = event.target.closest("a[data-patch]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    go(link.href);
  }
});

document.getElementById("look-form")?.addEventListener("change", (event) => {
  const chosen = Object.fromEntries(["type", "paper", "onward"].map((name) => [name, event.currentTarget.elements[name].value]));
  for (const name of ["type", "paper"]) document.documentElement.dataset[name] = chosen[name];
  const ends = document.querySelector("#end-phase [name=onward]");
  if (ends) ends.value = chosen.onward;
  document.cookie = `look=${new URLSearchParams(chosen)}; path=/; max-age=31536000; samesite=strict`;
});

const done = new URLSearchParams(location.search).get("done");
if (done && path) {
  say(`Done: entry ${done}.`, [], path);
  history.replaceState(null, "", location.href.replace(/([?&])done=[0-9]+&?/, "$1").replace(/[?&]$/, ""));
}

watchKeys({ closeSheet });
