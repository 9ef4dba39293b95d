import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

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
