import { expect, it } from 'vitest';
import { pageSchema } from '../pages/page.schema.ts';
import { buildPageData, buildPlainText } from './page-data.ts';

const description = 'A description of this page that is long enough to be one in search results.';

function build(...sections: object[]) {
  return buildPageData(pageSchema.parse({ title: 'A page', description, sections }));
}

it('questions become FAQPage data with plain answers', () => {
  const items = [{ question: 'Is it **free**?', answer: 'For [14 days](/trial), _yes_.' }];
  expect(build({ type: 'faq', items })).toEqual([
    {
      '@context': 'https://schema.org',
      '@type': 'FAQPage',
      mainEntity: [
        {
          '@type': 'Question',
          name: 'Is it free?',
          acceptedAnswer: { '@type': 'Answer', text: 'For 14 days, yes.' },
        },
      ],
    },
  ]);
});

it('a page without questions has no data', () => {
  expect(build({ type: 'hero', title: 'Hello' })).toEqual([]);
});

it.each([
  ['A [link](/x) and **strong** words', 'A link and strong words'],
  ['==marked== and ~~struck~~ and `code`', 'marked and struck and code'],
  ['two\nlines', 'two lines'],
  ['snake_case_stays', 'snake_case_stays'],
])('%j reads %j', (markdown, text) => {
  expect(buildPlainText(markdown)).toBe(text);
});
