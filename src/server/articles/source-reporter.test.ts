import { beforeEach, expect, it } from 'vitest';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import { SourceReporter } from './articles.ts';

let now = 0;
let lines: string[] = [];
let reporter: SourceReporter;
const write = (message: string) => lines.push(message);
const log = { info: write, warn: write, error: write };
const ERROR = new ArticleSourceError('timeout', '[articles:test] timeout');
const FAILS = 'articles: the source fails';
const WORKS = 'articles: the source works again';

beforeEach(() => {
  now = 1_000;
  lines = [];
  reporter = new SourceReporter('test', log, { now: () => now, monotonic: () => now });
});

/** Reports an outage of so many failed rounds, without its end. */
function failRounds(count: number): void {
  for (let failures = 1; failures <= count; failures++) {
    reporter.reportChange({ lastError: ERROR, failures, waitMs: 1_000 });
    now += 1_000;
  }
}

const recover = () => reporter.reportChange({ lastError: null, failures: 0, waitMs: 0 });

it('logs the start and the end of an outage once', () => {
  failRounds(20);
  recover();
  recover();
  expect(lines).toEqual([FAILS, WORKS]);
});

it('logs a source that fails for a moment again and again once in ten minutes, each start with its end', () => {
  for (let count = 0; count < 10; count++) {
    failRounds(1);
    recover();
    now += 60_000;
  }
  expect(lines).toEqual([FAILS, WORKS]);
  failRounds(1);
  recover();
  expect(lines).toEqual([FAILS, WORKS, FAILS, WORKS]);
});

it('logs a long outage also soon after another', () => {
  failRounds(1);
  recover();
  failRounds(5);
  recover();
  expect(lines).toEqual([FAILS, WORKS, FAILS, WORKS]);
});

const STATUS = {
  failures: 0,
  lastError: null,
  lastSuccess: null,
  waitMs: 0,
  articles: 0,
  bodies: 0,
  held: null,
};
const UNCONFIGURED = new ArticleSourceError('not-configured', '[articles:test] API key not configured');

it.each([
  ['was not read yet', {}, 'not yet'],
  ['fails since the start', { lastError: ERROR, failures: 3 }, 'timeout'],
  ['has no key', { lastError: UNCONFIGURED }, 'not-configured'],
])('is not ready while the source %s and there is no copy', (_, change, reason) => {
  const problems = reporter.buildProblems({ ...STATUS, ...change });
  expect(problems).toEqual([expect.stringContaining(reason)]);
});

it.each([
  ['there are copies', { lastError: ERROR, failures: 3, articles: 2 }],
  ['the source is empty', { lastSuccess: 1 }],
  ['an empty source fails later', { lastSuccess: 1, lastError: ERROR, failures: 1 }],
])('is ready when %s', (_, change) => expect(reporter.buildProblems({ ...STATUS, ...change })).toEqual([]));

it('warns since when a source with copies has failed', () => {
  const warnings = reporter.buildWarnings(
    { ...STATUS, lastError: ERROR, failures: 3, articles: 5, lastSuccess: 0 },
    [],
  );
  expect(warnings.join()).toMatch(/failed 3 times since 1970-01-01T00:00:00.000Z \(timeout\); 5 articles/);
});

it('warns of deletions that are held back, until when, and logs their begin and end', () => {
  const held = { slugs: ['a', 'b'], since: Date.UTC(2026, 10, 20, 12, 30) };
  expect(reporter.buildWarnings({ ...STATUS, articles: 3, held }, [])).toEqual([
    'articles: 2 of 3 articles are missing from the source since 2026-11-20 12:30 UTC and still shown, because a ' +
      'damaged source looks the same. They are removed on 2026-11-23 12:30 UTC, or when you accept the deletion.',
  ]);
  reporter.reportHeld(held, 3);
  reporter.reportHeld(null, 3);
  expect(lines).toEqual([
    expect.stringContaining('2 of 3 articles are missing'),
    'articles: no deletion is held back any more',
  ]);
});

it('names the articles that are left out, twenty at most, until they are accepted or gone for two hours', () => {
  for (let id = 0; id < 25; id++) {
    const skipped = { id: String(id), slug: `post-${id}`, title: 'T', reason: 'content is empty' };
    reporter.reportSkipped(skipped);
    reporter.reportSkipped(skipped);
  }
  const [warning = ''] = reporter.buildWarnings(STATUS, []);
  expect(warning).toContain('25 articles are left out of the test source');
  expect(warning).toContain('post-7 (id 7, "T"): content is empty');
  expect(warning).toContain('and 5 more');
  expect(lines).toHaveLength(25);
  now += 2 * 3_600_000 + 1;
  expect(reporter.buildWarnings(STATUS, [])).toEqual([]);
});

it('says that the last copy of an article is shown, and forgets an article that is right', () => {
  reporter.reportSkipped({ id: '1', slug: 'a', title: 'A', reason: 'content is empty' });
  reporter.reportSkipped({ id: '2', slug: '', title: 'B', reason: 'slug must be text' });
  expect(reporter.buildWarnings(STATUS, [{ slug: 'a' }])).toEqual([
    'articles: 2 articles are left out of the test source: id 2, "B": slug must be text; ' +
      'a (id 1, "A"): content is empty, so its last copy is shown',
  ]);
  reporter.reportMapped({ id: '2', slug: 'b' });
  reporter.reportMapped({ id: '', slug: 'a' });
  expect(reporter.buildWarnings(STATUS, [])).toEqual([expect.not.stringContaining('id 2')]);
  reporter.reportMapped({ id: '1', slug: 'a' });
  expect(reporter.buildWarnings(STATUS, [])).toEqual([]);
});
