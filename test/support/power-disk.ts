// Disks whose power is cut: a file system on a loop device over a file of `power-disk.c`, which notes all that is written.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type FileSystem = 'ext4' | 'btrfs' | 'xfs';
/** xfs takes no less. */
const BYTES: Readonly<Record<FileSystem, number>> = {
  ext4: 256 * 2 ** 20,
  btrfs: 256 * 2 ** 20,
  xfs: 320 * 2 ** 20,
};
/** What becomes of blocks that were written after the last flush: none, all or some are there, or parts of some. */
export const LOSSES = ['none', 'all', 'some', 'torn'] as const;
export type Loss = (typeof LOSSES)[number];
const RECORD = 24;
const BLOCK = 4_096;
const [WRITE, FLUSH] = [1, 2];

const run = (program: string, ...words: readonly string[]) =>
  execFileSync(program, words, { encoding: 'utf8', stdio: 'pipe' }).trim();
const can = (program: string, ...words: readonly string[]) => {
  try {
    run(program, ...words);
    return true;
  } catch {
    return false;
  }
};

/** What keeps this machine from cutting the power of such a file system, as a sentence; null: nothing. */
export function findMissing(system: FileSystem): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'It takes root on Linux.';
  for (const device of ['/dev/fuse', '/dev/loop-control'])
    if (!existsSync(device)) return `There is no ${device}.`;
  if (!can('sh', '-c', 'cc --version && pkg-config fuse3')) return 'It takes a C compiler and libfuse3-dev.';
  if (!can('sh', '-c', `command -v fusermount3 && command -v mkfs.${system}`))
    return `It takes fuse3 and mkfs.${system}.`;
  return null;
}

/** A disk with a file system at `folder`. */
export interface PowerDisk {
  readonly folder: string;
  /** What is on it now is what a cut begins with. */
  readonly begin: () => Promise<void>;
  /** Ends the writing; from then on it can be cut. */
  readonly end: () => Promise<void>;
  /** Shows at `folder` what is on the disk after a cut at a time, in ns since 1970. Throws when it cannot be mounted. */
  readonly cut: (time: bigint, loss: Loss, random: () => number) => void;
  readonly release: () => void;
  readonly remove: () => void;
}

const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

/** Creates a disk. Its folders are removed with it. */
export async function createPowerDisk(system: FileSystem): Promise<PowerDisk> {
  const root = mkdtempSync(path.join(FOLDER, 'signpost-power-'));
  const at = (name: string) => path.join(root, name);
  const folder = at('disk');
  for (const name of ['fuse', 'disk']) mkdirSync(at(name));
  const flags = run('pkg-config', '--cflags', '--libs', 'fuse3').split(' ');
  run('cc', '-O2', '-o', at('program'), path.join(import.meta.dirname, 'power-disk.c'), ...flags);
  writeFileSync(at('image'), '');
  truncateSync(at('image'), BYTES[system]);
  const server: ChildProcess = spawn(at('program'), [at('image'), at('log'), at('fuse')], {
    stdio: 'ignore',
  });
  let device = '';
  const attach = (file: string, ...words: readonly string[]) => {
    device = run('losetup', '-f', '--show', ...words, file);
    // btrfs takes two disks of one name for one.
    run('mount', '-t', system, device, folder);
  };
  const release = () => {
    if (device === '') return;
    can('umount', folder);
    run('losetup', '-d', device);
    device = '';
  };
  const endServer = () => {
    release();
    can('fusermount3', '-u', at('fuse'));
    server.kill('SIGKILL');
  };
  let log = Buffer.alloc(0);
  while (!existsSync(at('fuse/disk.img'))) {
    if (server.exitCode !== null) throw new Error(`power-disk ended with code ${server.exitCode}`);
    await sleep(20);
  }
  device = run('losetup', '-f', '--show', '--direct-io=on', at('fuse/disk.img'));
  const settled = system === 'ext4' ? ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0'] : ['-q', '-f'];
  run(`mkfs.${system}`, ...settled, device);
  run('mount', '-t', system, device, folder);
  return {
    folder,
    async begin() {
      run('sync', '-f', folder);
      await sleep(300);
      run('cp', '--sparse=always', at('image'), at('base'));
      truncateSync(at('log'), 0);
    },
    async end() {
      endServer();
      log = readFileSync(at('log'));
    },
    cut(time, loss, random) {
      run('cp', '--sparse=always', at('base'), at('after'));
      const image = openSync(at('after'), 'r+');
      const records: { data: number; offset: number; length: number; kind: number }[] = [];
      for (let next = 0; next + RECORD <= log.length && log.readBigUInt64LE(next) <= time; ) {
        const [length, kind] = [log.readUInt32LE(next + 16), log.readUInt32LE(next + 20)];
        records.push({ data: next + RECORD, offset: Number(log.readBigUInt64LE(next + 8)), length, kind });
        next += RECORD + length;
      }
      const flushed = records.findLastIndex(({ kind }) => kind === FLUSH);
      for (const [index, { data, offset, length, kind }] of records.entries()) {
        if (kind !== WRITE) continue;
        if (index < flushed || loss === 'all') {
          writeSync(image, log, data, length, offset);
          continue;
        }
        for (let part = 0; part < length && loss !== 'none'; part += BLOCK) {
          if (random() < 0.5) continue;
          const bytes = Math.min(BLOCK, length - part);
          const kept = loss === 'torn' && random() < 0.3 ? Math.min(512, bytes) : bytes;
          writeSync(image, log, data + part, kept, offset + part);
        }
      }
      closeSync(image);
      attach(at('after'));
    },
    release,
    remove() {
      endServer();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
