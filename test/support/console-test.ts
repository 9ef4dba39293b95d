import { test as base } from './browser-test.ts';
import type { ConsoleSite } from './console-access.ts';
import { startSeededConsole } from './console-data.ts';
import type { Site } from './site.ts';

export { expect } from './browser-test.ts';

/** The console that the tests of a worker share, with the known data and an operator. */
export let seeded: ConsoleSite;
export let site: Site;

/** Tests in which the browser is signed in to the console. */
export const test = base.extend<{ signedIn: undefined }, { seededConsole: ConsoleSite }>({
  seededConsole: [
    async ({ browserName: _ }, use) => {
      const opened = await startSeededConsole();
      await use(opened);
      await opened.site.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  signedIn: [
    async ({ context, seededConsole }, use) => {
      seeded = seededConsole;
      site = seededConsole.site;
      await seeded.signIn(context);
      await use(undefined);
    },
    { auto: true },
  ],
});
