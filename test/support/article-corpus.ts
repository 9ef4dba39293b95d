import type { Article } from '../../src/core/articles/article.ts';
import { createChance } from './chance.ts';

const SYLLABLES =
  'ba be bi bo bu ca ce co da de di do fa fe fi ga go ha he hi ja jo ka ke la le li lo ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi vo'.split(
    ' ',
  );
const TOPICS = ['CRM Strategy', 'Automation', 'Tool Reviews', 'Growth Tactics'];

/** A made-up vocabulary of `size` distinct words; the first are the most frequent, as in a language. */
function buildVocabulary(size: number): readonly string[] {
  const chance = createChance(7);
  const words = new Set<string>();
  while (words.size < size) {
    const syllables = 1 + Math.floor(chance() * 4) + (words.size > 300 ? 1 : 0);
    let word = '';
    for (let i = 0; i < syllables; i++) word += SYLLABLES[Math.floor(chance() * SYLLABLES.length)] ?? 'ba';
    words.add(word);
  }
  return [...words];
}

/** Draws words by Zipf's law. */
function createWordSource(vocabulary: readonly string[], seed: number): () => string {
  const chance = createChance(seed);
  const sums = new Float64Array(vocabulary.length);
  let total = 0;
  for (let rank = 0; rank < vocabulary.length; rank++) {
    total += 1 / (rank + 2);
    sums[rank] = total;
  }
  return () => {
    const wanted = chance() * total;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return vocabulary[low] ?? '';
  };
}

/** `count` articles of `words` words each, newest first, always the same ones. */
export function* buildCorpus(count: number, words: number): Generator<Article> {
  const next = createWordSource(buildVocabulary(40_000), 11);
  const take = (length: number) => Array.from({ length }, next).join(' ');
  for (let i = 0; i < count; i++) {
    const day = new Date(Date.UTC(2026, 0, 1) - i * 3_600_000).toISOString();
    const paragraphs = Array.from({ length: Math.ceil(words / 100) }, () => `<p>${take(100)}.</p>`);
    yield {
      id: String(i),
      slug: `article-${i}`,
      title: take(8),
      excerpt: take(25),
      featuredImage: null,
      categories: [TOPICS[i % TOPICS.length] ?? 'Automation'],
      tags: [next(), next(), next()],
      author: 'The editorial desk',
      publishedAt: day,
      updatedAt: day,
      readingTime: 5,
      content: `<h2>${take(5)}</h2>${paragraphs.join('')}`,
      contents: [],
      splitAt: 0,
      seoTitle: '',
      seoDescription: '',
      partner: '',
    };
  }
}
