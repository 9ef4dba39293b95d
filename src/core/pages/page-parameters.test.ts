import { expect, it } from 'vitest';
import { readSampleSavings } from '../../../test/support/sample-content.ts';
import { type Page, pageSchema } from './page.schema.ts';
import { buildPageAddress, collectPageParameters } from './page-parameters.ts';

const FORM = { type: 'contact-form', topics: [{ key: 'a', label: 'A' }], button: 'Send', thanks: 'Thanks' };

function buildPage(...sections: object[]): Page {
  const description = 'A description of this page that is long enough to be one in search results.';
  return pageSchema.parse({ title: 'A page', description, cta: { source: 'page' }, sections });
}

const parameters = collectPageParameters(
  new Map([
    ['/plain', buildPage({ type: 'prose', body: 'Text' })],
    ['/any-form', buildPage(FORM)],
    ['/any-calculator', buildPage({ type: 'savings-calculator', calculator: 'roi' })],
    ['/both', buildPage({ type: 'savings-calculator', calculator: 'trial' }, FORM)],
  ]),
  readSampleSavings(),
);
const build = (path: string, query: string) => buildPageAddress(parameters, path, query);

it.each([
  ['/blog', 'page=2&utm_source=x&q=crm&q=other', '/blog?q=crm&page=2'],
  ['/blog/topic/automation', 'page=2&q=crm', '/blog/topic/automation?page=2'],
  ['/blog/crm-basics', 'q=crm&page=2&gclid=1&preview=t', '/blog/crm-basics?preview=t'],
  ['/assessment', 'step=2&sent=1', '/assessment?step=2'],
  ['/any-form', 'sent=1&topic=a&step=2', '/any-form?topic=a&sent=1'],
  ['/both', 'topic=a&cost=5&tools=3', '/both?tools=3&cost=5&topic=a'],
])('the address of %s keeps of %s what the page reads, in a fixed order', (path, query, expected) => {
  expect(build(path, query)).toBe(expected);
});

it('a page that reads no parameter has one address', () => {
  expect(build('/plain', 'q=crm&topic=a&crmCost=5')).toBe('/plain');
  expect(build('/unknown', 'q=crm')).toBe('/unknown');
});

it('an emptied field of a calculator stays in the address, whatever page the calculator is on', () =>
  expect(build('/any-calculator', 'emailCost=&crmCost=5')).toBe('/any-calculator?crmCost=5&emailCost='));

it('empty values are dropped and long ones are cut', () =>
  expect(build('/blog', `q=&page=${'9'.repeat(500)}`)).toBe(`/blog?page=${'9'.repeat(200)}`));
