import { expect, type LaunchOptions, type Locator, type Page } from '@playwright/test';
import type { SiteEvent } from '../../src/core/events/site-event.ts';
import { readEvents } from './events.ts';
import type { Provider, ProviderRequest } from './provider.ts';

/** What Chromium and Firefox say when the document that was to evaluate something is replaced by another. */
const REPLACED =
  /context was destroyed|because of a navigation|cannot find context|discarded|no such (frame|window)/i;
const MAX_TRIES = 20;

/**
 * Evaluates in the document that a page shows. When a navigation replaces the document meanwhile, as after a click or a
 * redirect, it evaluates again in the next one; so `work` should only read.
 */
export async function evaluateSettled<Result, Input = undefined>(
  page: Page,
  work: (input: Input) => Result | Promise<Result>,
  ...[input]: Input extends undefined ? [] : [Input]
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await (page.evaluate as (work: unknown, input: unknown) => Promise<Result>)(work, input);
    } catch (error) {
      if (tries === MAX_TRIES || page.isClosed() || !REPLACED.test(String(error))) throw error;
    }
  }
}

/** A person's browser: tests that count clicks must not look like a program. */
export const PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/**
 * Chromium of a person, for `test.use` of a file that opens tabs: a tab in the background sends its first request before
 * Playwright has set its user agent, so that its click would be that of a bot.
 */
export const PERSON_LAUNCH: [
  (
    options: { browserName: string; launchOptions: LaunchOptions },
    use: (options: LaunchOptions) => Promise<void>,
  ) => Promise<void>,
  { scope: 'worker' },
] = [
  async ({ browserName, launchOptions }, use) => {
    const { args = [] } = launchOptions;
    await use(
      browserName === 'chromium'
        ? { ...launchOptions, args: [...args, `--user-agent=${PERSON}`] }
        : launchOptions,
    );
  },
  { scope: 'worker' },
];

/** The random id of the page's session. Waits until the page has been recorded: the visit script runs after `load`. */
export async function readSession(page: Page): Promise<string> {
  await waitForRecord(page);
  return evaluateSettled(page, () => {
    const attribution = JSON.parse(sessionStorage.getItem('utm_original_params') ?? '{}');
    return typeof attribution.session === 'string' ? attribution.session : '';
  });
}

/** How many events wait in the page's outbox, the page's own view among them: waits until it has been recorded. */
export async function countWaiting(page: Page): Promise<number> {
  await waitForRecord(page);
  return evaluateSettled(
    page,
    () => Object.keys(localStorage).filter((key) => key.startsWith('outbox:')).length,
  );
}

/** Every stored event for which `isWanted`, in the order in which they were stored. */
export async function readEventsOf(
  site: { readonly dataDir: string },
  isWanted: (event: SiteEvent) => boolean,
): Promise<SiteEvent[]> {
  const events = readEvents(site.dataDir);
  return events.filter(isWanted);
}

/**
 * Waits until the page has been recorded and its outbox is empty: everything that happened is stored. What was sent
 * while an earlier page was left is sent again after 15 s, when it is not known whether it arrived.
 */
export async function waitForDelivery(page: Page): Promise<void> {
  await expect.poll(() => countWaiting(page), { timeout: 40_000 }).toBe(0);
}

/** Waits until the visit script has loaded and has recorded the page: from then on it listens to clicks. */
export async function waitForRecord(page: Page): Promise<void> {
  // A new tab begins with an empty document, which has no storage.
  await page.waitForURL(/^http/, { waitUntil: 'commit' });
  await expect.poll(() => isRecorded(page), { timeout: 40_000 }).toBe(true);
}

/** Whether the visit script has added the page to the visit; under Global Privacy Control there is no journey. */
function isRecorded(page: Page): Promise<boolean> {
  return evaluateSettled(page, () => {
    const journey = JSON.parse(sessionStorage.getItem('user_journey_data') ?? 'null');
    return journey
      ? journey.currentPage === location.pathname
      : sessionStorage.getItem('utm_original_params') !== null;
  });
}

/**
 * Opens a page and waits until its view is stored. A test that goes on to another page at once leaves before the first
 * paint, and the view may arrive after the next one.
 */
export async function openAndStore(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await waitForDelivery(page);
}

/** Clicks a link to a partner and waits until its new tab is at the provider. */
export async function clickAndArrive(
  page: Page,
  provider: Provider,
  link: Locator,
  options: Parameters<Locator['click']>[0] = {},
): Promise<{ readonly tab: Page; readonly request: ProviderRequest }> {
  const opened = page.context().waitForEvent('page');
  await link.click(options);
  const tab = await opened;
  return { tab, request: await waitForArrival(tab, provider) };
}

/** Waits until a tab shows the provider, and returns the one request that it sent there. */
export async function waitForArrival(tab: Page, provider: Provider): Promise<ProviderRequest> {
  // The timer that repeats the navigation ends with the redirect page, so a second request would be there by now.
  await tab.waitForURL((url) => url.origin === provider.url);
  const [request, ...others] = provider.requests();
  expect(others, 'requests at the provider beyond the first').toEqual([]);
  if (!request) throw new Error('nothing reached the provider');
  return request;
}

/** Holds back the files of an address until the returned function is called. */
export async function holdFiles(page: Page, address: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
  return () => release();
}
