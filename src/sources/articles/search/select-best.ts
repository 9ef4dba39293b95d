/** Selects the `limit` best of many numbers by `isBetter`, best first, without sorting all of them. */
export function selectBest(
  items: Iterable<number>,
  limit: number,
  isBetter: (a: number, b: number) => boolean,
): number[] {
  // A binary heap whose root is the worst of the selected numbers.
  const heap: number[] = [];
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b] ?? 0, heap[a] ?? 0];
  };
  const isWorse = (a: number, b: number) => isBetter(heap[b] ?? 0, heap[a] ?? 0);
  const siftDown = (from: number) => {
    for (let at = from; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isWorse(child, worst)) worst = child;
      }
      if (worst === at) return;
      swap(at, worst);
      at = worst;
    }
  };
  const siftUp = (from: number) => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isWorse(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  };
  for (const item of items) {
    if (heap.length < limit) {
      heap.push(item);
      siftUp(heap.length - 1);
    } else if (isBetter(item, heap[0] ?? 0)) {
      heap[0] = item;
      siftDown(0);
    }
  }
  return heap.sort((a, b) => (isBetter(a, b) ? -1 : 1));
}
