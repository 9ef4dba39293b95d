import { expect, test } from '../support/browser-test.ts';
import { readRoutes } from '../support/routes.ts';
import { startSite } from '../support/site.ts';

const DOCUMENT = `title: Switching from three tools to one
description: What the move takes, week by week, and what is left of three bills afterwards.
header: landing
cta: { partnerLink: trial, source: three-tools, event: free_trial_signup }
sections:
  - type: hero
    title: Three tools, three bills
    actions:
      - { label: Start the trial, partnerLink: trial, source: hero }
  - type: prose
    id: more
    body: |
      ## What stays

      The {plan:starter} plan at {price:starter}.
`;

test('a new page is one file: served, listed, with its metadata and links', async ({ page }) => {
  const hidden = DOCUMENT.replace('header:', 'index: false\nheader:').replaceAll('three tools', 'four tools');
  await using site = await startSite({
    contentEdits: { 'pages/three-tools.yaml': () => DOCUMENT, 'pages/four-tools.yaml': () => hidden },
  });
  const response = await page.goto(`${site.url}/three-tools`);
  expect(response?.status()).toBe(200);
  await expect(page).toHaveTitle('Switching from three tools to one | CRM & Automation Hub');
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /week by week/);
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${site.url}/three-tools`);
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', /three tools/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Three tools, three bills');
  await expect(page.locator('#more')).toContainText('The Starter plan at $97.');
  await expect(page.getByRole('link', { name: 'Start the trial' })).toHaveAttribute(
    'href',
    '/go/highlevel?page=trial&source=hero&position=hero',
  );
  await expect(page.locator('[data-disclosure]').first()).toBeVisible();
  const routes = await readRoutes(site.url);
  expect([routes.includes('/three-tools'), routes.includes('/four-tools')]).toEqual([true, false]);
  await page.goto(`${site.url}/four-tools`);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
});
