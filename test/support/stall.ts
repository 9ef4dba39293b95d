import { scaleToMachine } from './scale-to-machine.ts';

/** The longest time in ms for which the site may keep the event loop busy; 50 on an idle machine. */
export const MAX_STALL_MS = scaleToMachine(50);

/** Attempts of one measurement: a real stall is in each of them, a collection of garbage is not. */
const MAX_ROUNDS = 3;

/**
 * Measures how long `work` keeps the event loop busy without a chance for other requests: CPU time of this thread in
 * ms, so that the load of the machine does not count. The lowest of three rounds, or the first below the limit.
 */
export async function measureStall(work: () => Promise<unknown>): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS && lowest >= MAX_STALL_MS; round++) {
    lowest = Math.min(lowest, await measureRound(work));
  }
  return lowest;
}

async function measureRound(work: () => Promise<unknown>): Promise<number> {
  let last = readCpuMs();
  let longest = 0;
  const check = () => {
    const now = readCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(check, 1);
  await work();
  check();
  clearInterval(timer);
  return longest;
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
