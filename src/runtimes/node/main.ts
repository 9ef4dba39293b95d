// The entry of the build, for the process and for the thread of its back office. Each imports its own module, so that
// neither loads the code of the other.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { runSite } = await import('./start-site.ts');
  await runSite(new URL(import.meta.url));
} else {
  const { runBackOffice } = await import('./console-thread.ts');
  runBackOffice();
}
