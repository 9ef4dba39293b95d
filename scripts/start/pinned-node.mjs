// @ts-check
// Plain JavaScript without dependencies: this runs before the dependencies are installed, on Node 20 or later.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the project. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const isWindows = process.platform === 'win32';
const BIN = path.join(ROOT, 'node_modules', '.bin');

/** The Node that package.json pins; it exists once the dependencies are installed. */
export const PINNED_NODE = path.join(ROOT, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');

/** The Node that runs this project: the pinned one of a clone, or that of the machine beside a package. */
export const findNode = () => (existsSync(PINNED_NODE) ? PINNED_NODE : process.execPath);

/**
 * Environment for programs of this project: its own Node and tools come first on the PATH. Two arenas of glibc's
 * allocator instead of eight for each processor: freed memory of one is not used by the others.
 */
export function projectEnvironment() {
  return {
    MALLOC_ARENA_MAX: '2',
    ...process.env,
    ASTRO_TELEMETRY_DISABLED: '1',
    PATH: [BIN, ...outsidePath()].join(path.delimiter),
  };
}

/** Folders of the PATH that an installation does not delete while it runs. */
export function outsidePath() {
  return (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.resolve(folder) !== BIN);
}

/**
 * Runs a script with that Node and waits. Throws with the script's name when it fails.
 * @param {readonly string[]} args
 */
export function runPinnedSync(args) {
  const { status, signal, error } = spawnSync(findNode(), args, {
    cwd: ROOT,
    env: projectEnvironment(),
    stdio: 'inherit',
  });
  if (error) throw error;
  // Nothing else ends a step so.
  const isShort = signal === 'SIGKILL' || status === 137;
  const why = isShort ? ': the memory was short. Give the machine more, or build on another one' : '';
  if (status !== 0) throw new Error(`${args[0]} ended with ${signal ?? `code ${status}`}${why}`);
}

/**
 * Runs a script with that Node in the foreground: passes signals on and resolves with its exit code
 * (128 plus the number of the signal when one ended it).
 * @param {readonly string[]} args
 * @param {string} [cwd] The folder where it runs; the project when left out.
 * @param {string} [program] That Node when left out.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
export function runPinned(args, cwd = ROOT, program = findNode(), env = projectEnvironment()) {
  const child = spawn(program, args, { cwd, env, stdio: 'inherit' });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // A terminal sends its interrupt to the child as well; a second one would mean "at once".
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  process.on('SIGHUP', () => child.kill('SIGTERM'));
  watchNpm(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? os.constants.signals[signal] : 0)));
  });
}

/**
 * npm sends a signal to the shell that runs the script, and some shells end without passing it on
 * (https://github.com/npm/npm/issues/8162). So a program that npm started ends when its parent process is gone.
 * @param {() => void} onGone
 */
function watchNpm(onGone) {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 100);
  timer.unref();
}
