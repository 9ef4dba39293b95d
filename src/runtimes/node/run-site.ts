import path from 'node:path';
import { ContentError } from '../../core/pages/content-error.ts';
import { createLog, type Log } from '../../server/log.ts';
import { ConfigError, parseConfig } from '../../server/settings.ts';
import { pageHashes, render } from '../astro/render.ts';
import { composeNode } from './compose-node.ts';
import { warnOfSettingFaults } from './read-setting-faults.ts';
import { type RunningSite, startSite } from './start-site.ts';

/** The folder of the build; this file is bundled into `dist/server/`. */
const BUILD = path.resolve(import.meta.dirname, '..');

/** The program of the process: serves the site until a signal ends it. `program`: where threads begin. */
export async function runSite(program: URL): Promise<void> {
  const log = createLog((line) => process.stderr.write(line), Date.now);
  // A closed pipe or a full log disk must not end the process.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);

  warnOfSettingFaults();
  try {
    const config = parseConfig(process.env);
    const site = await startSite({
      config,
      log,
      render,
      pageHashes,
      clientFolder: path.join(BUILD, 'client'),
      compose: (...parts) =>
        composeNode(...parts, {
          imageManifest: path.join(BUILD, 'images.json'),
          buildTime: __BUILD_TIME__,
          watch: true,
          backOfficeProgram: program,
        }),
    });
    stopWhenAsked(site, log);
    // After the handlers: a caller may send a signal as soon as it reads this line.
    process.stdout.write(`Signpost is serving on ${site.address}\n`);
    site.createConsoleNotice().then(
      (notice) => process.stdout.write(notice),
      (error: unknown) => log.error('the console cannot be used', { error }),
    );
    site.readNotices().then(
      (lines) => process.stdout.write(lines.map((line) => `${line}\n`).join('')),
      (error: unknown) => log.warn('the contact messages cannot be counted', { error }),
    );
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

/** Stops the site on a signal and after a fault that nothing handled. */
function stopWhenAsked(site: RunningSite, log: Log): void {
  let isStopping = false;
  const stop = (code: number) => {
    if (isStopping) return;
    isStopping = true;
    site.stop().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error('stopped with an error', { error });
        // process.exit would wait for threads that wait for the disk.
        process.kill(process.pid, 'SIGKILL');
      },
    );
  };
  // SIGHUP: the terminal was closed. Repeated signals change nothing; SIGKILL ends the process at once.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      log.info('stopping', { signal });
      stop(0);
    });
  }
  // After an exception that nothing handled, the state is unknown: store waiting clicks, then let the supervisor
  // start a new process. Rejections arrive here too.
  process.on('uncaughtException', (error) => {
    log.error('uncaught exception', { error });
    stop(1);
  });
}

/** What the operator can change needs no stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = error instanceof ConfigError || error instanceof ContentError || 'code' in error;
  return isExpected ? error.message : (error.stack ?? error.message);
}
