import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildWxr } from '../../test/support/build-wxr.ts';
import { copyContent } from '../../test/support/content-copy.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { writeSentFile } from '../../test/support/store-file.ts';
import { createSiteFolder } from '../commands/new.ts';
import { readArticleFiles } from '../content-files/articles/read-article-files.ts';
import { readContent } from '../content-files/read-content.ts';
import { MoveIn } from './move-in.ts';

const SHOP = 'https://shop.example/?aff=me-1';
const EXPORT = buildWxr([
  // The site that ships has an article and pages of these names.
  { id: 1, slug: 'crm-basics', content: `<p>My own words and <a href="${SHOP}">a link</a>.</p>` },
  { id: 2, slug: 'help', type: 'page', content: '<p>My own help.</p>' },
]);

/** Moves a site into a folder; `key`: that of the partner that is confirmed. */
function open(fill: (folder: string) => void) {
  const content = path.join(createFolder(), 'content');
  fill(content);
  const moveIn = new MoveIn(content);
  const given = { prefixes: '', bases: '', amazon: '' };
  const file = writeSentFile('export.xml', EXPORT);
  const move = (key: string | null, keepsSample = false, own = {}) =>
    moveIn.commit(
      { export: file, links: null, given: { ...given, ...own }, keepsSample },
      key === null
        ? []
        : [
            {
              links: 'shop.example me-1',
              confirm: true,
              key,
              name: 'The Shop',
              network: 'generic',
              affiliate: { parameter: 'aff', value: 'me-1' },
              subId: null,
            },
          ],
    );
  const list = (folder: string) => {
    try {
      return readdirSync(path.join(content, folder))
        .filter((name) => /\.(?:md|yaml)$/.test(name))
        .sort();
    } catch {
      return [];
    }
  };
  const readAll = () =>
    readdirSync(content, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:md|yaml|csv)$/.test(name) && !name.startsWith('.import'))
      .map((name) => `${name}\n${readFileSync(path.join(content, name), 'utf8').replace(/^ *#.*$/gm, '')}`)
      .join('\n');
  return {
    content,
    moveIn,
    move,
    list,
    readAll,
    report: () => readFileSync(path.join(content, '.import/report.txt'), 'utf8'),
  };
}

const SITES = {
  shipped: copyContent,
  empty: (folder: string) =>
    void createSiteFolder({
      name: 'Once: a "site"',
      folder,
      day: '2026-01-05',
      kind: 'software',
    }),
} as const;
const SAMPLE =
  /highlevel|hubspot|activecampaign|\bkit\b|example product|example-product|how-we-choose|: example$/im;
const PAGES = [
  'affiliate-disclosure.yaml',
  'contact.yaml',
  'feature-comparison.yaml',
  'privacy.yaml',
  'terms.yaml',
];

it.each(['shipped', 'empty'] as const)(
  'takes the sample of a folder that is %s out, and leaves a valid site',
  async (kind) => {
    const { content, move, list, readAll } = open(SITES[kind]);
    await move('shop');
    expect([list('articles'), list('partners'), list('products'), list('pages')]).toEqual([
      ['crm-basics.md', 'help.md'],
      ['shop.yaml'],
      [],
      PAGES,
    ]);
    expect(readAll()).not.toMatch(SAMPLE);
    const { site, partners, addresses } = readContent(content, { articles: new Set(['crm-basics', 'help']) });
    expect([site.promotedPartner, site.name, site.tagline]).toEqual([
      '',
      ...(kind === 'shipped'
        ? ['Old site', 'Coffee & more']
        : ['Once: a "site"', 'Say here what the site helps with']),
    ]);
    expect(site.home.picks).toBeUndefined();
    expect(partners.size).toBe(1);
    expect(addresses.get('/blog/help')).toBe('/help/');
    expect(
      readArticleFiles(path.join(content, 'articles'), { images: { images: new Map(), origin: 'build' } }),
    ).toHaveLength(2);
    expect(readFileSync(path.join(content, 'articles/crm-basics.md'), 'utf8')).toContain('My own words');
  },
);

it.each(['shipped', 'empty'] as const)(
  'of a folder that is %s, has no partner until one is confirmed',
  async (kind) => {
    const { content, move, list } = open(SITES[kind]);
    await move(null);
    expect(list('partners')).toEqual([]);
    expect(readContent(content).site.promotedPartner).toBe('');
    await move('shop');
    expect(list('partners')).toEqual(['shop.yaml']);
    expect(readContent(content).site.promotedPartner).toBe('');
    const before = readFileSync(path.join(content, 'site.yaml'), 'utf8');
    await move('shop');
    expect(readFileSync(path.join(content, 'site.yaml'), 'utf8')).toBe(before);
  },
);

it('takes the name and the subject that the operator gives', async () => {
  const { content, move } = open(SITES.shipped);
  await move('shop', false, { name: ' Slow  Bar ', about: 'Espresso "at home"' });
  const { name, tagline } = readContent(content, { articles: new Set(['crm-basics', 'help']) }).site;
  expect([name, tagline]).toEqual(['Slow Bar', 'Espresso "at home"']);
});

it('keeps the sample on request, and what of it was edited always', async () => {
  const all = open(copyContent);
  const names = all.list('pages');
  await all.move(null, true);
  expect(all.list('pages')).toEqual(names);
  expect(all.list('partners')).toContain('kit.yaml');

  const { content, move, list, report, moveIn } = open(copyContent);
  const file = path.join(content, 'pages/terms.yaml');
  const text = `${readFileSync(file, 'utf8')}# Mine.\n`;
  writeFileSync(file, text);
  writeFileSync(
    path.join(content, 'articles/mine.md'),
    '---\ntitle: Mine\nexcerpt: Mine.\ncategories: [A]\npublishedAt: 2026-01-01\n---\nMine.\n',
  );
  const uploaded = {
    export: writeSentFile('x.xml', EXPORT),
    links: null,
    given: { prefixes: '', bases: '', amazon: '' },
  };
  expect((await moveIn.preview({ ...uploaded, keepsSample: false })).sample).toBeGreaterThan(50);
  await move('kit');
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(list('articles')).toEqual(['crm-basics.md', 'help.md', 'mine.md']);
  expect(readFileSync(path.join(content, 'partners/kit.yaml'), 'utf8')).toContain('The Shop');
  expect(report()).toContain('content/pages/terms.yaml: is of the sample, was edited and stays');
  readContent(content);
});

it('leaves a site whose site.yaml was edited as it is', async () => {
  const { content, move, list } = open(SITES.empty);
  const file = path.join(content, 'site.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Articles', 'Guides'));
  const pages = list('pages');
  await move('shop');
  expect(list('pages')).toEqual(pages);
  expect(list('partners')).toEqual(['example.yaml', 'shop.yaml']);
});

it('takes nothing out that a file of the operator needs, and says which', async () => {
  const { content, move, list } = open(copyContent);
  const file = path.join(content, 'pages/gohighlevel-free-trial.yaml');
  writeFileSync(file, `${readFileSync(file, 'utf8')}# Mine.\n`);
  const before = list('partners');
  await expect(move('shop')).rejects.toThrow(
    /Without the sample, content\/pages\/gohighlevel-free-trial\.yaml would be wrong: .*or keep the sample/,
  );
  expect(list('partners')).toEqual(before);
});
