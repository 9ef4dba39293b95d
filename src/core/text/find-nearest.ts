/**
 * Finds the candidate that takes the fewest changes of single characters to reach; null when none is near. `most`: the
 * number of changes up to which a candidate is near.
 */
export function findNearest(
  text: string,
  candidates: readonly string[],
  most = Math.max(2, Math.floor(text.length / 3)),
): string | null {
  let nearest: string | null = null;
  let least = most + 1;
  for (const candidate of candidates) {
    const changes = countChanges(text, candidate);
    if (changes < least) [nearest, least] = [candidate, changes];
  }
  return nearest;
}

/** Optimal string alignment distance: a change adds, removes or replaces one character, or swaps two neighbors. */
function countChanges(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let line = 1; line <= from.length; line++) {
    const row = [line];
    for (let column = 1; column <= to.length; column++) {
      const at = (up: number, left: number) => rows[line - up]?.[column - left] ?? 0;
      const replaced = at(1, 1) + (to[column - 1] === from[line - 1] ? 0 : 1);
      const isSwap =
        column > 1 && line > 1 && to[column - 1] === from[line - 2] && to[column - 2] === from[line - 1];
      const swapped = isSwap ? at(2, 2) + 1 : replaced;
      row.push(Math.min(replaced, swapped, at(1, 0) + 1, (row[column - 1] ?? 0) + 1));
    }
    rows.push(row);
  }
  return rows[from.length]?.[to.length] ?? 0;
}
