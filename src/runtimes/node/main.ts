// The entry of the build, for the process and for its console thread. Each imports its own module, so that
// neither loads the code of the other.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { runSite } = await import('./start-site.ts');
  await runSite(new URL(import.meta.url));
} else {
  const { runConsoleThread } = await import('./console-thread.ts');
  runConsoleThread();
}
