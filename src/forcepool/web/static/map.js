// The map: drag or arrow keys move the view, a click anywhere picks a hex. Without this, its links do the same.

const box = () => document.getElementById("map");
const svg = () => document.getElementById("hexmap");

// Follow an address as a link of the page would be followed, without loading everything again.
function follow(fields) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(fields)) value === "" ? url.searchParams.delete(name) : url.searchParams.set(name, value);
  const link = document.createElement("a");
  link.href = url.href;
  link.dataset.patch = "";
  document.body.append(link);
  link.click();
  link.remove();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target !== box()) return;
  const side = { ArrowLeft: "west", ArrowRight: "east", ArrowUp: "north", ArrowDown: "south" }[event.key];
  const link = side && document.querySelector(`[data-pan=${side}]`);
  if (!link) return;
  event.preventDefault();
  event.stopPropagation();
  link.click();
}, true);

// On a phone the picture is wider than the screen: begin in its middle.
box().scrollLeft = (box().scrollWidth - box().clientWidth) / 2;

// ------------------------------------------------------------------------------------------------ drag and click

let drag = null;

const view = () => svg().getAttribute("viewBox").split(" ").map(Number);
const scale = () => { const matrix = svg().getScreenCTM(); return matrix ? matrix.a : 1; };

// A finger is less steady than a mouse: what a browser may still take for a tap is no drag.
const slack = { touch: 16 };

const letGo = () => {
  if (drag && drag.far) svg().setAttribute("viewBox", drag.view.join(" "));
  drag = null;
};

document.addEventListener("pointerdown", (event) => {
  if (!event.isPrimary) return letGo();
  if (event.button !== 0 || !event.target.closest("#hexmap")) return;
  drag = { x: event.clientX, y: event.clientY, view: view(), far: false, scale: scale() };
});

document.addEventListener("pointermove", (event) => {
  if (!drag || !event.isPrimary || svg().dataset.zoom === "1") return;
  const [dx, dy] = [(event.clientX - drag.x) / drag.scale, (event.clientY - drag.y) / drag.scale];
  if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > (slack[event.pointerType] || 6)) drag.far = true;
  if (drag.far) svg().setAttribute("viewBox", [drag.view[0] - dx, drag.view[1] - dy, drag.view[2], drag.view[3]].join(" "));
});

// The browser scrolls or zooms the page instead.
document.addEventListener("pointercancel", letGo);

document.addEventListener("pointerup", (event) => {
  if (!drag || !event.isPrimary) return;
  const was = drag;
  if (!was.far) return void (drag = null);
  // The click that ends a drag picks nothing.
  setTimeout(() => (drag = null));
  const [column, row] = svg().dataset.middle.split(".").map(Number);
  const [across, down] = svg().dataset.steps.split(" ").map(Number);
  const moved = [Math.round((was.x - event.clientX) / was.scale / across), Math.round((was.y - event.clientY) / was.scale / down)];
  follow({ view: `${Math.max(column + moved[0], 0)}.${Math.max(row + moved[1], 0)}` });
});

document.addEventListener("dragstart", (event) => event.target.closest?.("#hexmap") && event.preventDefault());

document.addEventListener("click", (event) => {
  if (!event.target.closest("#hexmap") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (drag && drag.far) return void event.preventDefault();
  const link = event.target.closest("a");
  if (link) {
    event.preventDefault();
    return follow(Object.fromEntries(new URLSearchParams(link.getAttribute("href"))));
  }
  const cell = cellAt(event);
  if (cell) follow({ at: `@${cell}`, view: svg().dataset.middle, zoom: svg().dataset.zoom });
});

// The hex whose middle is nearest to where one clicked.
function cellAt(event) {
  const matrix = svg().getScreenCTM();
  if (!matrix) return null;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  const [across, down] = svg().dataset.steps.split(" ").map(Number);
  const low = svg().dataset.low === "even" ? 0 : 1;
  let best = null;
  const first = Math.floor((x - (2 * across) / 3) / across);
  for (const column of [first, first + 1]) {
    const drop = Math.abs(column % 2) === low ? down / 2 : 0;
    const row = Math.round((y - down / 2 - drop) / down);
    const far = Math.hypot(x - (column * across + (2 * across) / 3), y - (row * down + down / 2 + drop));
    if (column >= 0 && row >= 0 && (!best || far < best.far)) best = { far, cell: `${column}.${row}` };
  }
  return best && best.far < down ? best.cell : null;
}

// ------------------------------------------------------------------------------------- the stack under the pointer

function point(event) {
  const told = document.getElementById("pointed");
  const stack = event.target.closest?.("#hexmap a.stack");
  if (!told) return;
  told.hidden = !stack;
  if (!stack) return;
  told.textContent = stack.getAttribute("aria-label");
  const [at, room] = [stack.getBoundingClientRect(), told.offsetParent.getBoundingClientRect()];
  const left = Math.min(Math.max(at.left - room.left - told.offsetWidth / 2, 4), room.width - told.offsetWidth - 4);
  const above = at.top - room.top - told.offsetHeight - 6;
  Object.assign(told.style, { left: `${left}px`, top: `${above > 0 ? above : at.bottom - room.top + 6}px` });
}

document.addEventListener("pointerover", (event) => event.pointerType !== "touch" && point(event));
document.addEventListener("focusin", point);
