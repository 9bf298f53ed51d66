// Where badges lie: in one layer over the page, so that no element of the page moves, and none of its styles reaches them.
(() => {
  const dex = (globalThis.titledex ??= {});
  if (dex.layer) return;

  /** A page that keeps removing the layer is not fought for ever. */
  const RETURNS = 20;
  const HOST = { all: "initial", position: "absolute", top: "0", left: "0", width: "0", height: "0", display: "block", "z-index": "2147483646", "pointer-events": "none", opacity: "1", visibility: "visible", contain: "style" };
  let host;
  let shadow;
  let returns = 0;

  /** The layer's closed shadow root, in the document. */
  dex.layer = () => {
    if (!host) {
      // no name or attribute that only this extension has
      host = document.createElement("div");
      for (const [name, value] of Object.entries(HOST)) host.style.setProperty(name, value, "important");
      shadow = host.attachShadow({ mode: "closed" });
      style(shadow);
      // what happens on a badge is no business of the page's
      for (const type of ["click", "auxclick", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "keydown", "keyup", "contextmenu"]) {
        shadow.addEventListener(type, (event) => event.stopPropagation());
      }
    }
    if (!host.isConnected && returns++ < RETURNS) document.documentElement.append(host);
    return shadow;
  };
  dex.isOurs = (node) => node === host;
  dex.removeLayer = () => host?.remove();

  function style(shadow) {
    try {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(dex.css);
      shadow.adoptedStyleSheets = [sheet];
    } catch {
      // Firefox lets no content script adopt a sheet
      const element = document.createElement("style");
      element.textContent = dex.css;
      shadow.append(element);
    }
  }

  const GAP = 5;
  const DOT = 20;
  const NARROWEST = 48;
  const WIDEST = 300;
  /** Room that a badge beside a title wants. */
  const BESIDE = 210;
  const SMALL_PICTURE = 150;
  /** What is narrower than this may be missed when a place is searched for what lies there. */
  const PROBE = 16;

  /** Lays badges beside what they mark: first all reading, then all writing, so that the page is laid out once. */
  dex.place = (entries, preferred) => {
    for (const { badge } of entries) {
      if (!badge.hidden) continue;
      badge.style.visibility = "hidden";
      badge.hidden = false;
    }
    const origin = host.getBoundingClientRect();
    const limit = { right: document.documentElement.clientWidth };
    for (const entry of entries) if (entry.measured !== entry.badge) Object.assign(entry, { measured: entry.badge, width: entry.badge.scrollWidth + 2 });
    const places = entries.map((entry) => spot(entry, preferred, limit));
    entries.forEach(({ badge, width }, at) => {
      const place = places[at];
      badge.hidden = !place;
      badge.style.visibility = "";
      if (!place) return;
      badge.style.transform = `translate(${Math.round(place.x - origin.left)}px, ${Math.round(place.y - origin.top)}px)`;
      badge.style.maxWidth = `${Math.floor(Math.min(place.room, WIDEST))}px`;
      // what does not fit is told by the details: first the percentage goes, then all but the dot
      badge.classList.toggle("tight", width > place.room);
      badge.classList.toggle("small", place.room < NARROWEST);
    });
  };

  function spot({ element, item, picture, badge, width }, preferred, limit) {
    const height = badge.offsetHeight || 20;
    const around = item.getBoundingClientRect();
    if (preferred === "picture" && picture?.isConnected) {
      const frame = picture.getBoundingClientRect();
      if (frame.width >= 90 && frame.height >= 60) {
        // over the picture, and a little further where the item goes on beside a small one
        const inside = frame.width - 2 * GAP;
        const room = Math.max(inside, Math.min(SMALL_PICTURE, Math.min(around.right, limit.right) - frame.left - 2 * GAP));
        return seen({ x: frame.left + GAP, y: frame.bottom - height - GAP, room }, picture, item, height);
      }
    }
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return undefined;
    const range = document.createRange();
    range.selectNodeContents(element);
    const last = [...range.getClientRects()].filter(({ width }) => width > 0).at(-1) ?? box;
    const right = Math.min(limit.right, Math.max(box.right, around.right));
    const wanted = Math.min(width, BESIDE);
    const beside = { x: last.right + GAP, y: last.top + (last.height - height) / 2, room: right - last.right - GAP };
    const further = { ...beside, room: limit.right - last.right - 2 * GAP };
    const below = { x: Math.max(0, box.left), y: box.bottom + 1, room: Math.max(NARROWEST, right - box.left) };
    const above = { ...below, y: box.top - height - 1 };
    const free = [beside, further, below, above].find((place) => place.room >= wanted && isFree(place, wanted, height, element));
    return seen(free ?? { ...beside, room: DOT }, element, item, height);
  }

  /** Whether a place holds nothing of the page but the ground that what is marked stands on too. */
  function isFree({ x, y }, width, height, anchor) {
    const steps = Math.ceil(width / PROBE);
    return Array.from({ length: steps + 1 }, (_, step) => x + 1 + ((width - 2) * step) / steps).every((at) => {
      const middle = y + height / 2;
      if (at < 0 || middle < 0 || at >= innerWidth || middle >= innerHeight) return true;
      const top = document.elementsFromPoint(at, middle).find((element) => element !== host);
      return !top || (top !== anchor && holds(top, anchor));
    });
  }

  /** The place, unless something of the page lies over what is marked there: a menu, a sticky header, a dialogue. */
  function seen(place, anchor, item, height) {
    const x = place.x + 6;
    const y = place.y + height / 2;
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return place;
    const top = document.elementsFromPoint(x, y).find((element) => element !== host);
    if (!top || holds(top, anchor) || holds(item, top)) return place;
    // a neighbour's ground may lie there without hiding anything: what counts is whether the anchor itself is covered
    const box = anchor.getBoundingClientRect();
    const middle = document.elementsFromPoint(Math.min(innerWidth - 1, Math.max(0, box.left + Math.min(8, box.width / 2))), Math.min(innerHeight - 1, Math.max(0, box.top + box.height / 2))).find((element) => element !== host);
    return !middle || holds(middle, anchor) || holds(anchor, middle) || holds(item, middle) ? place : undefined;
  }

  /** Whether `outer` is `inner` or around it, shadow roots included. */
  function holds(outer, inner) {
    for (let node = inner; node; node = node.parentNode ?? node.host) if (node === outer) return true;
    return false;
  }
})();
