// The sheets: their button prints them.
document.querySelector("[data-print]").addEventListener("click", () => print());
