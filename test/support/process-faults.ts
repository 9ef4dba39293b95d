// Loaded into a site with `node --import`: makes faults inside the process that no request can cause.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread, Worker } from 'node:worker_threads';

if (isMainThread) {
  process.on('SIGUSR2', () => {
    throw new Error('an exception of the test');
  });
  process.on('SIGWINCH', () => {
    void Promise.reject(new Error('a rejection of the test'));
  });
}

// A thread that no one can end, as one that waits for a disk: it is there once the process takes signals.
const blockedSeconds = process.env['TEST_THREAD_BLOCKS'];
if (isMainThread && blockedSeconds !== undefined)
  process.on('newListener', (name) => {
    if (name !== 'SIGTERM') return;
    new Worker(`require('node:child_process').execFileSync('sleep', ['${Number(blockedSeconds)}'])`, {
      eval: true,
      execArgv: [],
    }).unref();
  });

// A clock that is wrong by so many ms.
const { now } = Date;
Date.now = () => now() + Number(process.env['TEST_CLOCK_OFFSET'] ?? 0);

const hangFile = process.env['TEST_DISK_HANGS'] ?? '';
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const { exec } = DatabaseSync.prototype;

/** A disk that does not respond: a commit to a database in a file waits for as long as the hang file exists. */
DatabaseSync.prototype.exec = function waitForDisk(sql) {
  const isCommit = sql === 'COMMIT' && hangFile !== '' && this.location() !== null;
  while (isCommit && existsSync(hangFile)) Atomics.wait(sleeper, 0, 0, 20);
  exec.call(this, sql);
};
