import { finishAssessment } from '../support/assessment.ts';
import { expect, siteTest, test } from '../support/browser-test.ts';
import { fetchEncoded } from '../support/first-flight.ts';

const PAGE = '/feature-comparison';
const KB = 1024;

test.use({ tolerated: { patterns: [/ERR_FAILED.*part=1/], reason: 'the site cannot be reached' } });

siteTest('the table of prices needs no script: its form and links are requests', async ({ site }) => {
  const read = async (query: string) =>
    (await (await fetch(`${site.url}${PAGE}${query}`)).text()).replaceAll('’', "'");
  const example = await read('');
  expect(example).toContain('For these numbers HubSpot costs the least: $720 in the first year');
  const listNames = (html: string) =>
    [...html.matchAll(/<th scope="row"[^>]*><span[^>]*>([^<]+)/g)].map(([, name]) => name).slice(0, 4);
  expect(listNames(example)).toEqual(['HubSpot', 'Kit', 'GoHighLevel', 'ActiveCampaign']);
  const reversed = await read('?people=9&contacts=2,000&texts=0&emails=20000&sort=-price');
  expect(reversed).toContain('For these numbers GoHighLevel costs the least: $1,326 in the first year.');
  expect(listNames(reversed)).toEqual(['HubSpot', 'GoHighLevel', 'Kit', 'ActiveCampaign']);
  expect(reversed).toContain('aria-sort="descending"');
  expect(reversed).toContain('$13,920');
  // What was typed stays, with its message, and goes with the links.
  const wrong = await read('?people=7x&texts=-5');
  expect(wrong).toContain('Enter a whole number from 1 to 1,000,000 for people and texts.');
  expect(wrong).toMatch(/name="people"[^>]* value="7x"/);
  expect(wrong).toContain('texts=-5&amp;emails=10000&amp;sort=name');
  // An article has form, verdict and prices.
  const article = await (
    await fetch(`${site.url}/blog/pipeline-stages-small-agency?people=3&contacts=900&sort=name`)
  ).text();
  expect(article).toContain('HubSpot costs the least: $720');
  expect(article).toContain(
    `${PAGE}?people=3&amp;contacts=900&amp;texts=0&amp;emails=2000&amp;sort=name#your-numbers`,
  );
});

test('the table follows what is typed, and keeps focus, address and order', async ({ page }) => {
  const scripts: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('volume-prices')) scripts.push(response.url());
  });
  await page.goto(PAGE);
  const place = page.locator('[data-volume-prices]');
  const people = place.getByLabel('People with a seat');
  expect(scripts, 'before the first focus').toEqual([]);
  await people.focus();
  await expect.poll(() => scripts.length).toBe(1);
  const { body } = await fetchEncoded(scripts[0] ?? '', 'br');
  expect(body.length).toBeLessThanOrEqual(8 * KB);
  await people.fill('9');
  await expect(place.locator('[data-spoken]')).toContainText('Kit costs the least: $948');
  await expect(people).toBeFocused();
  await expect(page).toHaveURL(
    /people=9&contacts=1%2C000&texts=500&emails=10%2C000&sort=price#your-numbers$/,
  );
  await people.fill('7x');
  await people.blur();
  await expect(place.getByText('Enter a whole number from 1 to 1,000,000 for people.')).toBeVisible();
  await expect(people).toHaveValue('7x');
  await expect(people).toHaveAttribute('aria-invalid', 'true');
  await people.fill('9');
  await expect(people).not.toHaveAttribute('aria-invalid');
  await place.getByLabel('Emails a month').fill('20000');
  await place.getByLabel('Emails a month').blur();
  await expect(place.getByLabel('Emails a month')).toHaveValue('20,000');
  const byName = place.getByRole('link', { name: 'Platform' });
  await byName.focus();
  await page.keyboard.press('Enter');
  await expect(place.locator('th[aria-sort=ascending]')).toHaveText('Platform ▲');
  await expect(place.getByRole('link', { name: 'Platform' })).toBeFocused();
  await expect(place.locator('tbody th').last()).toContainText('ActiveCampaign');
  await expect(place.getByRole('status')).toContainText('For these numbers');
  await page.reload();
  await expect(people).toHaveValue('9');
  await page.route(`**${PAGE}?*`, (route) => route.abort());
  await people.fill('3');
  await expect(place.getByRole('status')).toBeVisible();
  await expect(place.getByRole('status')).toContainText('could not be reached');
});

for (const when of ['before', 'after'])
  test(`a link that is pressed while a field is left is followed: ${when} its script is there`, async ({
    page,
  }) => {
    const pressed = Promise.withResolvers<void>();
    if (when === 'after') pressed.resolve();
    await page.route('**/update-volume-prices*.js', async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await page.goto(PAGE);
    const place = page.locator('[data-volume-prices]');
    const people = place.getByLabel('People with a seat');
    await people.click();
    await page.keyboard.press('End');
    await page.keyboard.type('0');
    const answer = page.waitForResponse(/part=1/);
    await place.getByRole('link', { name: 'Platform' }).hover();
    await page.mouse.down();
    pressed.resolve();
    await answer;
    await page.waitForTimeout(200);
    await page.mouse.up();
    await expect(place.locator('th[aria-sort=ascending]')).toHaveText('Platform ▲');
    await expect(people).toHaveValue('30');
    // Pressed again at once after another digit.
    await people.click();
    await page.keyboard.press('End');
    await page.keyboard.type('0');
    await place.getByRole('link', { name: 'Platform' }).click();
    await expect(place.locator('th[aria-sort=descending]')).toHaveText('Platform ▼');
    await expect(people).toHaveValue('300');
  });

test('a result of the assessment has the table in short, with the numbers of its answers', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/volume-prices|part=1/.test(request.url())) asked.push(request.url());
  });
  await finishAssessment(page);
  const place = page.locator('[data-prices]');
  await place.scrollIntoViewIfNeeded();
  await expect(place.getByText('Your answers say at most $500 a month. Type the rest.')).toBeVisible();
  await expect(place.getByRole('row')).toHaveCount(5);
  await expect(place.getByRole('row').nth(1)).toContainText(
    /HubSpot.*\$720\$60 a month\. Within your \$500\./,
  );
  expect(asked.find((url) => url.includes('part=1'))).toMatch(/\/assessment\?part=1&budget=500$/);
  const { body } = await fetchEncoded(asked.find((url) => /volume-prices/.test(url)) ?? '', 'br');
  expect(body.length).toBeLessThanOrEqual(8 * KB);
  await place.getByLabel('People with a seat').fill('60');
  await expect(place.locator('[data-spoken]')).toContainText('Kit costs the least: $948');
  await place.getByRole('link', { name: 'Platform' }).click();
  await expect(place.locator('th[aria-sort=ascending]')).toHaveText('Platform ▲');
  await expect(page).toHaveURL(/\/assessment\?step=results$/);
  await page.getByRole('button', { name: 'Retake Assessment' }).click();
  await expect(place).toBeHidden();
});
