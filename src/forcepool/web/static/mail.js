// A turn that came by mail: dropped anywhere on the page, and sent at once.
const form = document.getElementById("mail-form");
const file = document.getElementById("mail-file");

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
  file.files = event.dataTransfer.files;
  form.requestSubmit();
});
file.addEventListener("change", () => form.requestSubmit());
document.getElementById("came")?.focus();
