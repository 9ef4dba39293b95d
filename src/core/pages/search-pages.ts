import type { FoundPage } from '../articles/listed-articles.ts';
import {
  buildForms,
  buildWordImpacts,
  getIdf,
  groupByImpact,
  IMPACT_LEVELS,
  isPrefix,
  MIN_COVERAGE,
  PREFIX_WEIGHT,
  SIMILAR_WEIGHTS,
  selectSimilar,
  splitQuery,
} from '../articles/search-terms.ts';
import { memoizeByKey } from '../text/memoize-by-key.ts';
import type { Page } from './page.schema.ts';
import { isPublished } from './shown-sections.ts';

type Impacts = ReadonlyMap<string, number>;

const MAX_FOUND = 4;
/** What a page is about is in these fields of its sections; its other texts mention much in passing. */
const FIELDS = ['title', 'lead', 'caption'];

/**
 * Finds the landing pages that search engines may show, best match first, by the rules of the search of articles:
 * whole words, then words that begin with a searched one, and similar words only where there is neither. `now`: ms
 * since 1970.
 */
export function searchPages(
  pages: ReadonlyMap<string, Page>,
  text: string,
  now: number,
): readonly FoundPage[] {
  const indexed = [...pages].filter(([, page]) => page.index && isPublished(page, now));
  const known = indexed.map(([href, page]) => ({
    href,
    page,
    impacts: readImpacts(page),
    score: 0,
    covered: 0,
  }));
  const maps = known.map(({ impacts }) => impacts);
  const words = listWords(pages);
  for (const word of splitQuery(text, (joined) => maps.some((impacts) => impacts.has(joined)))) {
    const weights = weighWords(word, maps, words);
    const matched = known
      .map((one) => ({ one, best: getBest(one.impacts, weights) }))
      .filter(({ best }) => best > 0);
    const idf = getIdf(known.length, matched.length);
    for (const { one, best } of matched) {
      one.score += best * idf;
      one.covered += idf;
    }
  }
  const most = Math.max(0, ...known.map(({ covered }) => covered));
  return known
    .filter(({ score, covered }) => score > 0 && covered >= MIN_COVERAGE * most)
    .sort((a, b) => b.score * b.covered ** 2 - a.score * a.covered ** 2)
    .slice(0, MAX_FOUND)
    .map(({ href, page: { title, description } }) => ({ href, title, description }));
}

/** What a searched word may mean among the words of the pages, and how well each matches it. */
function weighWords(
  word: string,
  maps: readonly Impacts[],
  words: readonly string[],
): ReadonlyMap<string, number> {
  const forms = buildForms(word);
  const isKnown = maps.some((impacts) => forms.some((form) => impacts.has(form)));
  const weights = new Map<string, number>();
  if (isPrefix(word, isKnown)) {
    for (const one of words) if (one.startsWith(word)) weights.set(one, PREFIX_WEIGHT);
  }
  for (const form of forms) weights.set(form, 1);
  if (isKnown || weights.size > forms.length) return weights;
  selectSimilar(word, words).forEach((similar, index) => {
    for (const one of similar) weights.set(one, SIMILAR_WEIGHTS[index] ?? 0);
  });
  return weights;
}

function getBest(impacts: Impacts, weights: ReadonlyMap<string, number>): number {
  let best = 0;
  for (const [word, weight] of weights) best = Math.max(best, (impacts.get(word) ?? 0) * weight);
  return best;
}

/** The words of all pages that search engines may show, now or later. */
const listWords = memoizeByKey((pages: ReadonlyMap<string, Page>): readonly string[] => {
  const indexed = [...pages.values()].filter(({ index }) => index);
  return [...new Set(indexed.flatMap((page) => [...readImpacts(page).keys()]))];
});

/** The impact of each word, in the levels that the articles have. */
const readImpacts = memoizeByKey(({ title, description, kicker = '', sections }: Page): Impacts => {
  const texts = sections.flatMap((section) =>
    Object.entries(section).flatMap(([name, value]) =>
      FIELDS.includes(name) && typeof value === 'string' ? [value] : [],
    ),
  );
  const document = {
    slug: '',
    publishedAt: '',
    title,
    tags: [kicker],
    categories: [],
    text: texts.join(' '),
  };
  const levels = groupByImpact(buildWordImpacts({ ...document, excerpt: description }));
  return new Map(
    levels.flatMap((words, level) => words.map((word) => [word, IMPACT_LEVELS[level]?.impact ?? 0] as const)),
  );
});
