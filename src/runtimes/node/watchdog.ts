import { execFile } from 'node:child_process';

/** Sends a message to the service manager. Node has no datagram sockets of the kind that it listens at. */
function notifySystemd(message: string): void {
  // A failure needs no report: without the message, systemd restarts the process.
  execFile('systemd-notify', [message], { timeout: 10_000 }, () => undefined);
}

/**
 * Tells systemd three times in each interval of its watchdog (`WatchdogSec`) that this thread still works: one that is
 * stuck is ended and started again. Does nothing where no watchdog is set for this process.
 */
export function startWatchdog(
  { WATCHDOG_USEC, WATCHDOG_PID }: NodeJS.ProcessEnv,
  pid: number,
  notify = notifySystemd,
): void {
  const ms = Number(WATCHDOG_USEC) / 1_000;
  if (!(ms > 0) || (WATCHDOG_PID !== undefined && WATCHDOG_PID !== String(pid))) return;
  notify('WATCHDOG=1');
  setInterval(() => notify('WATCHDOG=1'), ms / 3).unref();
}
