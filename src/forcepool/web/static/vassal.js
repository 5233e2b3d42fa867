// A save of VASSAL's: dropped anywhere on the page, sent at once, and what came of it shown below; the files stay chosen.
const form = document.getElementById("vassal-form");
const files = document.getElementById("vassal-files");
const text = document.getElementById("vassal-text");
const looks = document.getElementById("vassal-looks");
const key = `vassal ${form.dataset.at} ${form.dataset.seat}`;
const beside = form.hasAttribute("data-beside");

// Where the match file does not lie beside the campaign, this browser keeps it for the seat.
function recall() {
  if (beside) return;
  try {
    const kept = JSON.parse(localStorage.getItem(key) || "{}");
    if (!text.value) text.value = kept.match || "";
    looks.value = kept.looks || "";
  } catch {
    localStorage.removeItem(key);
  }
}

function keep(change) {
  if (beside) return;
  const kept = { match: text.value, looks: looks.value, ...change };
  [text.value, looks.value] = [kept.match, kept.looks];
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // A full store keeps nothing; the text stands in its box all the same.
  }
}

function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("vassal-found");
  const old = document.getElementById("vassal-found");
  if (!fresh) return void (old.textContent = "The server did not answer as it should. Nothing is lost: try again.");
  old.replaceWith(fresh);
  text.value = fresh.dataset.match || text.value;
  if (!fresh.querySelector(".refusal")) keep({ match: text.value, looks: fresh.dataset.looks });
  fresh.focus({ preventScroll: true });
}

async function send() {
  const button = form.querySelector("button");
  button.disabled = true;
  document.body.dataset.working = "";
  const data = new FormData(form);
  data.set("token", document.body.dataset.token);
  try {
    const answer = await fetch(form.action, { method: "post", headers: { "x-part": "1" }, body: data });
    if (answer.status === 413) throw new Error("These files are too large for this server; use forcepool vassal sync.");
    show(await answer.text());
  } catch (error) {
    const said = error instanceof TypeError ? "The files could not be sent. Try again." : error.message;
    document.getElementById("vassal-found").textContent = said;
  }
  delete document.body.dataset.working;
  button.disabled = false;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});

addEventListener("dragover", (event) => {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  form.classList.add("over");
});
addEventListener("dragleave", (event) => event.relatedTarget || form.classList.remove("over"));
addEventListener("drop", (event) => {
  form.classList.remove("over");
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  // A save dropped alone goes with the module that is chosen already.
  const dropped = [...event.dataTransfer.files];
  const has = (ending) => dropped.some((each) => each.name.toLowerCase().endsWith(ending));
  const stays = [...files.files].filter((each) => /[.]vm(od|dx)$/i.test(each.name) && !has(".vmod"));
  const all = new DataTransfer();
  for (const each of [...dropped, ...stays]) all.items.add(each);
  files.files = all.files;
  form.requestSubmit();
});

document.addEventListener("outcome", (event) => {
  if (event.target.id === "vassal-give" && event.detail.accepted) keep({ looks: event.detail.looks });
});
recall();
