import { readdirSync, readFileSync } from 'node:fs';

/** A tick of the processor times in `/proc`. */
const TICK_MS = 10;

/** Processor time in ms that a process and those that it has started have used, in all their threads. */
export function readTreeMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const own = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.reduce((sum, child) => sum + readTreeMs(child), own);
}
