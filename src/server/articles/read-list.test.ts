import { expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import { isKeyMissing, listTopics } from './read-list.ts';

const TOPICS = [
  { name: 'CRM Strategy', description: 'Plans.' },
  { name: 'Automation', description: 'Flows.' },
];
const build = (categories: readonly string[]) =>
  categories.map((category, at) => ({ ...buildTestArticle(`a${at}`), categories: [category] }));

it('lists the topics of the settings when every one of them has an article', () =>
  expect(listTopics(build(['Automation', 'CRM Strategy', 'Other']), TOPICS)).toBe(TOPICS));

it.each([
  [
    ['Рост', 'News', 'Рост'],
    ['Рост: 2 articles', 'News: 1 article'],
  ],
  [
    ['News', 'automation'],
    ['Automation: Flows.', 'News: 1 article'],
  ],
  [[], []],
])('lists of the categories %j the topics %j, each of which has a page', (categories, expected) => {
  const listed = listTopics(build(categories), TOPICS);
  expect(listed.map(({ name, description }) => `${name}: ${description}`)).toEqual(expected);
});

it('lists at most eight topics', () =>
  expect(listTopics(build(Array.from({ length: 20 }, (_, at) => `Topic ${at}`)), TOPICS)).toHaveLength(8));

it.each([
  ['not-configured', true],
  ['unauthorized', true],
  ['unreachable', false],
] as const)('says that the key of the service is missing after %s: %s', (code, isMissing) =>
  expect(isKeyMissing(new ArticleSourceError(code, '[articles:test] words'))).toBe(isMissing),
);
