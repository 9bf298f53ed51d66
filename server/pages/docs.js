// "Try it": sends the request that a form describes and shows the answer as text.

import { fault, load, save } from "./key.js";

const field = document.getElementById("key");
const said = document.getElementById("key-said");
field.value = load();

document.getElementById("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const key = field.value.trim();
  said.textContent = fault(key);
  if (fault(key)) return;
  save(key);
  said.textContent = "The forms below use this key.";
});

document.getElementById("forget").addEventListener("click", () => {
  field.value = "";
  save("");
  said.textContent = "Forgotten.";
});

/** Method, address, headers and body as the form has them. */
function request(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  for (const input of form.querySelectorAll("[data-in]")) {
    const value = input.value.trim();
    if (input.dataset.in === "path") path = path.replace(`{${input.name}}`, encodeURIComponent(value));
    else if (value && input.dataset.in === "header") headers[input.name] = value;
    else if (value) query.set(input.name, value);
  }
  const key = field.value.trim();
  if (key && !fault(key)) headers.Authorization = `Bearer ${key}`;
  const body = form.elements.body?.value;
  if (body !== undefined) headers["Content-Type"] = form.elements["content-type"]?.value ?? form.elements.body.dataset.kind;
  return [query.size ? `${path}?${query}` : path, { method: form.dataset.method.toUpperCase(), headers, body, cache: "no-store" }];
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function send(form) {
  const out = form.parentElement.querySelector("output");
  const button = form.querySelector("button");
  const shown = document.createElement("pre");
  shown.tabIndex = 0;
  button.disabled = true;
  try {
    const response = await fetch(...request(form));
    const lines = [`HTTP ${response.status}`];
    for (const [name, value] of response.headers) if (/^x-|^retry-after|^allow/.test(name)) lines.push(`${name}: ${value}`);
    shown.textContent = `${lines.join("\n")}\n\n${indented(await response.text())}`;
  } catch {
    shown.textContent = "No answer: check that the service is running, and send it again.";
  }
  button.disabled = false;
  out.replaceChildren(shown);
}

for (const form of document.querySelectorAll("details.try form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}

/** Opens the operation or object that the address names. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let around = target?.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  target?.closest("details")?.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();
