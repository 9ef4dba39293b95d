import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSite } from '../support/site.ts';

/** Start time and memory of the process before its first request. */
export interface ProcessCost {
  /** From the start of the process until it is ready, in ms. */
  readonly startMs: number;
  /** Resident memory after a pause, in MB. */
  readonly idleMegabytes: number;
}

const PAUSE_MS = 3_000;

/** Starts the built site and leaves it alone; the median of `runs`. */
export async function measureProcess(runs: number): Promise<ProcessCost> {
  const samples: ProcessCost[] = [];
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    const site = await startSite();
    const startMs = performance.now() - began;
    await sleep(PAUSE_MS);
    const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${site.pid()}/status`, 'utf8'))?.[1];
    samples.push({ startMs, idleMegabytes: Number(resident) / 1024 });
    await site.remove();
  }
  const middle = (read: (cost: ProcessCost) => number) =>
    samples.map(read).sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
  return {
    startMs: middle(({ startMs }) => startMs),
    idleMegabytes: middle(({ idleMegabytes }) => idleMegabytes),
  };
}
