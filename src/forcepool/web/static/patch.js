// Make one piece of a page like a fresh copy of it, touching only what differs: focus, scroll and open boxes stay.
// The copy stays whole: a part that is shown at once is looked at again with the rest of the page.

const keyOf = (node) => (node.nodeType === 1 ? node.id || node.dataset.key_ || "" : "");

export function patch(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return void old.replaceWith(document.importNode(fresh, true));
  if (old.nodeType !== 1) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  attributes(old, fresh);
  if (old.matches("textarea, select")) {
    // What someone is writing or choosing is theirs.
    if (old.matches("select") && document.activeElement !== old && old.innerHTML !== fresh.innerHTML) old.innerHTML = fresh.innerHTML;
    return;
  }
  children(old, fresh);
}

function attributes(old, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    // What someone has written and not yet sent is theirs.
    const theirs = name === "value" && old.matches("input") && (document.activeElement === old || old.value !== old.defaultValue);
    old.setAttribute(name, value);
    if (name === "value" && old.matches("input") && !theirs) old.value = value;
  }
  for (const { name } of [...old.attributes]) {
    // A box someone opened stays open.
    if (!fresh.hasAttribute(name) && !(name === "open" && old.matches("details"))) old.removeAttribute(name);
  }
}

function children(old, fresh) {
  const keyed = new Map();
  for (const child of old.childNodes) if (keyOf(child)) keyed.set(keyOf(child), child);
  const wanted = new Set([...fresh.childNodes].map(keyOf).filter(Boolean));
  let at = old.firstChild;
  for (const next of fresh.childNodes) {
    // Answers shown where the hand is are not the server's: they stay until closed.
    while (at && at.nodeType === 1 && at.hasAttribute("data-keep")) at = at.nextSibling;
    const key = keyOf(next);
    const match = key ? keyed.get(key) : null;
    if (match) {
      if (match !== at) old.insertBefore(match, at);
      else at = at.nextSibling;
      patch(match, next);
    } else if (at && !key && !wanted.has(keyOf(at)) && !keyOf(at) && at.nodeName === next.nodeName) {
      const here = at;
      at = at.nextSibling;
      patch(here, next);
    } else {
      old.insertBefore(document.importNode(next, true), at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    if (!(gone.nodeType === 1 && gone.hasAttribute("data-keep"))) gone.remove();
  }
}
