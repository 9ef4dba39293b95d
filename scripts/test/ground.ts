// The ground that tests stand on: programs that have to be installed, memory, disk, and a folder for temporary files.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DISK } from '../../src/stores/disk.ts';
import { ensureEdgeTools } from '../start/ensure-dependencies.mjs';
import { ROOT } from '../start/pinned-node.mjs';
import { useChromium, useFirefox } from './browsers.ts';

const INSTALLERS = { chromium: useChromium, firefox: useFirefox, workers: () => ensureEdgeTools('edge') };
export type Need = keyof typeof INSTALLERS;
export const NEEDS = Object.keys(INSTALLERS) as readonly Need[];

const TRIES = 3;
const PAUSE_MS = 5_000;
/** Free memory, and free room in the folder, in bytes, from which temporary files are in memory. */
const MUCH = 4e9;

/** Installs what is missing, with three tries. Rejects with instructions when it cannot be installed. */
export async function install(needs: Iterable<Need>): Promise<void> {
  for (const need of needs) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        INSTALLERS[need]();
        break;
      } catch (error) {
        if (attempt === TRIES) throw error;
        console.log(`${error}\nTrying again in ${PAUSE_MS / 1000} s …`);
        await sleep(PAUSE_MS);
      }
    }
  }
}

/** Creates a folder for the temporary files of one run. */
export function createRunFolder(parent: string): string {
  const folder = mkdtempSync(path.join(parent, 'tests-'));
  // Some tests start programs as another user.
  DISK.chmodSync(folder, 0o755);
  return folder;
}

/**
 * Creates it in memory, since tests wait for a disk as long as for a processor, where there is room and programs run from
 * there: a container often gives 64 MB, and `noexec`.
 */
export function createFastFolder(memory = '/dev/shm'): string {
  if (!existsSync(memory)) return createRunFolder(os.tmpdir());
  const { bavail, bsize } = statfsSync(memory);
  const folder = createRunFolder(bavail * bsize < MUCH || os.freemem() < MUCH ? os.tmpdir() : memory);
  const program = path.join(folder, 'program');
  DISK.writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  if (spawnSync(program).status === 0) return folder;
  DISK.rmSync(folder, { recursive: true });
  return createRunFolder(os.tmpdir());
}

/** Versions, free memory and disk, and the folder, in one line. */
export function describeGround(folder: string): string {
  const version = (name: string) => {
    const program = process.env[name];
    return program === undefined
      ? []
      : String(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout).trim();
  };
  const { bavail, bsize } = statfsSync(ROOT);
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  return [
    `Node ${process.version} on ${os.type()} ${os.release()}, ${os.availableParallelism()} cores`,
    ...['CHROMIUM_PATH', 'HEADLESS_SHELL', 'FIREFOX_PATH'].flatMap(version),
    `${gigabytes(os.freemem())} of memory and ${gigabytes(bavail * bsize)} of disk free`,
    `temporary files in ${folder}`,
  ].join('; ');
}
