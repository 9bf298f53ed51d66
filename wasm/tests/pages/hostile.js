// Titles that are markup, a shadow root with titles, and a page that listens to everything and removes what it does not know.
const TITLES = [
  `<img src=x onerror="globalThis.harmed = 'img'"> Charizard 4/102 Base Set`,
  `"><script>globalThis.harmed = 'script'</script> Pikachu 58/102 Base Set`,
  `<style>*{display:none!important}</style> Venusaur 15/102 Base Set`,
];
for (const title of TITLES) {
  const item = document.createElement("li");
  item.className = "s-item";
  const text = document.createElement("div");
  text.className = "s-item__title";
  text.textContent = title;
  item.append(text);
  document.getElementById("list").append(item);
}
customElements.define(
  "item-shelf",
  class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: "open" });
      const item = document.createElement("div");
      item.className = "s-item";
      const text = document.createElement("div");
      text.className = "s-item__title";
      text.textContent = "Mewtwo 10/102 Base Set Holo PSA 8";
      item.append(text);
      root.append(item);
    }
  },
);
globalThis.heard = [];
for (const type of ["click", "pointerdown", "keydown", "focusin"]) document.addEventListener(type, (event) => globalThis.heard.push(`${type} ${event.target.localName}`));
let removals = 0;
new MutationObserver(() => {
  for (const node of document.querySelectorAll("html > div")) if (removals++ < 3) node.remove();
}).observe(document.documentElement, { childList: true });
