import { finishAssessment } from '../support/assessment.ts';
import { expect, test } from '../support/browser-test.ts';
import { leadPartnersTo } from '../support/content-copy.ts';
import { startSite } from '../support/site.ts';
import {
  clickAndArrive,
  evaluateSettled,
  openAndStore,
  PERSON,
  readEventsOf,
  readSession,
  waitForArrival,
  waitForDelivery,
} from '../support/visit.ts';

test.use({ userAgent: PERSON });

test.beforeEach(({ provider }) => {
  provider.reset();
  provider.answerAfter(0);
});

test('a call to action leads out once, with the visit, and each step is stored', async ({
  page,
  provider,
  site,
}) => {
  await openAndStore(page, '/blog?utm_source=newsletter&gclid=abc');
  const article = page
    .locator(
      'main a[href^="/blog/"]:not([href*="/topic/"], [href*="kit"], [href*="activecampaign"], [href*="hubspot"])',
    )
    .first();
  const path = (await article.getAttribute('href')) ?? '';
  await article.click();
  await page.waitForURL(`**${path}`);
  const { tab, request } = await clickAndArrive(
    page,
    provider,
    page.locator('main a[href^="/go/highlevel"]').first(),
  );
  const name = path.slice(1).replace('/', '.').replaceAll('-', '_');
  expect(request.query.getAll('fp_ref')).toEqual(['hlmax']);
  expect(Object.fromEntries(request.query)).toMatchObject({
    utm_source: 'newsletter',
    utm_medium: 'web',
    utm_campaign: 'marketing_automation',
    gclid: 'abc',
    journey_pages: `blog-${name}`,
    entry_page: 'blog',
  });
  expect(request.query.get('session_time')).toMatch(/^\d+$/);
  expect(request.query.get('utm_content')).toMatch(new RegExp(`_business_budget_unspecified_${name}$`));
  expect(await evaluateSettled(tab, () => document.referrer)).toBe(`${site.url}/`);

  await waitForDelivery(page);
  const session = await readSession(page);
  const events = await readEventsOf(site, (event) => event.session === session);
  expect(events.map((event) => [event.name, event.page]).sort()).toEqual(
    [
      ['affiliate_redirect', path],
      ['call_to_action', path],
      ['page_view', '/blog'],
      ['page_view', path],
    ].sort(),
  );
  const redirect = events.find((event) => event.name === 'affiliate_redirect');
  expect(redirect?.id).toBe(request.query.get('fp_sid'));
  expect(redirect?.flags).toEqual([]);
  expect(events.find((event) => event.name === 'call_to_action')?.data['click']).toBe(redirect?.id);
  for (const event of events) expect(event.campaign).toEqual({ utm_source: 'newsletter', gclid: 'abc' });
});

test('a slow provider is asked once', async ({ page, provider }) => {
  provider.answerAfter(2000);
  await page.goto('/go/highlevel?page=demo');
  const request = await waitForArrival(page, provider);
  expect(request.path).toBe('/demo');
});

test('the page says where it goes while the visitor waits', async ({ page, provider }) => {
  // A navigation that is given up leaves the page standing.
  await page.route(`${provider.url}/**`, (route) => route.abort('aborted'));
  await page.goto('/go/highlevel', { waitUntil: 'commit' });
  await expect(page).toHaveTitle('Redirecting to GoHighLevel...');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Redirecting to GoHighLevel...');
  await expect(page.getByRole('link')).toHaveText('Continue to GoHighLevel');
  await expect(page.getByRole('link')).toHaveAttribute(
    'href',
    new RegExp(`^${provider.url}/pricing\\?fp_ref=hlmax&`),
  );
});

test('after 3 s a sentence and the link take the place of the spinner', async ({ page, provider }) => {
  await page.clock.install();
  const asked: string[] = [];
  // The partner has no page to show: the visitor stays on this one, and the navigation has begun.
  await page.route(`${provider.url}/**`, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ status: 204 });
  });
  await page.goto('/go/highlevel', { waitUntil: 'commit' });
  const status = page.getByRole('status');
  await expect(status).toHaveText('Nothing happening? Continue to GoHighLevel', { useInnerText: true });
  await expect.poll(() => asked.length).toBe(1);
  await page.clock.fastForward(1_000);
  await expect(page.locator('.spinner')).toBeVisible();
  await page.clock.fastForward(2_100);
  await expect(page.locator('.spinner')).toBeHidden();
  await expect(status).toHaveText('GoHighLevel has not opened yet. Continue to GoHighLevel', {
    useInnerText: true,
  });
  expect(asked).toHaveLength(1);
});

