import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { PreparedEdits } from '../../content-files/articles/article-folder.ts';
import { readContent } from '../../content-files/read-content.ts';
import { DAY_MS } from '../../core/clock.ts';
import type { Content } from '../../core/pages/content.ts';
import { classifyContentProblem } from '../http/health.ts';
import type { Log } from '../log.ts';
import { ContentReload, createLiveContent } from './content-reload.ts';

const SHIPPED = readContent(path.resolve(import.meta.dirname, '../../../content'));

/** Before any of the shipped prices is too old. */
const START = Date.parse('2026-11-23');

const show = (content: Content) => ({
  content,
  documents: new Map(),
  waiting: [],
  leftOut: [],
  warnings: [],
});

const options = (live: ReturnType<typeof createLiveContent>, log: Log) => ({
  live,
  log,
  start: show(SHIPPED),
  startArticles: null,
  now: START,
  remember: () => null,
  prepareArticles: () => null,
  onApplied: () => undefined,
});

function create(read: () => Content, prepareArticles: () => PreparedEdits | null = () => null) {
  const live = createLiveContent(SHIPPED);
  const onApplied = vi.fn();
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const reload = new ContentReload({
    ...options(live, log),
    read: () => show(read()),
    prepareArticles,
    onApplied,
  });
  return { live, onApplied, log, reload };
}

const withTagline = (tagline: string): Content => {
  return { ...SHIPPED, site: { ...SHIPPED.site, tagline } };
};

it('a snapshot keeps its content when the live content is replaced', () => {
  const { live, reload } = create(() => withTagline('New'));
  const snapshot = live.read();
  reload.reload(['site.yaml']);
  expect(live.read().site.tagline).toBe('New');
  expect(snapshot.site.tagline).not.toBe('New');
});

it('names the first files of a large change in its line of the log', () => {
  const { reload, log } = create(() => withTagline('New'));
  const files = Array.from({ length: 2_000 }, (_, index) => `articles/a-${index}.md`);
  reload.reload(files);
  // Images were drawn: nobody edited anything.
  reload.reload([]);
  expect(log.info.mock.calls).toEqual([
    ['content: edits are shown', { files: files.slice(0, 20), more: 1_980 }],
  ]);
});

it('shows the content again as soon as a price is too old, and once', () => {
  const { reload, onApplied } = create(() => SHIPPED);
  reload.refreshPrices(START + DAY_MS);
  expect(onApplied).not.toHaveBeenCalled();
  reload.refreshPrices(START + 400 * DAY_MS);
  reload.refreshPrices(START + 400 * DAY_MS);
  expect(onApplied).toHaveBeenCalledOnce();
});

it('an article that is wrong is reported, and everything else is shown', () => {
  const show = vi.fn();
  const problems = [{ field: 'excerpt', reason: 'is missing' }];
  const { live, reload, onApplied } = create(
    () => withTagline('New'),
    () => ({ waiting: [{ file: 'a.md', problems }], leftOut: [], warnings: [], show }),
  );
  reload.reload(['site.yaml', 'articles/a.md']);
  expect(live.read().site.tagline).toBe('New');
  expect([onApplied, show].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  expect(reload.readWarnings()).toEqual([
    'content: content/articles/a.md is shown from its last valid copy: excerpt: is missing',
  ]);
});

it('shows five faults of a file, counts the others, and forgets them when it is healed', () => {
  const fault = (line: number) => ({
    file: 'redirects/a.csv',
    field: `line ${line}`,
    reason: 'leads nowhere',
  });
  let count = 6;
  const { reload, log } = create(() => SHIPPED);
  const faulty = create(() => SHIPPED);
  expect(reload.readWarnings()).toEqual([]);
  const read = () => ({
    ...show(SHIPPED),
    warnings: Array.from({ length: count }, (_, at) => fault(at + 1)),
  });
  const healing = new ContentReload({ ...options(faulty.live, log), read });
  healing.reload([]);
  const lines = [1, 2, 3, 4, 5].map(
    (line) => `content: content/redirects/a.csv, line ${line}: leads nowhere`,
  );
  expect(healing.readWarnings()).toEqual([
    ...lines,
    'content: content/redirects/a.csv has 1 more such faults',
  ]);
  count = 5;
  healing.reload([]);
  expect(healing.readWarnings()).toEqual(lines);
  expect(log.warn).toHaveBeenCalledTimes(6);
  count = 0;
  healing.reload([]);
  expect(healing.readWarnings()).toEqual([]);
});

it('says of a whole file what of one of its fields it says after the field', () => {
  const { live, log } = create(() => SHIPPED);
  const faults = ['', 'line 5'].map((field) => ({ file: 'a.yaml', field, reason: 'is not read any more' }));
  const reload = new ContentReload({
    ...options(live, log),
    read: () => ({ ...show(SHIPPED), warnings: faults }),
  });
  reload.reload([]);
  const lines = reload.readWarnings();
  expect(lines).toEqual([
    'content: content/a.yaml: is not read any more',
    'content: content/a.yaml, line 5: is not read any more',
  ]);
  expect(lines.map(classifyContentProblem)).toEqual(['flaw', 'flaw']);
});

it('partners stay the same object until one of them changes, so that nothing is made from them again', () => {
  let partners = new Map(structuredClone([...SHIPPED.partners]));
  const { live, reload } = create(() => ({ ...withTagline('New'), partners }));
  reload.reload(['site.yaml']);
  expect(live.read().partners).toBe(SHIPPED.partners);
  partners = new Map([...SHIPPED.partners].slice(1));
  reload.reload(['partners/kit.yaml']);
  expect(live.read().partners).toBe(partners);
});
