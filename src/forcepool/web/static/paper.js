// On paper: every sheet says at its edge which campaign, turn and phase it is of, where the browser prints anything there.
const edge = "CSSMarginRule" in window ? new CSSStyleSheet() : null;

addEventListener("beforeprint", () => {
  const said = document.querySelector(".printed");
  if (!edge || !said) return;
  const words = said.textContent.replace(/\s+/g, " ").trim().replace(/["\\]/g, "\\$&");
  const page = document.title.split(" · ")[0].replace(/["\\]/g, "\\$&");
  edge.replaceSync(`@page { margin: 16mm 12mm;
    @top-left { content: "${words}"; font-size: 9pt }
    @top-right { content: "${page}, " counter(page) " of " counter(pages); font-size: 9pt } }
    @media print { .printed { display: none !important } }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((each) => each !== edge), edge];
});

// Paper cannot be opened: what is folded only for want of room is printed whole, and folded again afterwards.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("main details.rest:not([open]), main details.fold:not([open])")];
  for (const each of opened) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of opened) each.open = false;
  opened = [];
});
