import { save, settings } from "../background/settings.js";
import { adapters } from "../background/sites.js";
import { fill, h } from "../ui/dom.js";
import { GAMES } from "../ui/games.js";
import { gameWord } from "../ui/words.js";

const at = (id) => document.getElementById(id);
const say = (text) => (at("status").textContent = text);
let chosen = await settings();
const sites = await adapters();

async function keep(changes) {
  await save(changes);
  chosen = await settings();
  say("Saved.");
}

function drawSites() {
  const rows = sites.map(({ id, name, matches }) => {
    const hosts = matches.map(hostOf).join(", ");
    const box = h("input", { type: "checkbox", value: id, onchange: () => switchSite(box, id, matches) });
    box.checked = chosen.sites.includes(id);
    return h("label", {}, box, name, h("span", { class: "hosts" }, hosts));
  });
  fill(at("sites"), rows);
}

async function switchSite(box, id, matches) {
  const others = chosen.sites.filter((site) => site !== id);
  if (!box.checked) {
    await keep({ sites: others });
    await chrome.permissions.remove({ origins: matches }).catch(() => {});
    return;
  }
  if (await allowed(matches)) await keep({ sites: [...others, id] });
  else box.checked = false;
}

/** Asks the browser for the right to read pages; only within a click. */
async function allowed(origins) {
  try {
    if (await chrome.permissions.request({ origins })) return true;
    say("Without the browser’s permission the site stays as it is.");
  } catch (error) {
    say(error.message);
  }
  return false;
}

function drawOwn() {
  const rows = chosen.own.map((pattern) => {
    const remove = async () => {
      await keep({ own: chosen.own.filter((other) => other !== pattern) });
      await chrome.permissions.remove({ origins: [pattern] }).catch(() => {});
      drawOwn();
    };
    return h("li", {}, hostOf(pattern), h("button", { type: "button", "aria-label": `Remove ${hostOf(pattern)}`, onclick: remove }, "Remove"));
  });
  fill(at("own"), rows);
}

function hostOf(pattern) {
  return pattern.replace(/^[a-z*]+:\/\//, "").replace(/\/\*$/, "").replace(/^\*\./, "");
}

at("add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = at("host").value.trim();
  const address = /^https?:\/\//.test(given) ? given : `https://${given}`;
  if (!URL.canParse(address) || !/^[a-z0-9.-]+$/.test(new URL(address).hostname)) return say("Enter the name of a site, such as shop.example.com.");
  const { hostname } = new URL(address);
  const pattern = `https://${hostname}/*`;
  if (chosen.own.includes(pattern) || !(await allowed([pattern]))) return;
  await keep({ own: [...chosen.own, pattern] });
  at("host").value = "";
  drawOwn();
});

async function showInfo() {
  const reply = await chrome.runtime.sendMessage({ type: "info" });
  at("info").textContent = reply?.value ? `${reply.value.cards.toLocaleString("en-GB")} cards in ${reply.value.sets.toLocaleString("en-GB")} sets` : (reply?.error ?? "");
}

function drawGames() {
  const rows = GAMES.map((game) => {
    const box = h("input", { type: "checkbox", value: game, onchange: () => switchGame(box.checked, game) });
    box.checked = chosen.games.includes(game);
    return h("label", {}, box, ` ${gameWord(game)}`);
  });
  fill(at("games"), rows);
}

async function switchGame(on, game) {
  const others = chosen.games.filter((other) => other !== game);
  if (!on && others.length === 0) say("One game at least is read.");
  else await keep({ games: on ? [...others, game] : others });
  for (const box of at("games").querySelectorAll("input")) box.checked = chosen.games.includes(box.value);
  await showInfo();
}

at("catalogue").value = chosen.catalogue;
at("catalogue").addEventListener("change", async ({ target }) => {
  await keep({ catalogue: target.value });
  await showInfo();
});
for (const name of ["style", "place"]) {
  for (const button of document.querySelectorAll(`input[name=${name}]`)) {
    button.checked = chosen[name] === button.value;
    button.addEventListener("change", () => keep({ [name]: button.value }));
  }
}
at("others").checked = chosen.others;
at("others").addEventListener("change", ({ target }) => keep({ others: target.checked }));
at("prices").checked = chosen.prices;
at("prices").addEventListener("change", ({ target }) => keep({ prices: target.checked }));
at("service").value = chosen.service;
at("key").value = chosen.key;
at("service-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = at("service").value.trim();
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) return say("Enter the address of a service, such as https://prices.example.");
  const { origin } = new URL(given);
  const key = at("key").value.trim();
  if (!/^[\x21-\x7e]+$/.test(key)) return say("A key has letters, digits and underscores only: copy it again.");
  if (!(await allowed([`${new URL(given).protocol}//${new URL(given).hostname}/*`]))) return;
  await keep({ service: origin, key });
});
const threshold = () => (at("threshold-value").textContent = `${Math.round(at("threshold").value * 100)}%`);
at("threshold").value = chosen.threshold;
at("threshold").addEventListener("input", threshold);
at("threshold").addEventListener("change", ({ target }) => keep({ threshold: Number(target.value) }));
threshold();
drawSites();
drawOwn();
drawGames();
void showInfo();
