// Loaded into a site with `node --import`: on SIGUSR2 it writes the longest time in ms for which the event loop was
// busy since the last time into the file TEST_STALL_FILE. It is CPU time, so that the load of the machine and the
// waiting for its disk do not count.
import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env['TEST_STALL_FILE'];

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

if (isMainThread && file !== undefined) {
  let last = readCpuMs();
  let longest = 0;
  const check = () => {
    const now = readCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(check, 1).unref();
  process.on('SIGUSR2', () => {
    check();
    writeFileSync(`${file}.part`, String(longest));
    renameSync(`${file}.part`, file);
    longest = 0;
  });
}
