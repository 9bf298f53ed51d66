// Finds the titles of listings in a page: by the selectors of a site's adapter, or by structure where there is none.
// Content scripts are plain scripts of one world: what they share is `globalThis.titledex`.
(() => {
  const dex = (globalThis.titledex ??= {});
  if (dex.find) return;

  const SHORTEST = 8;
  const LONGEST = 400;
  /** Where pages without an adapter keep titles. */
  const GENERIC = "a[href], h1, h2, h3, h4, [itemprop='name']";
  /** What a card's title has nearly always: a digit, or letters that are not Latin. */
  const TELLING = /\d|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

  /** The selector whose elements hold titles. */
  dex.selector = (adapter) => (adapter ? [adapter.title, adapter.attribute?.selector, adapter.single?.title].filter(Boolean).join(", ") : GENERIC);

  /** Elements of `root` that may hold titles, and the open shadow roots below it. */
  dex.find = (root, adapter) => {
    const selector = dex.selector(adapter);
    const elements = [...root.querySelectorAll(selector)];
    if (root.nodeType === Node.ELEMENT_NODE && root.matches(selector)) elements.unshift(root);
    const roots = [];
    const all = [root, ...root.querySelectorAll("*")];
    for (const element of all) if (element.shadowRoot) roots.push(element.shadowRoot);
    return { elements, roots };
  };

  /** What an element's title is: its text, where that can be one, and the parts of the page around it. Undefined where there is none. */
  dex.titleOf = (element, adapter) => {
    const text = adapter ? ofAdapter(element, adapter) : ofStructure(element);
    if (!text || text.length < SHORTEST || text.length > LONGEST) return undefined;
    const around = element.parentElement ?? element;
    // the heading of a page that sells one thing: no picture of the page is sure to be its own
    if (adapter?.single && element.matches(adapter.single.title)) return { element, text, item: around, single: true };
    const item = (adapter && element.closest(adapter.item)) ?? around;
    // where the title is said of the picture, that is where it stands
    const own = adapter?.attribute && element.matches(adapter.attribute.selector) ? element : undefined;
    const picture = own ?? (adapter?.picture ? (item.querySelector(adapter.picture) ?? undefined) : undefined);
    return { element, text, item, picture };
  };

  /** What the page asks for what has this title, as the page writes it: within its item, or anywhere on a page that sells one thing. */
  dex.askedOf = ({ element, item, single }, adapter) => {
    const [within, price] = single ? [element.getRootNode(), adapter.single.price] : [item, adapter.price];
    return price ? within.querySelector(price)?.textContent : undefined;
  };

  function ofAdapter(element, { attribute, title, single, drop = [] }) {
    if (attribute && element.matches(attribute.selector) && !element.matches(single ? `${title}, ${single.title}` : title)) {
      const value = element.getAttribute(attribute.name) ?? "";
      return clean(attribute.until ? value.split(attribute.until)[0] : value);
    }
    return clean(textOf(element, drop.join(", ")));
  }

  function ofStructure(element) {
    if (element.closest("nav, footer, header nav, [role='navigation']")) return undefined;
    // of nested candidates the innermost holds the title alone
    if (element.querySelector(GENERIC)) return undefined;
    const text = clean(textOf(element, ""));
    return TELLING.test(text) && /\S\s+\S|[\u3040-\u9fff]/u.test(text) ? text : undefined;
  }

  /** The text of an element without that of the parts to drop, of scripts and of styles. */
  function textOf(element, drop) {
    const skip = drop ? `script, style, ${drop}` : "script, style";
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
      if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
      return node.matches(skip) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    });
    let text = "";
    while (walker.nextNode() && text.length <= 2 * LONGEST) text += walker.currentNode.nodeValue;
    return text;
  }

  function clean(text) {
    return text.replace(/\s+/gu, " ").trim().toWellFormed();
  }
})();
