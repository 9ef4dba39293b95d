import path from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { checkContent } from '../scripts/build/check-content.ts';
import { readContent } from '../src/content-files/read-content.ts';
import { buildCta } from '../src/core/outbound/cta.ts';
import { ShortcodeSection } from '../src/sections/articles/shortcode-section.tsx';
import { buildArticleContext } from '../src/server/pages/page-context.ts';
import { createFolder } from './support/create-folder.ts';
import { runCommand } from './support/run-command.ts';
import { DESK_ROUTES, SUBSCRIPTION_WORDS, writeStandingDesks } from './support/standing-desks.ts';
import { createTestSite } from './support/test-site.ts';

it('a site about standing desks has a roundup, a comparison and a review without a word about subscriptions', async () => {
  const folder = createFolder();
  const root = path.join(folder, 'content');
  const run = (...words: string[]) => runCommand('new', words, { CONTENT_DIR: root });
  await run('site', 'Standing Desks');
  await writeStandingDesks(root, (kind) => run('page', kind, '--kind', kind));
  expect(await checkContent(root, true)).toBeNull();
  const content = readContent(root);
  const site = await createTestSite({ content });
  const cta = buildCta({ source: 'desks' }, content);
  const context = buildArticleContext(site, cta, '/roundup');
  const markup = DESK_ROUTES.flatMap((route) => content.pages.get(route)?.sections ?? [])
    .map((section) => renderToStaticMarkup(createElement(ShortcodeSection, { section, context })))
    .join('\n');
  for (const part of [
    'Desk One',
    'Desk Two',
    '$499',
    '€449',
    'United States',
    'Germany',
    '/go/shop',
    '/go/store',
  ])
    expect(markup).toContain(part);
  expect(markup).toContain('data-disclosure');
  expect(
    markup
      .replace(/<[^>]*>/g, '\n')
      .split('\n')
      .filter((line) => SUBSCRIPTION_WORDS.test(line)),
  ).toEqual([]);
});
