// A Chromium with the extension in it, and eyes for what lies in its closed shadow roots.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { args, chromium, executablePath, watch } from "./chromium.mjs";

/** Hosts that stand for the sites of the adapters; browsers lead `*.localhost` to this machine. */
export const HOSTS = {
  ebay: "auction.localhost",
  tcgplayer: "fixed.localhost",
  cardmarket: "offers.localhost",
  "mercari-us": "cells.localhost",
  facebook: "market.localhost",
  vinted: "feed.localhost",
  kleinanzeigen: "adverts.localhost",
  marktplaats: "advertenties.localhost",
  leboncoin: "annonces.localhost",
  mercari: "flea.localhost",
  yahoo: "bids.localhost",
  rakuma: "boxes.localhost",
  magi: "lots.localhost",
  buyee: "proxy.localhost",
};

/** Copies a built extension to `folder`, with sites that know the test hosts, and a manifest that may read them from the beginning. */
export function alter(built, folder) {
  cpSync(built, folder, { recursive: true });
  const edit = (name, change) => writeFileSync(join(folder, name), JSON.stringify(change(JSON.parse(readFileSync(join(folder, name), "utf8")))));
  edit("sites.json", (all) => all.map((site) => ({ ...site, matches: [...site.matches.slice(0, 1), `http://${HOSTS[site.id]}/*`] })));
  edit("manifest.json", (manifest) => ({ ...manifest, host_permissions: ["http://*.localhost/*", "https://*/*"] }));
}

/**
 * Starts Chromium with the built extension, altered in two points alone, because no test can press the browser's own buttons:
 * the adapters know a test host more, and the hosts are allowed from the beginning. `probe` is a page of one of them.
 */
