/** The numbers and letters that `wasm/src/tape.rs` writes of answers, read one after another: `objects.ts` makes objects of them. */
let numbers: Int32Array = new Int32Array();
let at = 0;
let letters = "";
let from = 0;

/** Takes up answers: numbers, those from `first` on, and the letters of their texts. */
export function take(given: Int32Array, first: number, texts: string): void {
  numbers = given;
  at = first;
  letters = texts;
  from = 0;
}

/** The next number as it stands: a length, the place of a name in a list, or bits that tell which members are there. */
export function number(): number {
  return numbers[at++] as number;
}

/** Passes over a number that tells nothing: the bits of an object with all its members. */
export function skip(): void {
  at++;
}

/** The next text. Among the numbers stands how many letters it has. */
export function text(): string {
  const start = from;
  from += number();
  return letters.substring(start, from);
}

/** The next decimal. It is written in ten-thousandths: the nearest number to such a fraction is what JSON's digits are read as. */
export function decimal(): number {
  return number() / 10_000;
}

/** The next whole number that is not negative. */
export function whole(): number {
  return number() >>> 0;
}

/** The next of yes and no. */
export function truth(): boolean {
  return number() !== 0;
}
