// The text of an order of battle: a finding leads to its line, and tidying puts the tidy text in the box.
const text = document.getElementById("ob-written");

document.addEventListener("click", (event) => {
  const found = event.target.closest("#ob-findings [data-line]");
  if (!found || event.target.closest("a")) return;
  const lines = text.value.split("\n");
  const number = Number(found.dataset.line);
  const start = lines.slice(0, number - 1).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[number - 1] || "").length);
});

document.querySelector("[data-tidy]")?.addEventListener("click", async (event) => {
  event.preventDefault();
  const answer = await fetch(text.form.dataset.try, {
    method: "post",
    headers: { accept: "application/json", "x-token": document.body.dataset.token },
    body: new URLSearchParams({ text: text.value, token: document.body.dataset.token }),
  }).catch(() => null);
  if (!answer?.ok) return;
  text.value = (await answer.json()).tidy;
  text.dispatchEvent(new Event("input", { bubbles: true }));
});