export async function start(probe, { sites = Object.keys(HOSTS), own = [], ...settings } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "titledex-extension-"));
  const built = join(folder, "extension");
  alter("dist/extension-chromium", built);
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath,
    viewport: { width: 1100, height: 800 },
    args: [...args, "--headless=new", `--disable-extensions-except=${built}`, `--load-extension=${built}`],
  });
  const seen = watch(context);
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  const id = new URL(worker.url()).host;
  // an extension page sets what is chosen, as the options page does
  const page = await context.newPage();
  await page.goto(`chrome-extension://${id}/options/options.html`);
  await page.evaluate((chosen) => chrome.storage.local.set(chosen), { sites, own, ...settings });
  await page.waitForFunction(async (wanted) => ((await chrome.scripting.getRegisteredContentScripts())[0]?.matches.length ?? 0) >= wanted, sites.length + own.length);
  await page.goto(probe);
  await marked(page);
  await page.close();
  return {
    context,
    seen,
    id,
    worker: () => context.serviceWorkers()[0] ?? context.waitForEvent("serviceworker"),
    page: (path) => `chrome-extension://${id}/${path}`,
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Loads a page anew until the content scripts are in it: registered is not yet at work, since the browser hands scripts to each of its processes when it comes to it.
 */
export async function marked(page) {
  const inspector = await page.context().newCDPSession(page);
  let arrived = false;
  inspector.on("Runtime.executionContextCreated", ({ context }) => (arrived ||= context.origin.startsWith("chrome-extension://") && context.auxData?.type === "isolated"));
  await inspector.send("Runtime.enable");
  for (let tries = 1; !arrived && tries <= 100; tries += 1) {
    await page.waitForTimeout(50);
    if (!arrived && tries % 20 === 0) await page.reload();
  }
  await inspector.detach();
  if (!arrived) throw new Error(`the content scripts never came to ${page.url()}`);
}

/** What the extension shows in a page, seen through the inspector, which alone looks into closed shadow roots. */
export class Marks {
  static async of(page) {
    const marks = new Marks();
    marks.page = page;
    marks.inspector = await page.context().newCDPSession(page);
    return marks;
  }

  async #nodes() {
    const { root } = await this.inspector.send("DOM.getDocument", { depth: -1, pierce: true });
    const found = [];
    const walk = (node, inside) => {
      const ours = inside || isLayer(node);
      if (ours && node.nodeType === 1) found.push(node);
      for (const child of [...(node.children ?? []), ...(node.shadowRoots ?? [])]) walk(child, ours);
    };
    walk(root, false);
    return found;
  }

  async #with(name) {
    return (await this.#nodes()).filter((node) => attributes(node).class?.split(" ").includes(name));
  }

  /** All badges: words, label, tone, whether they are hidden, and where they lie in the window. */
  async badges() {
    const badges = [];
    for (const node of await this.#with("badge")) {
      const { class: name, hidden, "aria-label": label } = attributes(node);
      badges.push({ nodeId: node.nodeId, text: textOf(node), label, tone: name.split(" ")[1], hidden: hidden !== undefined, box: await this.#box(node.nodeId) });
    }
    return badges;
  }

  /** The badge whose label holds `words`, once there is one that can be seen. */
  async badge(words) {
    return this.#until(async () => (await this.badges()).find(({ label, hidden }) => label.includes(words) && !hidden), `a badge for ${words}`);
  }

  /** At least `count` badges that can be seen. */
  async atLeast(count) {
    return this.#until(async () => {
      const shown = (await this.badges()).filter(({ hidden }) => !hidden);
      return shown.length >= count ? shown : undefined;
    }, `${count} badges`);
  }

  /** The text of the open details, undefined while none are open. */
  async details() {
    const [details] = await this.#with("details");
    return details && (await this.#box(details.nodeId)) ? textOf(details) : undefined;
  }

  async open(text) {
    return this.#until(async () => {
      const details = await this.details();
      return details?.includes(text) ? details : undefined;
    }, `details with ${text}`);
  }

  /** What a screen reader is told, as one text. */
  async spoken() {
    const { nodes } = await this.inspector.send("Accessibility.getFullAXTree");
    return nodes.filter(({ ignored, role }) => !ignored && role.value !== "InlineTextBox").map(({ name }) => name?.value ?? "").join("\n");
  }

  /** Names of all elements that the extension made. */
  async elements() {
    return (await this.#nodes()).map(({ localName }) => localName);
  }

  async focused() {
    const { result } = await this.inspector.send("Runtime.evaluate", { expression: "document.activeElement?.matches('html > div') ? 'layer' : document.activeElement?.localName" });
    return result.value;
  }

  /** Widths of a badge's words, by kind, as it is and when it is as narrow as `width`. */
  async widths(words, width) {
    const badge = (await this.badges()).find(({ label }) => label.includes(words));
    const { object } = await this.inspector.send("DOM.resolveNode", { nodeId: badge.nodeId });
    const { result } = await this.inspector.send("Runtime.callFunctionOn", {
      objectId: object.objectId,
      returnByValue: true,
      arguments: [{ value: width }],
      functionDeclaration: `function (width) {
        const measure = (most) => {
          this.style.maxWidth = most;
          return Object.fromEntries([...this.querySelectorAll(".words > *")].map((word) => [word.className, word.getBoundingClientRect().width]));
        };
        return { wide: measure("none"), narrow: measure(width + "px") };
      }`,
    });
    return result.value;
  }

  async #box(nodeId) {
    try {
      const [x, y, right, , , bottom] = (await this.inspector.send("DOM.getBoxModel", { nodeId })).model.border;
      return { x, y, width: right - x, height: bottom - y };
    } catch {
      return undefined;
    }
  }

  async #until(look, what) {
    for (let tries = 0; tries < 200; tries += 1) {
      const found = await look().catch(() => undefined);
      if (found) return found;
      await this.page.waitForTimeout(50);
    }
    throw new Error(`waited in vain for ${what}; there are: ${JSON.stringify(await this.badges())}`);
  }
}

function attributes({ attributes = [] }) {
  return Object.fromEntries(Array.from({ length: attributes.length / 2 }, (_, at) => attributes.slice(2 * at, 2 * at + 2)));
}

/** Whether a node is the layer of the extension: nothing but its closed root tells it from others. */
function isLayer({ localName, shadowRoots }) {
  return localName === "div" && shadowRoots?.[0]?.shadowRootType === "closed";
}

/** The words of an element, which its style sheet writes out. */
function textOf(node) {
  if (node.nodeType === 3) return node.nodeValue;
  return [attributes(node)["data-text"] ?? "", ...(node.children ?? []).map(textOf)].join("");
}
