// The dashboard: an account by one of its keys. All that comes from the service is shown as text, never as markup.

import { ask as send, at, doing as run, element, say } from "./ask.js";
import { bars, days } from "./chart.js";
import { fault, load, save } from "./key.js";

const number = (value) => value.toLocaleString("en-GB");
const day = (time) => time.slice(0, 10);
let key = load();
let shown = { keys: [], revoked: false };

const ask = async (method, path, body) => (await send(key, method, `/api/v2/account${path}`, body)).data;
const doing = (button, work) => run(button, leave, work);

function allowance(id, { limit, remaining, resetAt }) {
  at(id).textContent = number(remaining);
  at(`${id}-bar`).max = Math.max(limit, 1);
  at(`${id}-bar`).value = remaining;
  at(`${id}-more`).textContent = `of ${number(limit)}; resets at ${resetAt.slice(11, 16)} UTC`;
}

function showAccount(account) {
  at("name").textContent = account.name;
  at("plan").textContent = account.plan.name;
  const { keys, historyDays } = account.plan;
  const history = historyDays === null ? "all price history" : `${number(historyDays)} days of price history`;
  at("plan-more").textContent = `${keys === null ? "unlimited keys" : keys === 1 ? "1 key" : `${keys} keys`}, ${history}`;
  allowance("daily", account.daily);
  allowance("minute", account.minute);
}

function showUsage(rows, today) {
  const used = new Map();
  for (const row of rows) if (row.version === "v2") used.set(row.date, row.creditsUsed);
  at("usage").replaceChildren(bars(days(today, 30), used));
}

/** What each endpoint was called and cost, the most expensive first. */
function showEndpoints(rows) {
  const sums = new Map();
  for (const { endpoint, calls, creditsUsed } of rows) {
    const sum = sums.get(endpoint) ?? { endpoint, calls: 0, credits: 0 };
    sums.set(endpoint, { endpoint, calls: sum.calls + calls, credits: sum.credits + creditsUsed });
  }
  const all = [...sums.values()].sort((one, other) => other.credits - one.credits || other.calls - one.calls);
  const total = all.reduce((sum, { credits }) => sum + credits, 0);
  at("endpoints").replaceChildren(...all.map(({ endpoint, calls, credits }) => {
    const row = document.createElement("tr");
    const name = document.createElement("td");
    name.append(element("code", endpoint));
    const share = document.createElement("td");
    const bar = document.createElement("meter");
    Object.assign(bar, { min: 0, max: Math.max(total, 1), value: credits });
    bar.setAttribute("aria-label", `${total ? Math.round((credits / total) * 100) : 0}% of credits`);
    share.append(bar);
    row.append(name, element("td", number(calls), "number"), element("td", number(credits), "number"), share);
    return row;
  }));
  at("endpoints").closest(".wide").hidden = all.length === 0;
}

function showKeys() {
  const current = shown.account.keyId;
  const rows = shown.keys.filter((of) => shown.revoked || !of.revokedAt).map((of) => {
    const row = document.createElement("tr");
    const begins = document.createElement("td");
    begins.append(element("code", `${of.prefix}…`));
    const state = document.createElement("td");
    if (of.revokedAt) {
      row.className = "revoked";
      state.textContent = `revoked ${day(of.revokedAt)}`;
    } else {
      const button = element("button", "Revoke", "small bad");
      button.type = "button";
      button.setAttribute("aria-label", `Revoke ${of.name}`);
      button.addEventListener("click", () => revoke(button, of));
      state.append(button);
    }
    row.append(element("td", of.id === current ? `${of.name} (this one)` : of.name), begins, element("td", day(of.createdAt)), state);
    return row;
  });
  at("keys").replaceChildren(...rows);
  at("revoked-toggle").textContent = shown.revoked ? "Hide revoked keys" : "Show revoked keys";
  at("revoked-toggle").setAttribute("aria-pressed", String(shown.revoked));
}

async function refresh() {
  const [account, rows, calls, keys] = await Promise.all([ask("GET", ""), ask("GET", "/usage?days=30"), ask("GET", "/usage/endpoints?days=30"), ask("GET", "/keys")]);
  shown = { ...shown, account, keys };
  showAccount(account);
  // the day at whose end credits reset
  showUsage(rows, day(new Date(Date.parse(account.daily.resetAt) - 1).toISOString()));
  showEndpoints(calls);
  showKeys();
  at("enter").hidden = true;
  at("account").hidden = false;
}

/** A second press within five seconds revokes: a key does not come back. */
async function revoke(button, of) {
  if (!button.dataset.sure) {
    button.dataset.sure = "yes";
    button.textContent = of.id === shown.account.keyId ? "Revoke the key in use?" : "Revoke for good?";
    setTimeout(() => {
      delete button.dataset.sure;
      button.textContent = "Revoke";
    }, 5000);
    return;
  }
  await doing(button, async () => {
    await ask("DELETE", `/keys/${of.id}`);
    if (of.id === shown.account.keyId) {
      leave();
      say(`${of.name} is revoked: enter another key.`);
      return;
    }
    await refresh();
    say(`${of.name} is revoked.`);
  });
}

function hideSecret() {
  at("secret").textContent = "";
  at("made").hidden = true;
}

function leave() {
  key = "";
  save("");
  hideSecret();
  shown = { keys: [], revoked: false };
  for (const id of ["keys", "usage", "endpoints"]) at(id).replaceChildren();
  at("key").value = "";
  at("account").hidden = true;
  at("enter").hidden = false;
  at("key").focus();
}

at("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  key = at("key").value.trim();
  if (fault(key)) return say(fault(key), true);
  doing(event.submitter ?? at("enter").querySelector("button"), async () => {
    await refresh();
    save(key);
    at("key").value = "";
  });
});

at("make").addEventListener("submit", (event) => {
  event.preventDefault();
  doing(at("make").querySelector("button"), async () => {
    const made = await ask("POST", "/keys", { name: at("new-name").value });
    at("new-name").value = "";
    at("made-name").textContent = made.name;
    at("secret").textContent = made.key;
    at("copy").textContent = "Copy";
    at("made").hidden = false;
    at("copy").focus();
    await refresh();
  });
});

at("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(at("secret").textContent);
    at("copy").textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(at("secret"));
    say("The browser does not allow copying: the key is selected, so copy it yourself.");
  }
});

at("done").addEventListener("click", hideSecret);
at("leave").addEventListener("click", () => {
  leave();
  say("");
});
at("revoked-toggle").addEventListener("click", () => {
  shown.revoked = !shown.revoked;
  showKeys();
});

if (key) doing(at("enter").querySelector("button"), refresh);
