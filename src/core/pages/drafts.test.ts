import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildPageDraft } from './drafts.ts';
import { pageSchema } from './page.schema.ts';

it.each(['Plain title of a page', 'What "per seat" costs: a sum', '{price:starter} # 5'])(
  'a new page with the title %j is a page',
  (title) => {
    const result = pageSchema.safeParse(parse(buildPageDraft(title, '2026-03-12')));
    expect(result.error?.issues).toBeUndefined();
    expect(result.data).toMatchObject({ title, draft: true });
  },
);
