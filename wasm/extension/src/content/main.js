// Marks the titles of a page as they come near the window, and those that the page adds later.
(() => {
  const dex = (globalThis.titledex ??= {});
  if (dex.started) return;
  dex.started = true;

  /** Titles of one message: a screenful comes at once, and the reader is never held up by one page. */
  const BATCH = 40;
  /** Milliseconds of work at a time: less than half of what a frame has. */
  const SLICE = 6;
  /** Marks that are kept, so that a title that comes back is not read again. */
  const KEPT = 4000;
  /** Milliseconds until what a failed message asked for is asked for once more. */
  const RETRY = 1000;

  /** Titles between two looks for those that are gone. */
  const SWEEP = 1000;

  const entries = new Map();
  const near = new Set();
  const marks = new Map();
  const found = [];
  let wanted = new Set();
  let options;
  let considered = 0;
  let asking = false;
  let failed = false;
  let scanning = false;
  let placing = false;
  let ended = false;

  const nearness = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const entry = entries.get(target);
        if (entry) isIntersecting ? arrive(entry) : leave(entry);
      }
      plan();
    },
    { rootMargin: "60% 0px" },
  );
  const changes = new MutationObserver((records) => {
    let ours = true;
    for (const { type, target, addedNodes } of records) {
      if ([...addedNodes].length > 0 && [...addedNodes].every(dex.isOurs)) continue;
      ours = false;
      if (type === "characterData") again(target.parentElement);
      else if (type === "childList") again(target);
      for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE && !dex.isOurs(node)) found.push(node);
    }
    if (ours) return;
    scan();
    plan();
  });

  function watch(root) {
    changes.observe(root, { childList: true, subtree: true, characterData: true });
  }

  /** A title whose text may have changed is looked at again. */
  function again(node) {
    const holder = node?.closest?.(dex.selector(options.adapter));
    if (holder) found.push(holder);
  }

  /** Works through what was found, a slice at a time while the page is idle. */
  function scan() {
    if (scanning || ended || found.length === 0) return;
    scanning = true;
    const idle = globalThis.requestIdleCallback ?? ((call) => setTimeout(call, 16));
    idle(() => {
      scanning = false;
      const until = performance.now() + SLICE;
      while (found.length > 0 && performance.now() < until) {
        const next = found.pop();
        if (next.list) take(next, until);
        else if (next.isConnected) {
          const { elements, roots } = dex.find(next, options.adapter);
          if (elements.length > 0) found.push({ list: elements, at: 0 });
          for (const root of roots) {
            watch(root);
            found.push(...root.children);
          }
        }
      }
      scan();
    }, { timeout: 400 });
  }

  function take(part, until) {
    while (part.at < part.list.length) {
      if (performance.now() >= until) {
        found.push(part);
        return;
      }
      consider(part.list[part.at++]);
    }
  }

  function consider(element) {
    if (++considered % SWEEP === 0) sweep();
    const known = entries.get(element);
    const title = element.isConnected ? dex.titleOf(element, options.adapter) : undefined;
    if (known && known.text === title?.text) {
      known.picture = title.picture;
      return;
    }
    if (known) forget(known);
    if (!title) return;
    entries.set(element, title);
    nearness.observe(element);
  }

  /** Lets go of titles that the page has thrown away far from the window, where nothing tells of it. */
  function sweep() {
    for (const entry of entries.values()) if (!entry.element.isConnected) forget(entry);
  }

  function forget(entry) {
    leave(entry);
    nearness.unobserve(entry.element);
    entries.delete(entry.element);
  }

  function arrive(entry) {
    near.add(entry);
    if (marks.has(entry.text)) show(entry);
    else {
      wanted.add(entry.text);
      void ask();
    }
  }

  function leave(entry) {
    near.delete(entry);
    entry.badge?.remove();
    entry.badge = undefined;
  }

  /** Asks the reader for what is near, a batch at a time, the newest first. */
  async function ask() {
    if (asking) return;
    asking = true;
    // titles of one turn go together
    await new Promise((done) => setTimeout(done, 20));
    while (wanted.size > 0 && !ended) {
      const present = new Set([...near].map(({ text }) => text));
      const titles = [...wanted].filter((text) => present.has(text)).slice(0, BATCH);
      if (titles.length === 0) wanted = new Set();
      else {
        for (const title of titles) wanted.delete(title);
        const answers = await send({ type: "marks", titles });
        if (!answers) {
          // asked for once more soon, and after that when the next title comes
          for (const title of titles) wanted.add(title);
          if (!failed) setTimeout(ask, RETRY);
          failed = true;
          break;
        }
        failed = false;
        if (marks.size > KEPT) marks.clear();
        titles.forEach((title, at) => marks.set(title, answers[at]));
        for (const entry of near) show(entry);
        plan();
      }
    }
    asking = false;
  }

  function show(entry) {
    const mark = marks.get(entry.text);
    if (!mark || entry.badge || !isShown(mark)) return;
    entry.badge = dex.badge(entry.text, mark, options.style);
    // read when the details are opened: prices change while a page is open
    if (options.prices && options.adapter) entry.badge.asked = () => dex.askedOf(entry, options.adapter);
  }

  /** Pages read by structure have much text that is no title: there only cards are marked. */
  function isShown({ tone }) {
    return tone !== "other" || (options.others && options.adapter !== undefined);
  }

  /** Lays the badges anew before the next frame. */
  function plan() {
    if (placing || ended) return;
    placing = true;
    requestAnimationFrame(() => {
      placing = false;
      const shown = [];
      for (const entry of near) {
        if (!entry.element.isConnected) forget(entry);
        else if (entry.badge) shown.push(entry);
      }
      if (shown.length === 0) return;
      dex.layer();
      dex.place(shown, options.place);
    });
  }

  async function send(message) {
    try {
      const reply = await chrome.runtime.sendMessage(message);
      if (reply?.error) throw new Error(reply.error);
      return reply?.value;
    } catch (error) {
      // an extension that was updated or removed leaves this script behind
      if (!chrome.runtime?.id) end();
      else console.warn("titledex:", error.message);
      return undefined;
    }
  }

  function end() {
    ended = true;
    nearness.disconnect();
    changes.disconnect();
    dex.removeLayer();
  }

  /** The next badge in the window after the one that has the focus. */
  function focusNext() {
    const visible = [...near].filter(({ badge }) => badge && !badge.hidden);
    const placed = visible.map(({ badge }) => ({ badge, box: badge.getBoundingClientRect() })).filter(({ box }) => box.bottom > 0 && box.top < innerHeight);
    placed.sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left);
    const at = placed.findIndex(({ badge }) => badge.matches(":focus"));
    placed[(at + 1) % placed.length]?.badge.focus();
  }

  async function start() {
    options = await send({ type: "start" });
    if (!options) return;
    if (options.prices) dex.price = (title, asked) => send({ type: "price", title, asked });
    watch(document);
    found.push(document.documentElement);
    scan();
    addEventListener("scroll", plan, { capture: true, passive: true });
    addEventListener("resize", plan, { passive: true });
    for (const type of ["load", "transitionend", "animationend", "toggle"]) document.addEventListener(type, plan, { capture: true, passive: true });
    new ResizeObserver(plan).observe(document.documentElement);
    chrome.runtime.onMessage.addListener((message) => {
      if (message?.type === "next-mark") focusNext();
    });
  }

  void start();
})();
