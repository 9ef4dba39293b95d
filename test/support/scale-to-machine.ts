/** What the fixed work takes on an idle machine of the kind that the bounds of the tests were chosen on, in ms. */
const REFERENCE_MS = 20;
const ROUNDS = 3;

let text = '';

/**
 * Scales a bound in ms that was chosen on an idle machine to this machine as it is now: by the time that a fixed piece
 * of work takes, other programs included, but never below the bound. Call it after what is measured, in its load.
 */
export function scaleToMachine(ms: number): number {
  const times = Array.from({ length: ROUNDS }, timeWork);
  return ms * Math.max(1, Math.max(...times) / REFERENCE_MS);
}

function timeWork(): number {
  const began = performance.now();
  for (let count = 0; count < 20_000; count += 1) {
    text = JSON.stringify({ text: text.slice(0, 300), count }).replaceAll('1', '2');
  }
  return performance.now() - began;
}
