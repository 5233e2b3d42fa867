// The findings beside the text follow what is typed, half a second behind.
const text = document.querySelector("[data-lint]");
const box = document.getElementById("ob-findings");
let waiting = 0;

function line(each) {
  const item = document.createElement("li");
  const number = document.createElement("b");
  number.textContent = `line ${each.line}`;
  item.append(number, ` ${each.kind}: ${each.text} ${each.hint || ""} ${each.clause || ""}`);
  item.addEventListener("click", () => select(each.line));
  return item;
}

function select(number) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, number - 1).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[number - 1] || "").length);
}

async function check() {
  const answer = await fetch(text.dataset.lint, {
    method: "post",
    headers: { accept: "application/json", "x-token": document.body.dataset.token },
    body: new URLSearchParams({ text: text.value, token: document.body.dataset.token }),
  }).catch(() => null);
  if (!answer || !answer.ok) return;
  const found = await answer.json();
  const title = document.createElement("h2");
  title.textContent = `${found.entries} entries, ${found.count} findings`;
  const list = document.createElement("ul");
  list.className = "entries";
  list.append(...found.findings.map(line));
  box.replaceChildren(title, list);
}

text?.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(check, 500);
});
