// Trying before doing: a form with data-try shows what would come of it, as one types or when asked, and nothing is done.

const body = document.body;
let waiting = null;
let asked = 0;

async function tryIt(form) {
  const mine = ++asked;
  const data = new URLSearchParams(new FormData(form));
  data.set("token", body.dataset.token);
  let answer;
  try {
    answer = await fetch(form.dataset.try, { method: "post", headers: { "x-part": "tried" }, body: data, signal: AbortSignal.timeout(20000) });
  } catch {
    return;
  }
  if (!answer.ok || mine !== asked) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("tried");
  const shown = document.getElementById("tried");
  if (!fresh || !shown || shown.isEqualNode(fresh)) return;
  shown.replaceWith(fresh);
}

const soon = (form) => {
  clearTimeout(waiting);
  waiting = setTimeout(() => tryIt(form), Number(form.dataset.wait || 200));
};
const forms = () => document.querySelectorAll("form[data-try]");

document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (form?.dataset.try && event.target.matches("[data-type]")) soon(form);
});

// A unit picked from the list becomes a line of the text.
function pick(form, button) {
  const text = form.elements.text;
  const isolated = form.elements.isolated?.checked ? " isolated" : "";
  const before = text.value.trimEnd();
  text.value = `${before}${before ? "\n" : ""}${button.value}${isolated}\n`;
  text.scrollTop = text.scrollHeight;
}

// One of several units that a line may mean takes the place of what was written.
function choose(form, button) {
  const [number, column, length, ...words] = button.value.split(" ");
  const text = form.elements.text;
  const lines = text.value.split("\n");
  const line = [...lines[number - 1]];
  line.splice(column - 1, Number(length), words.join(" "));
  lines[number - 1] = line.join("");
  text.value = lines.join("\n");
}

// Before the script of all pages sees it.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    const button = event.submitter;
    if (!form.dataset.try || !button?.hasAttribute("formaction")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (button.name === "pick") pick(form, button);
    if (button.name === "choose") choose(form, button);
    tryIt(form);
  },
  true,
);

document.addEventListener("outcome", (event) => {
  const form = event.target;
  if (!form.dataset?.try || event.detail.left === undefined) return;
  form.elements.text.value = event.detail.left ? `${event.detail.left}\n` : "";
  tryIt(form);
});

// What others did may have changed what would come of it.
document.addEventListener("patched", () => forms().forEach((form) => form.querySelector("[data-type]")?.value && tryIt(form)));
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.form?.dataset.try) event.target.form.requestSubmit();
});
// What came with the page has been tried already where the form says so.
forms().forEach((form) => !form.hasAttribute("data-tried") && form.querySelector("[data-type]")?.value && tryIt(form));
