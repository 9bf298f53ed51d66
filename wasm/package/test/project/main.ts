import { TitleDex, TitleDexError, utf16Spans, type Answer, type OutcomeType, type ParseOptions, type Progress } from "titledex";
import { TitleDex as Games, type LoadOptions } from "titledex/games";
import { TitleDexWorker } from "titledex/worker";

const catalogue = new URL("./node_modules/titledex/catalogue/english.pack", import.meta.url);
const several: LoadOptions = { catalogue: [catalogue, new URL("./node_modules/titledex/catalogue/onepiece/english.pack", import.meta.url)] };
const options: ParseOptions = { maxSuggestions: 3, fuzzyMatching: true, includeConfidence: true };
const onProgress = ({ part, loaded, total }: Progress): void => console.debug(part, loaded, total ?? "?");

function describe(answer: Answer): string {
  const type: OutcomeType = answer.outcome.type;
  const grade: number | undefined = answer.parsed.grade?.value;
  const places = utf16Spans(answer).map(({ start, end }) => answer.title.slice(start, end));
  return `${type} ${answer.matches[0]?.cardId ?? "-"} ${grade ?? ""} ${places.length}`;
}

async function main(): Promise<void> {
  try {
    const dex = await TitleDex.load({ catalogue, onProgress, signal: AbortSignal.timeout(60_000) });
    const own = dex.parseBatch(["Charizard 4/102 Base Set"], options).map(describe);
    const worker = await TitleDexWorker.load({ catalogue });
    const answers: Answer[] = await worker.parseBatch(["Charizard 4/102 Base Set"], options);
    const [games, both] = await Promise.all([Games.load(several), TitleDexWorker.load(several)]);
    const zoro = ["Roronoa Zoro OP01-025 SR Romance Dawn"];
    const others = [games.parseBatch(zoro), await both.parseBatch(zoro)].flat();
    document.body.textContent = [...own, ...answers.map(describe), ...others.map(describe)].join("\n");
    games.free();
    both.free();
    worker.free();
    dex.free();
  } catch (error) {
    document.body.textContent = error instanceof TitleDexError ? error.code : String(error);
  }
}

void main();
