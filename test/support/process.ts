import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { watchMachine } from './scale-to-machine.ts';

const MAX_MEGABYTES = 400;
/** Of the processor; what other programs cause in the process, such as collection, is below it. */
const MAX_IDLE_SHARE = 0.2;
const IDLE_AFTER_MS = 1_000;
const WINDOW_MS = 500;

/** Reads the processor time since the start and the resident memory of a process. */
export function readProcess(pid: number): { readonly cpuMs: number; readonly megabytes: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  // User and system time, in ticks of 10 ms.
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, megabytes: Number(resident) / 1024 };
}

/** Asserts that a process is idle within a second, on a busy machine a little later, and uses less than 400 MB. */
export async function expectIdle(pid: number): Promise<void> {
  const scale = watchMachine();
  const began = performance.now();
  const shares: number[] = [];
  do {
    await sleep(IDLE_AFTER_MS);
    const before = readProcess(pid);
    const windowBegan = performance.now();
    await sleep(WINDOW_MS);
    shares.push((readProcess(pid).cpuMs - before.cpuMs) / (performance.now() - windowBegan));
  } while ((shares.at(-1) ?? 1) >= MAX_IDLE_SHARE && performance.now() - began < scale(2 * IDLE_AFTER_MS));
  expect(shares.at(-1), `shares of the processor: ${shares}`).toBeLessThan(MAX_IDLE_SHARE);
  expect(readProcess(pid).megabytes).toBeLessThan(MAX_MEGABYTES);
}

/** A file system of its own in memory, that a test can fill, grow and make read-only. */
export interface SmallDisk {
  readonly dir: string;
  /** Writes a file that takes all room that is left. */
  fill(): void;
  /** Changes mount options, for example `size=8m` or `ro`. */
  remount(options: string): void;
  remove(): void;
}

/** Mounts a small disk; null where mounting is not allowed (it takes root on Linux). */
export function mountSmallDisk(size: string): SmallDisk | null {
  const dir = mkdtempSync(path.join(tmpdir(), 'small-disk-'));
  if (!run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir])) {
    rmSync(dir, { recursive: true });
    return null;
  }
  return {
    dir,
    fill() {
      const filler = openSync(path.join(dir, 'filler'), 'w');
      try {
        for (;;) writeSync(filler, Buffer.alloc(4_096));
      } catch {
        closeSync(filler);
      }
    },
    remount(options) {
      if (!run('mount', ['-o', `remount,${options}`, dir])) throw new Error(`cannot remount ${options}`);
    },
    remove() {
      run('umount', ['-l', dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Limits how large files of a running process may get; every write beyond fails. `unlimited` lifts it. */
export function limitFileSize(pid: number, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`], { stdio: 'pipe' });
}

function run(program: string, words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
