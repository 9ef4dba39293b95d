import { findViolationsInBothSchemes } from '../support/accessibility.ts';
import { expect, test } from '../support/browser-test.ts';
import { buildClickVisit, startWorkSite, type WorkSite } from '../support/console-work-site.ts';
import { openLedgerDatabase } from '../support/node-databases.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const HOUR_MS = 3_600_000;
let work: WorkSite;
const open = (path: string) => `${work.site.url}/console/${path}`;

test.beforeAll(async () => {
  const now = Date.now();
  work = await startWorkSite([buildClickVisit(30), buildClickVisit(20)], ([first]) => [
    { nativeId: 'c-1', eventTime: now, status: 'approved', amount: 4_000, token: first?.id ?? '' },
  ]);
  const { links } = openLedgerDatabase(work.site.dataDir, () => undefined);
  const price = {
    equals: 'product:highlevel.starter',
    currency: 'USD',
    amount: 9_900,
    source: 'text',
  } as const;
  const address = 'https://www.gohighlevel.com/pricing';
  const offer = { excerpt: 'Starter $99', hash: '', prices: [price] };
  const seen = { id: 'lc-20261103-9f2c61aa', checkedAt: now, address, offer };
  const record = (
    path: string,
    state: 'broken' | 'changed',
    reason: string,
    evidence: typeof seen | null,
  ) => {
    const found = { finalHost: 'www.gohighlevel.com', finalPath: '/', parameterKept: true };
    return links.write({
      url: `https://www.gohighlevel.com${path}?fp_ref=hlmax`,
      state,
      reason,
      since: now - 5 * HOUR_MS,
      checkedAt: now,
      dueAt: now + HOUR_MS,
      misses: 3,
      missedSince: now - 5 * HOUR_MS,
      baseline: null,
      evidence,
      result: {
        ...found,
        reason,
        hops: [],
        offer: null,
        outcome: state === 'broken' ? 'failed' : 'different',
      },
    });
  };
  await record('/pricing', 'broken', 'responds with status 404', seen);
  await record('/features', 'changed', 'redirects to the home page', null);
  await links.writeArticleLinks([{ page: '/roi-calculator', url: 'http://old.example/study' }]);
});
test.afterAll(() => work.site.remove());
test.beforeEach(({ context }) => work.signIn(context));

test('broken links are alerts, lead the list of links, and a change can be accepted', async ({ page }) => {
  await page.goto(`${work.site.url}/console`);
  const tasks = page.locator('#tasks');
  await expect(tasks).toContainText('A link to GoHighLevel is broken: responds with status 404.');
  await expect(tasks).toContainText('A link to GoHighLevel has changed: redirects to the home page.');

  await expect(tasks).toContainText('GoHighLevel Starter: its page says $99, this site $97.');

  await page.goto(open('content/links'));
  const links = page.getByRole('table', { name: 'Links', exact: true });
  const find = (address: string) => links.getByRole('row').filter({ hasText: address });
  const broken = links.getByRole('row').nth(1);
  await expect(broken).toContainText('gohighlevel.com/pricing');
  await expect(broken).toContainText('Broken');
  await expect(broken).toContainText('$40');
  await find('gohighlevel.com/features').getByRole('button', { name: 'That is right now' }).click();
  await expect(page.getByRole('status')).toContainText('Accepted: the link is right');
  await page.goto(open('content/links?q=gohighlevel.com/features'));
  await expect(find('gohighlevel.com/features')).toContainText('Answered');
  await page.goto(open('content/links?q=old.example'));
  await expect(find('http://old.example/study')).toContainText('http:// is not checked; use https://');
  expect(await findViolationsInBothSchemes(page)).toEqual([]);
});

test('the page about link checks names the user agent and how to keep it out', async ({ page }) => {
  await page.goto(`${work.site.url}/about-link-watch`);
  await expect(page.locator('h1')).toHaveText('About our link checks');
  await expect(page.locator('main')).toContainText('User-agent: Signpost-LinkWatch');
  expect(await findViolationsInBothSchemes(page)).toEqual([]);
});