test('a query that wants another address, or another affiliate, gets neither', async ({ page, provider }) => {
  await page.goto('/go/highlevel?fp_ref=thief&page=https://evil.example&url=//evil.example&redir_url=x');
  const request = await waitForArrival(page, provider);
  expect(request.path).toBe('/pricing');
  expect([...request.query]).toEqual([
    ['fp_ref', 'hlmax'],
    ['utm_source', 'go.highlevel'],
    ['utm_medium', 'web'],
    ['utm_campaign', 'marketing_automation'],
    ['utm_content', 'cta_business_budget_unspecified_go.highlevel'],
    ['fp_sid', expect.stringMatching(/^[\da-f-]{36}$/)],
  ]);
});

test('an unknown partner is a page that does not exist', async ({ request }) => {
  expect((await request.get('/go/unknown')).status()).toBe(404);
  expect((await request.get('/go/highlevel/%2e%2e')).status()).toBe(404);
});

test('in the same tab, the redirect finds the visit in session storage', async ({ page, provider, site }) => {
  await openAndStore(page, '/help?utm_source=partner-mail&fbclid=f1');
  const session = await readSession(page);
  await page.goto('/go/highlevel?page=features&source=typed');
  const request = await waitForArrival(page, provider);
  expect(request.path).toBe('/features');
  expect(Object.fromEntries(request.query)).toMatchObject({
    fp_ref: 'hlmax',
    utm_source: 'partner-mail',
    fbclid: 'f1',
    journey_pages: 'help',
    entry_page: 'help',
    utm_content: 'typed_business_budget_unspecified_help',
  });
  const clicks = await readEventsOf(site, (event) => event.data['source'] === 'typed');
  expect(clicks.map(({ id, session: of, flags }) => [id, of, flags])).toEqual([
    [request.query.get('fp_sid'), '', []],
    [expect.any(String), session, ['duplicate']],
  ]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a call to action arrives with the affiliate parameter and its page', async ({ page, provider }) => {
    await page.goto('/gohighlevel-free-trial?utm_source=newsletter');
    const { request } = await clickAndArrive(page, provider, page.locator('main a[href^="/go/"]').first());
    expect(request.query.getAll('fp_ref')).toEqual(['hlmax']);
    expect(request.query.get('utm_content')).toMatch(/_gohighlevel_free_trial$/);
    expect(request.query.get('fp_sid')).toMatch(/^[\da-f-]{36}$/);
  });
});

test('every value that a visit posted and sent out is named on the privacy page', { tag: '@full' }, async ({
  page,
  provider,
  site,
}) => {
  await openAndStore(
    page,
    '/blog?utm_source=letter&utm_term=crm&gclid=1&fbclid=2&campaign_id=3&ad_group_id=4&ad_id=5',
  );
  await finishAssessment(page);
  const session = await readSession(page);
  const { request } = await clickAndArrive(
    page,
    provider,
    page.locator('main a[href^="/go/highlevel"]').first(),
  );
  await waitForDelivery(page);
  await page.goto('/privacy');
  const named = new Set(await page.locator('main code').allTextContents());
  const events = await readEventsOf(site, (event) => event.session === session);
  expect(events.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['assessment_completed', 'affiliate_redirect', 'page_view']),
  );
  const stored = events.flatMap(({ name, data, campaign }) => [
    name,
    // Attributes of the button are named in words.
    ...(name === 'call_to_action' || name === 'assessment_conversion' ? [] : Object.keys(data)),
    ...Object.keys(campaign),
  ]);
  const sent = [...request.query.keys()];
  expect(sent).toEqual(expect.arrayContaining(['fp_ref', 'challenges', 'revenue_range', 'ad_id']));
  expect([...stored, ...sent].filter((name) => !named.has(name))).toEqual([]);
  const words = await page.locator('main').innerText();
  // The answers are stored, and the budget is part of `utm_content`.
  for (const answer of ['type of business', 'revenue range', 'challenges', 'budget'])
    expect(words).toContain(`your ${answer}`);
  expect(request.query.get('utm_content')).toMatch(/_agency_budget_/);
});

test('a merchant receives what its file forwards, and the privacy page names nothing else', {
  tag: '@full',
}, async ({ page, provider }) => {
  const less = 'forward: [affiliate, subId, journey]';
  const contentEdits = Object.fromEntries(
    Object.entries(leadPartnersTo(provider.url)).map(([file, lead]) => [
      file,
      (text: string) => lead(text.replace(/^forward: .*$/m, less)),
    ]),
  );
  await using site = await startSite({ contentEdits });
  await page.goto(`${site.url}/blog?utm_source=letter&gclid=1`);
  await finishAssessment(page, site.url);
  const link = page.locator('main a[href^="/go/highlevel"]').first();
  const { request } = await clickAndArrive(page, provider, link);
  const sent = [...request.query.keys()];
  expect(sent.sort()).toEqual(['entry_page', 'fp_ref', 'fp_sid', 'journey_pages', 'session_time']);
  await page.goto(`${site.url}/privacy`);
  const rows = page.getByRole('table').filter({ hasText: 'What it says' }).locator('td:first-child code');
  const named = await rows.allTextContents();
  expect(named.sort()).toEqual([...sent, '_r', 'irpid', 'lmref', 'sid', 'subId1'].sort());
});
