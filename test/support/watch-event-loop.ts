// Loaded into a site with `node --import`: on SIGUSR2 it writes the longest time in ms for which the event loop was
// busy since the last time into the file TEST_STALL_FILE.
import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { watchStalls } from './watch-stalls.ts';

const file = process.env['TEST_STALL_FILE'];

if (isMainThread && file !== undefined) {
  const stalls = watchStalls();
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.part`, String(stalls.takeLongest()));
    renameSync(`${file}.part`, file);
  });
}
