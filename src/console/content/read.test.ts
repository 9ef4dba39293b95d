import { beforeEach, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { buildForm, buildViewRequest, createTestConsole } from '../../../test/support/console-ledger.ts';
import { createNoArticles } from '../../../test/support/test-site.ts';
import { buildSummary } from '../../stores/article-copies.ts';
import type { ConsoleSite } from '../console-site.ts';
import { changeContent, readContentTasks } from './read.ts';

let site: ConsoleSite;
let held: readonly string[];

beforeEach(async () => {
  held = ['a', 'b'];
  const created = await createTestConsole({
    articles: {
      ...createNoArticles(),
      getSummaries: () => ['a', 'b', 'c'].map((slug) => buildSummary(buildTestArticle(slug))),
      getHeldDeletions: () => (held.length === 0 ? null : { slugs: held, since: 0 }),
      async acceptDeletions() {
        const { length } = held;
        held = [];
        return length;
      },
    },
  });
  const readClaimUses = () => ({ files: new Map(), uses: new Map(), samples: [], isComplete: true });
  site = { ...created, readClaimUses };
});

it('lists the articles whose deletion is held back, until an operator accepts it', async () => {
  const { held: shown } = await readContentTasks(site, buildViewRequest());
  expect(shown?.articles).toEqual([
    { slug: 'a', title: 'Title of a' },
    { slug: 'b', title: 'Title of b' },
  ]);
  expect(shown?.description).toContain('2 of 3 articles are missing');
  const accept = () => changeContent(site, buildForm({ action: 'accept-deletions' }));
  expect(await accept()).toMatchObject({ location: '/console/content', isError: false });
  expect((await readContentTasks(site, buildViewRequest())).held).toBeNull();
  expect(await accept()).toMatchObject({ isError: true });
});

it('accepts nothing by an incomplete form', async () => {
  expect(await changeContent(site, buildForm({}))).toMatchObject({ isError: true });
  expect(held).toEqual(['a', 'b']);
});
