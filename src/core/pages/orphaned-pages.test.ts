import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSampleSite } from '../../../test/support/sample-content.ts';
import { listOrphanedPages } from './content-uses.ts';
import { buildPageDraft } from './drafts.ts';
import { pageSchema } from './page.schema.ts';

it('lists a page to which only itself and an alias link, and none that is a draft or that an article or a page links to', () => {
  const draft = parse(buildPageDraft('A title', '2026-11-20'));
  const build = (body: string) =>
    pageSchema.parse({ ...draft, draft: false, sections: [{ type: 'prose', body }] });
  const pages = new Map([
    ['/alone', build('See [this page](/alone#x).')],
    ['/a', build('See [the other](/b?topic=x).')],
    ['/b', build('Text.')],
    ['/draft', { ...build('Text.'), draft: true }],
  ]);
  const site = { ...readSampleSite(), aliases: { '/old': '/alone' } };
  expect(listOrphanedPages({ site, pages, authors: new Map() }, ['See [a](/a/).'])).toEqual(['/alone']);
});
