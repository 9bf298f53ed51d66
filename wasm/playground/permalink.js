// Titles in the fragment of the address: `#t=` and the text where that is short, else `#z=` and the text deflated, in base64url; after them
// `&games=` and the games whose cards are read. A fragment is not sent to the server.

const PLAIN = 400;
/** Longer fragments are refused by some browsers and most chats. */
const LONGEST = 60_000;
/** A link made by somebody else may unpack to no more than this. */
const UNPACKED = 8_000_000;

/** The fragment of a text, `""` of an empty one; undefined where it would be too long. */
export async function toFragment(text) {
  if (text === "") return "";
  const plain = `#t=${encodeURIComponent(text.toWellFormed())}`;
  if (plain.length <= PLAIN) return plain;
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const fragment = `#z=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  return fragment.length <= LONGEST ? fragment : undefined;
}

/** The text of a fragment; undefined where it holds none, or nothing that can be read. */
export async function fromFragment(fragment) {
  try {
    [fragment] = fragment.split("&games=");
    if (fragment.startsWith("#t=")) return decodeURIComponent(fragment.slice(3));
    if (!fragment.startsWith("#z=")) return undefined;
    const binary = atob(fragment.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return await text(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
  } catch {
    return undefined;
  }
}

/** A fragment with the games that whoever follows it reads cards of. */
export function withGames(fragment, games) {
  return fragment && `${fragment}&games=${games.join("-")}`;
}

/** The games that a fragment names. */
export function gamesOf(fragment) {
  return fragment.split("&games=")[1]?.split("-") ?? [];
}

async function text(stream) {
  const decoder = new TextDecoder();
  let all = "";
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return all + decoder.decode();
    all += decoder.decode(value, { stream: true });
    if (all.length > UNPACKED) {
      await reader.cancel();
      return undefined;
    }
  }
}
