/** Finds the candidate that takes the fewest changes of single characters to reach; null when none is near. */
export function findNearest(text: string, candidates: readonly string[]): string | null {
  let nearest: string | null = null;
  let least = Math.max(2, Math.floor(text.length / 3)) + 1;
  for (const candidate of candidates) {
    const changes = countChanges(text, candidate);
    if (changes < least) [nearest, least] = [candidate, changes];
  }
  return nearest;
}

/** Levenshtein distance. */
function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  [...from].forEach((character, line) => {
    const next = [line + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (to[column - 1] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  });
  return row[to.length] ?? 0;
}
