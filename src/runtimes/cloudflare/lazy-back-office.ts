import type { BackOffice } from '../../console/back-office.ts';
import type { BackOfficeOptions } from '../../console/create-back-office.ts';

/** Creates a back office whose code is loaded with its first use: an instance that shows pages needs none. */
export function createLazyBackOffice(options: BackOfficeOptions): BackOffice {
  let opened: BackOffice | null = null;
  // Requests share the back office and no promise: one cannot wait for what another one has begun.
  const open = async () => {
    const { createBackOffice } = await import('../../console/create-back-office.ts');
    opened ??= createBackOffice(options);
    return opened;
  };
  return {
    respond: async (context, render) => (await open()).respond(context, render),
    createEntryPath: async () => (await open()).createEntryPath(),
    runDueJobs: async () => (await open()).runDueJobs(),
    close: async () => opened?.close(),
  };
}
