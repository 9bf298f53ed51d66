// A badge, and the details that it opens. All words are attributes that the style sheet writes out: nothing of a page or a title is ever markup, and
// `window.find()`, which looks into closed shadow roots, finds no text.
(() => {
  const dex = (globalThis.titledex ??= {});
  if (dex.badge) return;

  dex.css = `
:host { --ground: #ffffff; --ink: #1f1d1a; --soft: #5f5a52; --line: #d8d3ca; --sure: #2f7d54; --unsure: #a8730c; --several: #a8730c; --missing: #b24a2d; --other: #6b6860; --accent: #21508f; }
@media (prefers-color-scheme: dark) { :host { --ground: #1f2227; --ink: #ecebe8; --soft: #b0ada6; --line: #3d424a; --sure: #55b98a; --unsure: #d8a951; --several: #d8a951; --missing: #e58a6c; --other: #a09d96; --accent: #8fb9ef; } }
* { box-sizing: border-box; font-family: system-ui, "Segoe UI", "Noto Sans", "Noto Sans JP", sans-serif; }
[hidden] { display: none !important; }
[data-text]::before { content: attr(data-text); }
.badge { position: absolute; left: 0; top: 0; display: inline-flex; align-items: center; gap: 5px; width: max-content; max-width: 240px; height: 20px; margin: 0; padding: 0 7px 0 6px; border: 1px solid var(--line); border-radius: 10px; background: var(--ground); color: var(--ink); font-size: 11.5px; font-weight: 500; line-height: 18px; letter-spacing: 0; text-align: start; white-space: nowrap; cursor: pointer; pointer-events: auto; box-shadow: 0 1px 2px rgb(0 0 0 / 0.12); }
.badge:hover { border-color: var(--soft); }
.badge:focus-visible, .close:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.badge.tight .percent, .badge.small > :not(.tone) { display: none; }
.badge.small, .badge.dot { padding: 0 5px; }
.tone { flex: none; width: 8px; height: 8px; border-radius: 50%; background: var(--other); }
.sure .tone { background: var(--sure); }
.unsure .tone { background: none; border: 2px solid var(--unsure); }
.several .tone { background: linear-gradient(90deg, var(--several) 45%, transparent 45% 55%, var(--several) 55%); border-radius: 2px; }
.missing .tone { background: none; border: 2px dashed var(--missing); }
.other .tone { border-radius: 2px; }
.words { display: flex; min-width: 0; white-space: pre; }
.words > * { overflow: hidden; text-overflow: ellipsis; flex: 0 1 auto; min-width: 0; }
.words > .name { flex-shrink: 5; min-width: 3.2em; }
.words > .set { min-width: 2.2em; }
.words > .grade { flex-shrink: 0; }
.head .percent { font-weight: 400; }
.percent { color: var(--soft); font-variant-numeric: tabular-nums; }
.details { position: fixed; margin: 0; width: 320px; max-width: calc(100vw - 16px); max-height: min(70vh, 520px); overflow: auto; padding: 14px 16px 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--ground); color: var(--ink); font-size: 13px; line-height: 1.45; text-align: start; pointer-events: auto; box-shadow: 0 8px 28px rgb(0 0 0 / 0.22); overscroll-behavior: contain; }
.details:focus { outline: none; }
.close { float: inline-end; width: 26px; height: 26px; margin: -4px -6px 0 6px; border: 0; border-radius: 6px; background: none; color: var(--soft); font-size: 17px; line-height: 1; cursor: pointer; }
.close:hover { color: var(--ink); }
.head { margin: 0; font-size: 15px; font-weight: 650; line-height: 1.3; overflow-wrap: anywhere; }
.title, .verdict { margin: 4px 0 0; color: var(--soft); overflow-wrap: anywhere; }
.title { unicode-bidi: isolate; font-size: 12px; }
h3 { margin: 12px 0 4px; font-size: 11.5px; font-weight: 600; color: var(--soft); }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: 3px 0; overflow-wrap: anywhere; }
li + li { border-top: 1px solid var(--line); }
.row { display: flex; gap: 8px; justify-content: space-between; }
.row > :last-child { flex: none; font-variant-numeric: tabular-nums; }
.wide > :last-child { flex: 0 1 auto; text-align: end; }
.faint { color: var(--soft); font-size: 12px; }
.bar { height: 3px; margin: 2px 0; border-radius: 2px; background: var(--line); overflow: hidden; }
.bar > i { display: block; height: 100%; background: var(--accent); }
@media (forced-colors: active) { .tone { forced-color-adjust: none; } }
`;

  /** An element. Words come before its children, and there is one text of them at most. */
  function make(tag, name, ...children) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    for (const child of children) {
      if (typeof child !== "string") element.append(child);
      else if (child) element.dataset.text = child;
    }
    return element;
  }

  /** A badge for what a title was read as; in the layer, but nowhere yet. */
  dex.badge = (title, mark, style) => {
    const badge = make("button", `badge ${mark.tone} ${style}`, make("span", "tone"));
    badge.type = "button";
    badge.hidden = true;
    badge.setAttribute("aria-haspopup", "dialog");
    // who speaks to the page says what they see: the name begins with it
    badge.setAttribute("aria-label", `${[mark.words.join(" · "), mark.sure].filter(Boolean).join(" ")}. ${mark.label}. Title: ${title}`);
    if (style === "full") badge.append(make("span", "words", ...mark.words.map((word, at) => make("span", mark.kinds[at], at === 0 ? word : ` · ${word}`))));
    if (style === "short") badge.append(make("span", "words", mark.words[0]));
    if (style === "full" && mark.sure) badge.append(make("span", "percent", mark.sure));
    badge.addEventListener("click", (event) => {
      // the badge may lie over a link
      event.preventDefault();
      dex.open(title, mark, badge.getBoundingClientRect(), badge, badge.asked?.());
    });
    dex.layer().append(badge);
    return badge;
  };

  let details;
  let opener;

  /** Opens the details beside a rectangle of the window; closing gives the focus back. */
  dex.open = (title, mark, beside, from, asked) => {
    const layer = dex.layer();
    if (!details) {
      details = make("div", "details");
      details.popover = "auto";
      details.tabIndex = -1;
      details.setAttribute("role", "dialog");
      details.addEventListener("toggle", ({ newState }) => newState === "closed" && opener?.isConnected && opener.focus({ preventScroll: true }));
    }
    if (details.parentNode !== layer) layer.append(details);
    opener = from;
    const close = make("button", "close", "×");
    close.type = "button";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => details.hidePopover());
    const price = make("div", "price");
    details.replaceChildren(close, ...content(title, mark, price));
    void fillPrice(price, title, asked);
    details.setAttribute("aria-label", `titledex: ${mark.words.join(", ")}`);
    if (!details.matches(":popover-open")) details.showPopover();
    const { offsetWidth: width, offsetHeight: height } = details;
    const below = beside.bottom + 6 + height <= innerHeight || beside.top < height + 12;
    const y = below ? beside.bottom + 6 : beside.top - height - 6;
    details.style.left = `${Math.max(8, Math.min(beside.left, innerWidth - width - 8))}px`;
    details.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
    details.focus({ preventScroll: true });
  };

  /** Fills in what the card costs, where the user asked for that, once the service has said it. */
  async function fillPrice(price, title, asked) {
    const rows = await dex.price?.(title, asked);
    if (!rows) return;
    price.replaceChildren(make("h3", "", "Price"), make("ul", "", ...rows.map(([word, value]) => make("li", "row wide", make("span", "", word), make("span", "", value)))));
  }

  function content(title, { words, sure, details: { verdict, facts, settle, cards, evidence } }, price) {
    const row = (name, ...cells) => make("li", name, ...cells.map((cell) => make("span", "", cell)));
    const list = (heading, rows) => (rows.length > 0 ? [make("h3", "", heading), make("ul", "", ...rows)] : []);
    const card = ({ name, more, share, sure }) => {
      const fill = document.createElement("i");
      fill.style.width = `${Math.max(1, share * 100)}%`;
      return make("li", "", make("div", "row", make("span", "", name), make("span", "", sure)), make("div", "bar", fill), make("div", "faint", more));
    };
    return [
      make("p", "head", words[0], make("span", "percent", sure ? `\u2002${sure}` : "")),
      make("p", "verdict", words.slice(1).join(" · ")),
      price,
      make("p", "title", title),
      make("p", "verdict", verdict),
      ...list("What would settle it", settle.map(([field, values]) => row("row wide", field, values))),
      ...list("Cards", cards.map(card)),
      ...list("Evidence, in log-odds", evidence.map(([field, note, weight]) => row("row", `${field}: ${note}`, weight))),
      ...list("The title states", facts.map(([field, value]) => row("row wide", field, value))),
    ];
  }

  /** Details of the words that are selected, for the context menu. */
  dex.explain = (title, mark) => {
    const selection = getSelection();
    const rectangle = selection?.rangeCount ? selection.getRangeAt(0).getBoundingClientRect() : undefined;
    const middle = { left: innerWidth / 2 - 160, top: innerHeight / 3, bottom: innerHeight / 3 };
    dex.open(title, mark, rectangle?.width ? rectangle : middle);
  };
})();
