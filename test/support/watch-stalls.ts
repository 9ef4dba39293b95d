/**
 * Watches for how long the event loop of this thread is busy: CPU time in ms, so that the load of the machine and the
 * waiting for its disk do not count.
 */
export function watchStalls() {
  let last = readCpuMs();
  let longest = 0;
  const check = () => {
    const now = readCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(check, 1).unref();
  return {
    /** The longest time since the last call. */
    takeLongest(): number {
      check();
      const taken = longest;
      longest = 0;
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
