// What a reader would call wrong on a page as it lies now: wider than the screen, things upon each other, words cut off.
() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1) found.push(`wider than the screen: ${root.scrollWidth} of ${innerWidth}`);
  // A live update finds a line by its name: of two of one name, one would vanish.
  const ids = new Set();
  for (const { id } of document.querySelectorAll("main [id]")) {
    if (ids.has(id)) found.push(`two of one name: ${id}`);
    ids.add(id);
  }
  const named = (each) => {
    const words = (each.ariaLabel || each.textContent || each.name || "").replace(/\s+/g, " ").trim().slice(0, 40);
    return `${each.localName}${each.id ? `#${each.id}` : ""}${each.className && each.className.baseVal === undefined ? `.${String(each.className).split(" ")[0]}` : ""} '${words}'`;
  };
  const folded = "details:not([open]) > :not(summary), [hidden], dialog:not([open]), svg, [aria-hidden=true]";
  const seen = (each) => !each.closest(folded) && each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length;
  // Rolled out of sight within a box that scrolls, or clipped to nothing for readers aloud, is on nobody's way.
  const clipped = (each, rect) => {
    for (let box = each.parentElement; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const edge = box.getBoundingClientRect();
      if (rect.right <= edge.left + 1 || rect.left >= edge.right - 1 || rect.bottom <= edge.top + 1 || rect.top >= edge.bottom - 1) return true;
    }
    return rect.width < 2 || rect.height < 2;
  };
  const pressed = [];
  for (const each of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")) {
    if (!seen(each) || each.closest(".skip, #toasts, #sheet, #held")) continue;
    for (const rect of each.getClientRects()) if (!clipped(each, rect)) pressed.push([each, rect]);
  }
  for (let i = 0; i < pressed.length; i++) {
    const [one, a] = pressed[i];
    for (let j = i + 1; j < pressed.length; j++) {
      const [two, b] = pressed[j];
      if (one === two || one.contains(two) || two.contains(one)) continue;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 2 && high > 3) found.push(`upon each other: ${named(one)} and ${named(two)}`);
    }
  }
  // What is written on a map, each for itself: a name and the line below it are one.
  const written = [...document.querySelectorAll("main svg text.name, main svg text.area")].map((each) => [each.textContent, each.getBBox()]);
  for (const [i, [one, a]] of written.entries()) {
    for (const [two, b] of written.slice(i + 1)) {
      const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      if (wide > 0.5 && high > 0.5) found.push(`names upon each other: ${one} and ${two}`);
    }
  }
  // Letters do not fill their box: a name may come a little near the counters it stands below.
  const stacks = [...document.querySelectorAll("main svg a.stack")].map((each) => each.getBBox());
  for (const [one, a] of written) {
    for (const b of stacks) {
      const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      if (wide > 1.5 && high > 0.27 * a.height) found.push(`a name on a stack: ${one}`);
    }
  }
  for (const each of document.querySelectorAll("#bar *, #tabs a, main *")) {
    if (!each.childNodes.length || each.localName === "option" || each.closest("select, textarea") || !seen(each)) continue;
    const words = [...each.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim());
    const style = words && getComputedStyle(each);
    if (!words || style.textOverflow === "ellipsis" || each.clientWidth < 2 || each.classList.contains("unseen")) continue;
    if (style.overflowX === "hidden" && each.scrollWidth > each.clientWidth + 1) found.push(`cut: ${named(each)}`);
    else if (style.overflowY === "hidden" && each.scrollHeight > each.clientHeight + 4) found.push(`cut below: ${named(each)}`);
  }
  return found.slice(0, 8);
}
