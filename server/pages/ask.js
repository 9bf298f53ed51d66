// What pages do that ask the service with a key: sending, saying what went wrong, and text in place of markup.

export const at = (id) => document.getElementById(id);

/** A refusal of the service, with its own sentence. */
class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Asks the service, and gives its answer. */
export async function ask(key, method, path, body) {
  const headers = { Authorization: `Bearer ${key}` };
  if (body) headers["Content-Type"] = "application/json";
  const init = { method, headers, body: body && JSON.stringify(body), cache: "no-store" };
  const response = await fetch(path, init).catch(() => {
    throw new Refused(0, "The service does not answer: try again.");
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, answer.error?.message ?? `The service answers ${response.status}: try again.`);
  return answer;
}

export function say(text, bad = false) {
  at("said").textContent = text;
  at("said").classList.toggle("bad", bad);
}

/** Runs what a button or form asks for, once at a time, and says what went wrong; `leave` is run where the key is refused. */
export async function doing(button, leave, work) {
  button.disabled = true;
  say("");
  try {
    await work();
  } catch (error) {
    if (error.status === 401) leave();
    say(error instanceof Refused ? error.message : "The page failed: reload it.", true);
  }
  button.disabled = false;
}

export function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}
