// The entry of the build, for the process and for its console thread. Each imports its own module, so that
// neither loads the code of the other.
import { isMainThread } from 'node:worker_threads';
import { keepYoungSpaceSmall } from './v8-flags.mjs';

/** The first version that has every module this program uses. */
const MIN_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < MIN_NODE) {
  process.stderr.write(
    `Signpost needs Node ${MIN_NODE} or later, and this is ${process.versions.node}. Start it with npm start, or with ` +
      'the Node that it has installed: node_modules/.bin/node dist/server/main.mjs\n',
  );
  process.exit(1);
}

if (isMainThread) {
  keepYoungSpaceSmall();
  const { runSite } = await import('./start-site.ts').catch((error: unknown) => {
    const advice = 'The program cannot be read: npm ci in the folder of the site installs it again.';
    process.stderr.write(`${String(error)}\n${advice}\n`);
    process.exit(1);
  });
  await runSite(new URL(import.meta.url));
} else {
  const { runConsoleThread } = await import('./console-thread.ts');
  runConsoleThread();
}
