import { HtmlValidate } from 'html-validate';
import { expect, siteTest as test } from '../support/browser-test.ts';
import { readRoutes } from '../support/routes.ts';

const validator = new HtmlValidate({ extends: ['html-validate:standard'] });

/** Pages that no sitemap lists. */
const STATES = [
  '/blog?q=crm',
  '/blog?q=nothingmatchesthis',
  '/assessment?step=1',
  '/assessment?step=results',
];
const FAILURES = ['/no-such-page', '/blog/no-such-article', '/500'];

test('every page is valid HTML', { tag: '@generic' }, async ({ request, site }) => {
  const invalid: string[] = [];
  for (const route of [...(await readRoutes(site.url)), ...STATES, ...FAILURES]) {
    const html = await (await request.get(route)).text();
    const { results } = await validator.validateString(html, route);
    for (const { messages } of results) {
      for (const { ruleId, message, line, column } of messages) {
        invalid.push(`${route}:${line}:${column} ${ruleId}: ${message}`);
      }
    }
  }
  expect(invalid).toEqual([]);
});
