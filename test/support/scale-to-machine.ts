/** What the fixed work takes on an idle machine of the kind that the bounds of the tests were chosen on, in ms. */
const REFERENCE_MS = 20;
const ROUNDS = 3;

let text = '';

/**
 * Measures this machine, other programs included, by the time that a fixed piece of work takes. Call it before what is
 * measured. The function that it returns is called afterwards: it measures again, and scales a bound in ms that was chosen
 * on an idle machine by the slower of both, but never below the bound.
 */
export function watchMachine(): (ms: number) => number {
  const before = measureSlowness();
  return (ms) => ms * Math.max(1, before, measureSlowness());
}

function measureSlowness(): number {
  return Math.max(...Array.from({ length: ROUNDS }, timeWork)) / REFERENCE_MS;
}

function timeWork(): number {
  const began = performance.now();
  for (let count = 0; count < 20_000; count += 1) {
    text = JSON.stringify({ text: text.slice(0, 300), count }).replaceAll('1', '2');
  }
  return performance.now() - began;
}
