/** Builds the singular and plural forms of an English word, itself included, with how well each matches (0 to 1). */
export function buildForms(word: string): readonly (readonly [form: string, weight: number])[] {
  const forms: [string, number][] = [[word, 1]];
  if (word.length < 3) return forms;
  if (word.endsWith('ies')) forms.push([`${word.slice(0, -3)}y`, 0.9]);
  if (word.endsWith('es')) forms.push([word.slice(0, -2), 0.85]);
  if (word.endsWith('s')) forms.push([word.slice(0, -1), 0.9]);
  if (word.endsWith('y')) forms.push([`${word.slice(0, -1)}ies`, 0.9]);
  return forms;
}

/** Builds every word in which two neighboring letters are swapped: `emial` → `email`. */
export function buildSwaps(word: string): readonly string[] {
  const swaps: string[] = [];
  for (let at = 0; at + 1 < word.length; at++) {
    swaps.push(word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2));
  }
  return swaps;
}

/** How many letters of a word may be wrong: short words have too many neighbors. */
export function getMaxEdits(word: string): number {
  if (word.length >= 8) return 2;
  return word.length >= 4 ? 1 : 0;
}
