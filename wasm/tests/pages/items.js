// More items, made from the first one of the page: `addItems(titles)`. With `?scroll` fifty more come whenever the end of the page is near.
const list = document.getElementById("list");
const pattern = list.firstElementChild.cloneNode(true);
const TITLE = ".s-item__title [role=heading], .product-card__title, [data-testid=thumbnail-item-name]";
globalThis.clicks = [];

globalThis.addItems = (titles) => {
  const items = titles.map((title, at) => {
    const item = pattern.cloneNode(true);
    item.querySelector(TITLE).textContent = title;
    for (const link of item.querySelectorAll("a")) link.setAttribute("href", `#added/${list.childElementCount + at}`);
    return item;
  });
  list.append(...items);
};

list.addEventListener("click", (event) => {
  event.preventDefault();
  globalThis.clicks.push(event.target.closest("a")?.getAttribute("href") ?? event.target.localName);
});

if (location.search === "?scroll") {
  let page = 0;
  const grow = () => {
    if (page < 6 && innerHeight + scrollY > document.documentElement.scrollHeight - 400) {
      page += 1;
      globalThis.addItems(Array.from({ length: 50 }, (_, at) => `Blastoise 2/102 Base Set Holo PSA ${(at % 10) + 1} page ${page}`));
    }
  };
  addEventListener("scroll", grow, { passive: true });
  grow();
}
