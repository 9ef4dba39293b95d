/** A line of a text or of the one that replaces it. */
export interface ComparedLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Larger differences are shown as one part that is replaced: finding the lines in common takes time and memory. */
const MAX_PAIRS = 1_000_000;

/** Compares two texts line by line: what both have in common, what was removed and what was added, in order. */
export function compareLines(before: string, after: string): readonly ComparedLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, now.length);
  let [start, end] = [0, 0];
  while (start < most && old[start] === now[start]) start += 1;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const show = (kind: ComparedLine['kind']) => (text: string) => ({ kind, text });
  return [
    ...old.slice(0, start).map(show('same')),
    ...compareMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(show('same')),
  ];
}

function compareMiddle(old: readonly string[], now: readonly string[]): ComparedLine[] {
  const removed = (text: string) => ({ kind: 'removed', text }) as const;
  const added = (text: string) => ({ kind: 'added', text }) as const;
  if (old.length * now.length > MAX_PAIRS) return [...old.map(removed), ...now.map(added)];
  // The length of the longest common subsequence of the lines from each pair of positions on.
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const get = (one: number, other: number) => common[one * width + other] ?? 0;
  for (let one = old.length - 1; one >= 0; one -= 1) {
    for (let other = now.length - 1; other >= 0; other -= 1) {
      const isSame = old[one] === now[other];
      common[one * width + other] = isSame
        ? get(one + 1, other + 1) + 1
        : Math.max(get(one + 1, other), get(one, other + 1));
    }
  }
  const lines: ComparedLine[] = [];
  let [one, other] = [0, 0];
  while (one < old.length || other < now.length) {
    const [left, right] = [old[one], now[other]];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      one += 1;
      other += 1;
    } else if (left !== undefined && (right === undefined || get(one + 1, other) >= get(one, other + 1))) {
      lines.push(removed(left));
      one += 1;
    } else {
      lines.push(added(right ?? ''));
      other += 1;
    }
  }
  return lines;
}
