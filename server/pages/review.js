// The review of sold listings, by an administrator's key. The key is kept by this page and nowhere else: it opens every account. All that
// comes from the service is shown as text, never as markup.

import { ask as send, at, doing as run, element, say } from "./ask.js";
import { fault } from "./key.js";

const PAGE = 20;
let key = "";
let last = 0;
let open = 0;

const ask = (method, path, body) => send(key, method, `/api/admin/review${path}`, body);
const doing = (button, work) => run(button, leave, work);

function field(label, value) {
  const made = element("label", label);
  const input = document.createElement("input");
  input.value = value;
  input.autocomplete = "off";
  made.append(input);
  return [made, input];
}

function count() {
  at("count").textContent = open === 0 ? "Nothing to review" : `${open.toLocaleString("en-GB")} to review`;
}

/** A listing with its candidates and what may be done with it. */
function listing(of) {
  const panel = element("article", "", "panel listing");
  panel.append(element("h3", of.title), element("p", `${of.price} ${of.currency}, ${of.date}: ${of.reason.replaceAll("_", " ")}`, "quiet"));
  const [card, chosen] = field("Card (its marketplaceId)", of.marketplaceId ?? of.candidates[0]?.marketplaceId ?? "");
  const [grade, graded] = field("Grade (empty for a raw card)", of.grade ?? "");
  const list = document.createElement("ul");
  for (const candidate of of.candidates) {
    const button = element("button", `${candidate.name} ${candidate.cardNumber}, ${candidate.setName}`, "plain small");
    button.type = "button";
    button.addEventListener("click", () => {
      chosen.value = candidate.marketplaceId;
    });
    const item = document.createElement("li");
    item.append(button, element("span", ` ${(candidate.confidence * 100).toFixed(1)}%`, "quiet"));
    list.append(item);
  }
  const form = document.createElement("form");
  const row = element("div", "", "row");
  const [accept, reject] = [element("button", "Accept"), element("button", "Reject", "bad")];
  accept.setAttribute("aria-label", `Accept ${of.title}`);
  reject.setAttribute("aria-label", `Reject ${of.title}`);
  reject.type = "button";
  row.append(card, grade, accept, reject);
  form.append(row);
  const done = (word) => {
    panel.remove();
    open -= 1;
    count();
    say(`${word}: ${of.title}`);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    doing(accept, async () => {
      const body = { marketplaceId: chosen.value.trim(), grade: graded.value.trim() };
      // what was read stays where it was not altered: the grade of a company that is not tracked is no key
      if (body.grade === (of.grade ?? "")) delete body.grade;
      await ask("POST", `/${of.id}/accept`, body);
      done("Accepted");
    });
  });
  reject.addEventListener("click", () => doing(reject, async () => {
    await ask("POST", `/${of.id}/reject`);
    done("Rejected");
  }));
  if (of.candidates.length > 0) panel.append(list);
  panel.append(form);
  return panel;
}

async function page() {
  const { data, total } = await ask("GET", `?limit=${PAGE}&after=${last}`);
  open = total;
  count();
  at("listings").append(...data.map(listing));
  last = data.at(-1)?.id ?? last;
  at("more").hidden = data.length < PAGE;
  at("enter").hidden = true;
  at("queue").hidden = false;
}

function leave() {
  key = "";
  [last, open] = [0, 0];
  at("listings").replaceChildren();
  at("key").value = "";
  at("queue").hidden = true;
  at("enter").hidden = false;
  at("key").focus();
}

at("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  key = at("key").value.trim();
  if (fault(key)) return say(fault(key), true);
  doing(event.submitter ?? at("enter").querySelector("button"), async () => {
    await page();
    at("key").value = "";
  });
});

at("more").addEventListener("click", () => doing(at("more"), page));
at("leave").addEventListener("click", () => {
  leave();
  say("");
});
