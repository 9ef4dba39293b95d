import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildWxr, type WxrItem } from '../../test/support/build-wxr.ts';
import { SEARCHED } from '../../test/support/cases.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { forAll } from '../../test/support/for-all.ts';
import { writeSentFile } from '../../test/support/store-file.ts';
import { createSiteFolder } from '../commands/new.ts';
import { readContent } from '../content-files/read-content.ts';
import type { PartnerDecision } from './merchants.ts';
import { MoveIn } from './move-in.ts';

/** An empty site that another one is moved into. */
function createEmptySite() {
  const content = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Site', folder: content, day: '2026-01-05' });
  const moveIn = new MoveIn(content);
  const given = { prefixes: '', bases: '', amazon: '' };
  const locate = (file: string) => path.join(content, file);
  const build = (items: readonly WxrItem[]) => ({
    export: writeSentFile('export.xml', buildWxr(items)),
    links: null,
    given,
    keepsSample: false,
  });
  return {
    content,
    locate,
    preview: (items: readonly WxrItem[]) => moveIn.preview(build(items)),
    commit: (items: readonly WxrItem[], decisions: readonly PartnerDecision[] = []) =>
      moveIn.commit(build(items), decisions),
    read: (file: string) => readFileSync(locate(file), 'utf8'),
    write: (file: string, text: string) => writeFileSync(locate(file), text),
    edit(file: string, edit: (text: string) => string) {
      writeFileSync(locate(file), edit(readFileSync(locate(file), 'utf8')));
    },
  };
}

const REDIRECTS = 'redirects/imported-wordpress.csv';
const post = (id: number, slug: string): WxrItem => ({
  id,
  slug,
  link: `https://old.example/2024/${slug}/`,
  content: `<p>Words of ${slug}.</p>`,
});

it('merges redirects by row, over three imports with edits, removals and a renaming in between', async () => {
  const site = createEmptySite();
  const rows = () => site.read(REDIRECTS).split('\n').slice(1, -1);
  /** Rows of single posts. */
  const postRows = () => rows().filter((row) => /^\/2024\/[a-z]|^\/\?p=/.test(row) && !row.includes('/feed'));
  const removeRow = (from: string) =>
    site.edit(REDIRECTS, (text) => text.replace(new RegExp(`^${from},.*\n`, 'm'), ''));
  const first = [post(1, 'stays'), post(2, 'renamed'), post(3, 'removed'), post(4, 'edited')];
  const { redirects } = await site.commit(first);
  expect(redirects).toBe(rows().length);
  expect(postRows()).toEqual([
    ...[1, 2, 3, 4].map((id) => `/?p=${id},/blog/${['stays', 'renamed', 'removed', 'edited'][id - 1]}`),
  ]);

  // As the console renames an article, and as a shell removes one.
  writeFileSync(site.locate('articles/new-name.md'), site.read('articles/renamed.md'));
  rmSync(site.locate('articles/renamed.md'));
  site.write('redirects/console.csv', 'from,to\n/blog/renamed,/blog/new-name\n');
  site.edit(REDIRECTS, (text) => text.replaceAll(/,\/blog\/renamed$/gm, ',/blog/new-name'));
  rmSync(site.locate('articles/removed.md'));
  removeRow('/\\?p=1');
  site.edit(REDIRECTS, (text) => `${text.replace('/?p=4,/blog/edited', '/?p=4,/blog')}/mine,/blog\n`);
  const second = [
    ...first,
    post(5, 'later'),
    { ...post(2, 'renamed'), id: 2, meta: [['_wp_old_slug', 'older']] as const },
  ];
  const moved = await site.commit(second.filter(({ id }, at) => id !== 2 || at > 3));
  const expected = ['/2024/older,/blog/new-name', '/?p=2,/blog/new-name', '/?p=4,/blog', '/?p=5,/blog/later'];
  expect(postRows()).toEqual(expected);
  expect(rows()).toContain('/mine,/blog');
  expect(moved).toMatchObject({ posts: 3, redirects: rows().length });
  const report = path.join(site.content, '.import', 'report.txt');
  expect((statSync(report).mode & 0o777).toString(8)).toBe('600');
  expect(site.read('.import/report.txt')).toMatch(
    /imported-wordpress\.csv: \d+ of its rows were edited, added or removed/,
  );
  readContent(site.content);

  removeRow('/2024/older');
  expect((await site.commit([...first, post(5, 'later'), post(6, 'last')])).redirects).toBe(rows().length);
  expect(postRows()).toEqual(
    [...expected.filter((row) => !row.startsWith('/2024/older')), '/?p=6,/blog/last'].sort(),
  );
  expect(rows()).toContain('/mine,/blog');
  expect(existsSync(site.locate('articles/removed.md'))).toBe(false);
  const before = site.read(REDIRECTS);
  await site.commit([...first, post(5, 'later'), post(6, 'last')]);
  expect(site.read(REDIRECTS)).toBe(before);
  readContent(site.content);
});

it('writes new rows after all were removed with their file, and none that were there', async () => {
  const site = createEmptySite();
  await site.commit([post(1, 'one')]);
  rmSync(site.locate(REDIRECTS));
  await site.commit([post(1, 'one'), post(2, 'two')]);
  expect(site.read(REDIRECTS)).toContain('/?p=2,/blog/two');
  expect(site.read(REDIRECTS)).not.toContain('/blog/one');
});

it('merges with what a version wrote that stored no rows', async () => {
  const site = createEmptySite();
  await site.commit([post(1, 'one'), post(2, 'two')]);
  rmSync(site.locate('.import/written'), { recursive: true });
  rmSync(site.locate('articles/two.md'));
  await site.commit([post(1, 'one'), post(2, 'two'), post(3, 'three')]);
  expect(site.read(REDIRECTS)).not.toContain('/blog/two');
  expect(site.read(REDIRECTS)).toContain('/?p=3,/blog/three');
  rmSync(site.locate('.import/written'), { recursive: true });
  site.edit(REDIRECTS, (text) => `${text}/mine,/blog\n`);
  await site.commit([post(1, 'one'), post(4, 'four')]);
  expect(site.read(REDIRECTS)).toContain('/mine,/blog');
  expect(site.read(REDIRECTS)).toContain('/?p=4,/blog/four');
});

it('refuses to merge with a row that cannot be read', async () => {
  const site = createEmptySite();
  await site.commit([post(1, 'one')]);
  site.edit(REDIRECTS, (text) => `${text}no path,/blog\n`);
  const before = site.read(REDIRECTS);
  await expect(site.commit([post(2, 'two')])).rejects.toThrow(
    /content\/redirects\/imported-wordpress\.csv, line \d+: from must be a path/,
  );
  expect(site.read(REDIRECTS)).toBe(before);
});

it('allows images of the former host, and says how many will not be shown and why', async () => {
  const image = (src: string) => `<img src="${src}" alt="x">`;
  const content = [
    'https://old.example/wp-content/a.png',
    '/wp-content/b.png',
    'http://www.old.example/c.png',
    'https://cdn.example/d.png',
    'https://old.example/e.svg',
    'http://old.example:8080/f.png',
  ]
    .map(image)
    .join(' Words. ');
  const site = createEmptySite();
  site.edit('site.yaml', (text) => `# Mine.\n${text}`);
  expect(await site.preview([{ id: 1, content }])).toMatchObject({ imagesElsewhere: 3, imagesHidden: 3 });
  await site.commit([{ id: 1, content }]);
  expect(readContent(site.content).site.imageHosts).toEqual(['old.example', 'www.old.example']);
  expect(site.read('site.yaml')).toMatch(/^# Mine\.\n/);
  const report = site.read('.import/report.txt');
  expect(report).toContain('d.png will not be shown: add cdn.example to imageHosts in content/site.yaml');
  expect(report).toContain('e.svg will not be shown: SVG files of other hosts are not allowed');
  expect(report).toContain('f.png will not be shown: its host needs https');
  const before = site.read('site.yaml');
  await site.commit([{ id: 1, content }]);
  expect(site.read('site.yaml')).toBe(before);
});

it('rewrites links to lists, feeds and attachments of the former site as their addresses are redirected', async () => {
  const links = {
    '/feed/': '/rss.xml',
    '/2024/one/feed/atom/': '/rss.xml',
    '/author/ada/': '/blog',
    '/author/ada/page/2/': '/blog',
    '/2024/': '/blog',
    '/2024/03/01/': '/blog',
    '/page/2/': '/blog',
    '/category/guides/page/2/': '/blog/topic/guides',
    '/2024/one/photo/': '/blog/one',
    '/loose/': '/blog',
    // WordPress finds a post by its name in any category.
    '/elsewhere/one/': '/blog/one',
    '/2024/one/comment-page-2/': '/blog/one',
  };
  const content = Object.keys(links)
    .map((href) => `<p><a href="${href}">x</a></p>`)
    .join('');
  const attachment = { type: 'attachment', status: 'inherit', attachment: 'https://old.example/a.png' };
  const site = createEmptySite();
  await site.commit([
    { ...post(1, 'one'), content },
    { ...attachment, id: 2, parent: 1, link: 'https://old.example/2024/one/photo/' },
    { ...attachment, id: 3, link: 'https://old.example/loose/' },
  ]);
  expect([...site.read('articles/one.md').matchAll(/\[x\]\(([^)]*)\)/g)].map(([, to]) => to)).toEqual(
    Object.values(links),
  );
  expect(site.read('.import/report.txt')).not.toContain('leads to nothing that is imported');
  const { redirects } = readContent(site.content);
  expect(redirects.get('/wp-sitemap.xml')).toBe('/sitemap.xml');
  expect(redirects.get('/post-sitemap.xml')).toBe('/sitemap.xml');
});

/** A post with links to products of a merchant in a network. */
const review = (id: number, slug: string, products: readonly string[], merchant = 7): WxrItem => ({
  ...post(id, slug),
  content: products
    .map((product) => {
      const target = encodeURIComponent(`https://shop-${merchant}.example/${product}`);
      const href = `https://www.awin1.com/cread.php?awinmid=${merchant}&awinaffid=9&ued=${target}`;
      return `<p>See <a href="${href.replaceAll('&', '&amp;')}">the ${product}</a>.</p>`;
    })
    .join('\n'),
});

/** An empty site into which posts with links are moved, as the console does it: the form shows what was decided before. */
function createShopSite() {
  const site = createEmptySite();
  return {
    ...site,
    async import(items: readonly WxrItem[], change: Partial<PartnerDecision> = {}) {
      const { groups, refusals } = await site.preview(items);
      const decisions = groups.map(({ proposal }) => ({ ...proposal, confirm: true, ...change }));
      const counts = await site.commit(items, decisions);
      return { groups, refusals, counts };
    },
    /** The products to which the links of an article lead. */
    follow(slug: string) {
      const { partners } = readContent(site.content);
      return [...site.read(`articles/${slug}.md`).matchAll(/\/go\/([\w-]+)\?page=([\w-]+)/g)].map(
        ([, key = '', page = '']) => {
          const destinations = partners.get(key)?.destinations;
          const address = destinations?.get(page) ?? destinations?.get('pricing') ?? '';
          return new URL(new URL(address).searchParams.get('ued') ?? address).pathname.slice(1);
        },
      );
    },
  };
}

const SHOP = 'partners/awin1-7.yaml';
const REVIEWS = ['kettle', 'teapot', 'grinder'].map((product, at) => review(at + 1, product, [product]));
const CUP = review(4, 'cup', ['cup']);

it('links lead to their products after a second import, when the file of the partner was edited', async () => {
  const site = createShopSite();
  await site.import(REVIEWS);
  const before = site.read(SHOP);
  site.edit(SHOP, (text) => `${text}currency: EUR\n`);
  for (const items of [[...REVIEWS, CUP], [CUP, ...REVIEWS], REVIEWS]) {
    await site.import(items);
    for (const { slug = '' } of [...REVIEWS, CUP]) expect(site.follow(slug)).toEqual([slug]);
    const added = site
      .read(SHOP)
      .split('\n')
      .filter((line) => !before.split('\n').includes(line));
    expect(added).toEqual([expect.stringContaining('cup'), 'currency: EUR']);
  }
  expect(site.read('.import/report.txt')).toContain(`${SHOP}: edited`);
});

it('links lead to their products after a second import, when an article was edited', async () => {
  const site = createShopSite();
  await site.import(REVIEWS);
  site.edit('articles/grinder.md', (text) => `${text}\nOwn words.\n`);
  // Another post has become the first by its uses, and one is gone.
  const items = [review(5, 'best', ['teapot', 'kettle', 'cup', 'cup', 'cup']), ...REVIEWS.slice(1), CUP];
  for (const order of [items, items.toReversed()]) {
    await site.import(order);
    for (const slug of ['kettle', 'teapot', 'grinder', 'cup']) expect(site.follow(slug)).toEqual([slug]);
    expect(site.follow('best')).toEqual(['teapot', 'kettle', 'cup', 'cup', 'cup']);
  }
});

it('a key leads where it led, whatever is imported and edited in between', async () => {
  const products = ['kettle', 'teapot', 'grinder', 'cup', 'tray'];
  const anyPost = fc.tuple(
    fc.integer({ min: 1, max: 5 }),
    fc.array(fc.constantFrom(...products), { minLength: 1, maxLength: 3 }),
    fc.constantFrom(7, 8),
  );
  const anyPosts = fc.uniqueArray(anyPost, { minLength: 1, selector: ([id]) => id });
  const anyEdit = fc.constantFrom('none', 'partner', 'article', 'records', 'half');
  await forAll(
    0.06 * SEARCHED,
    [fc.array(fc.tuple(anyPosts, anyEdit), { minLength: 2, maxLength: 4 })],
    async (rounds) => {
      const site = createShopSite();
      const expected = new Map<string, readonly string[]>();
      const edited = new Set<string>();
      const imported = new Map<number, string>();
      for (const [posts, edit] of rounds) {
        const changed = posts.filter(([id, ...rest]) => imported.get(id) !== JSON.stringify(rest));
        for (const [id, ...rest] of posts) imported.set(id, JSON.stringify(rest));
        const records = existsSync(site.locate('.import/written.json'))
          ? site.read('.import/written.json')
          : null;
        await site.import(posts.map(([id, linked, merchant]) => review(id, `post-${id}`, linked, merchant)));
        for (const [id, linked] of posts) if (!edited.has(`post-${id}`)) expected.set(`post-${id}`, linked);
        for (const [slug, linked] of expected) expect(site.follow(slug)).toEqual(linked);
        const last = `post-${posts[0]?.[0]}`;
        if (edit === 'article') site.edit(`articles/${last}.md`, (text) => `${text}\nOwn words.\n`);
        if (edit === 'article') edited.add(last);
        for (const file of edit === 'partner' ? readdirSync(site.locate('partners')) : [])
          site.edit(`partners/${file}`, (text) => (text.includes('awin1') ? `${text}# Mine.\n` : text));
        // As the version before wrote it.
        if (edit === 'records')
          site.edit('.import/written.json', (text) => text.replace(/^ "[^"\n]* https?:.*\n/gm, ''));
        // Ended when everything but the record was written.
        if (edit === 'half' && records !== null) {
          site.write('.import/written.json', records);
          // What was written differs from the record, as what an owner has edited.
          for (const [id] of changed) edited.add(`post-${id}`);
        }
      }
    },
  );
});

const followsEverything = async (rounds: number) => {
  const products = ['kettle', 'teapot', 'grinder', 'cup', 'tray'];
  const ids = [1, 2, 3, 4, 5];
  const anyRound = fc.record({
    kept: fc.subarray(ids, { minLength: 1 }),
    renamed: fc.subarray(ids),
    edit: fc.constantFrom('none', 'partner', 'article', 'redirects'),
  });
  await forAll(rounds * SEARCHED, [fc.array(anyRound, { minLength: 2, maxLength: 4 })], async (all) => {
    const site = createShopSite();
    const names = new Map<number, number>();
    const known = new Map<string, number>();
    const edited = new Set<number>();
    const linked = new Map<number, number>();
    const nameSlug = (id: number) => `post-${id}${'-new'.repeat(names.get(id) ?? 0)}`;
    for (const { kept, renamed, edit } of all) {
      for (const id of renamed) names.set(id, (names.get(id) ?? 0) + 1);
      await site.import(
        kept.map((id, at) => {
          const next = kept[(at + 1) % kept.length] ?? id;
          if (!edited.has(id)) linked.set(id, next);
          const { content = '', ...rest } = review(id, nameSlug(id), [products[id - 1] ?? '']);
          const href = `https://old.example/2024/${nameSlug(next)}/`;
          return { ...rest, content: `${content}<p>See <a href="${href}">another</a>.</p>` };
        }),
      );
      for (const id of kept) known.set(`/2024/${nameSlug(id)}`, id);
      const { redirects } = readContent(site.content);
      const articles = readdirSync(site.locate('articles')).map((file) => {
        const text = site.read(`articles/${file}`);
        const own = /^address: (.*)\/$/m.exec(text)?.[1];
        return { slug: file.slice(0, -3), id: Number(/^title: Post (\d)$/m.exec(text)?.[1]), own, text };
      });
      const lead = (path: string) => {
        const to = redirects.get(path) ?? path;
        return articles.filter(({ slug, own }) => to === `/blog/${slug}` || to === own).map(({ id }) => id);
      };
      for (const [path, id] of known) expect([path, lead(path)]).toEqual([path, [id]]);
      for (const { id, slug, text } of articles) {
        expect(site.follow(slug)).toEqual([products[id - 1]]);
        const [, to = ''] = /\[another\]\(([^)]*)\)/.exec(text) ?? [];
        expect(lead(to)).toEqual([linked.get(id)]);
      }
      const gone = articles.filter(({ id }) => !kept.includes(id)).map(({ slug }) => slug);
      for (const slug of gone)
        expect(site.read('.import/report.txt')).toContain(`articles/${slug}.md: its post is in the trash`);
      const [last] = articles;
      if (edit === 'article' && last !== undefined) {
        site.edit(`articles/${last.slug}.md`, (text) => `${text}\nOwn words.\n`);
        edited.add(last.id);
      }
      if (edit === 'redirects')
        site.edit(REDIRECTS, (text) =>
          text.includes('/mine,')
            ? text
            : `${text}/mine,/blog
`,
        );
      if (edit === 'partner') site.edit(SHOP, (text) => `${text}# Mine.\n`);
    }
  });
};

it('every link and every former address leads to its post, whatever is renamed, removed and edited', () =>
  followsEverything(0.1));

it('the same over more rounds', { tags: ['rest'] }, () => followsEverything(2));

it('links that differ in what only tracks have one destination', async () => {
  const site = createShopSite();
  const link = (query: string) => `<p>See <a href="https://hubspot.sjv.io/c/1/2/3?${query}">it</a>.</p>`;
  await site.import([
    {
      ...post(1, 'one'),
      content: ['subId1=a', 'subId1=b', 'subId1=c&amp;utm_source=x', 'plan=pro'].map(link).join('\n'),
    },
  ]);
  const [partner] = [...readContent(site.content).partners.values()].filter(({ site: home }) =>
    home.includes('sjv.io'),
  );
  expect([...(partner?.destinations.values() ?? [])]).toHaveLength(2);
});

it('names two destinations of one name by their addresses, in any order', async () => {
  const linked = ['a', 'b', 'c'].map((part) => review(part.charCodeAt(0), part, [`${part}/kettle`]));
  const sites = [linked, linked.toReversed()].map(() => createShopSite());
  for (const [at, site] of sites.entries()) {
    await site.import(at === 0 ? linked.slice(0, 2) : linked.slice(0, 2).toReversed());
    await site.import(at === 0 ? linked : linked.toReversed());
  }
  const [one, other] = sites.map((site) => site.read(SHOP));
  expect(one).toBe(other);
  expect(one).toMatch(/^ {2}kettle: /m);
  expect(one).toMatch(/^ {2}kettle-[0-9a-f]{6}: /m);
});

it('the lists and the front page of WordPress have an answer', async () => {
  const site = createEmptySite();
  await site.commit([
    post(1, 'one'),
    { ...post(2, 'home'), type: 'page', link: 'https://old.example/' },
    { ...post(3, 'news'), type: 'page', link: 'https://old.example/news/', content: '' },
    { ...post(4, 'blog'), type: 'page', link: 'https://old.example/blog/', content: '' },
    { ...post(5, 'two'), content: '<p>All <a href="/news/">news</a>, <a href="/index.php">home</a>.</p>' },
  ]);
  const { redirects } = readContent(site.content);
  const targets = {
    '/index.php': '/',
    '/home': '/',
    '/news': '/blog',
    '/news/feed': '/rss.xml',
    '/blog/page/1': '/blog',
    '/blog/feed': '/rss.xml',
  };
  expect(Object.fromEntries(Object.keys(targets).map((from) => [from, redirects.get(from)]))).toEqual(
    targets,
  );
  expect(readdirSync(site.locate('articles')).sort()).toEqual(['home.md', 'one.md', 'two.md']);
  expect(site.read('articles/two.md')).toContain('All [news](/blog), [home](/)');
  expect(site.read('.import/report.txt')).not.toContain('leads to nothing');
});

it('goes on with the file of a partner whose import was interrupted before it was recorded', async () => {
  const site = createShopSite();
  await site.import([review(1, 'kettle', ['kettle'])]);
  const records = site.read('.import/written.json');
  await site.import([review(2, 'grinder', ['grinder'], 8)]);
  for (const items of [[review(3, 'cup', ['cup'], 8)], [review(3, 'cup', ['cup', 'tray'], 8)]]) {
    site.write('.import/written.json', records);
    await site.import(items);
    expect([site.follow('grinder'), site.follow('cup')[0]]).toEqual([['grinder'], 'cup']);
  }
});

it.each<[string, (text: string) => string]>([
  ['an operator wrote', (text) => text.replace(/^#.*\n/, '')],
  ['pays somebody else', (text) => text.replace('value: "9"', 'value: "10"')],
])('takes no file over that %s', async (_, change) => {
  const site = createShopSite();
  await site.import([review(1, 'kettle', ['kettle'])]);
  site.edit(SHOP, change);
  site.write('.import/written.json', '{}');
  const before = site.read(SHOP);
  await expect(site.import([CUP])).rejects.toThrow('The key "awin1-7"');
  expect(site.read(SHOP)).toBe(before);
});

it('keeps the key of an address that was corrected, and follows a key that was renamed', async () => {
  const site = createShopSite();
  await site.import(REVIEWS);
  // Besides, the operator has a key of their own for the address that was corrected.
  const address = / {2}kettle: (.*)/.exec(site.read(SHOP))?.[1];
  site.edit(SHOP, (text) => text.replace('%2Fkettle', '%2Fkettle-2').replace('  teapot:', '  pots:'));
  site.edit(SHOP, (text) => `${text}  own: ${address}\n`);
  expect(site.read(SHOP)).toMatch(/^ {2}kettle: .*kettle-2\n {2}pots: .*teapot$/m);
  const kettle = site.read('articles/kettle.md');
  for (const items of [REVIEWS, [...REVIEWS, CUP]]) {
    await site.import(items);
    expect(['kettle', 'teapot', 'grinder'].map((slug) => site.follow(slug))).toEqual([
      ['kettle-2'],
      ['teapot'],
      ['grinder'],
    ]);
  }
  expect(site.read('articles/kettle.md')).toBe(kettle);
});

it('adds to an edited file what its own way to name the payee needs, with the host', async () => {
  const site = createShopSite();
  const link = (id: number, product: string, host = 'shop.example'): WxrItem => ({
    ...post(id, product),
    content: `<p><a href="https://${host}/${product}?via=me">the ${product}</a></p>`,
  });
  await site.import([link(1, 'kettle')]);
  const file = 'partners/shop.yaml';
  site.edit(file, (text) =>
    text.replace(/^affiliate:\n.*\n.*\n/m, 'affiliate: null\n').replace(/kettle$/m, 'kettle?via=new'),
  );
  await site.import([link(1, 'kettle'), link(2, 'cup'), link(3, 'tray', 'www.shop.example')]);
  const { destinations, watch, affiliate } = readContent(site.content).partners.get('shop') ?? expect.fail();
  expect([affiliate, [...destinations]]).toEqual([
    null,
    [
      ['pricing', 'https://shop.example/kettle?via=new'],
      ['cup', 'https://shop.example/cup?via=me'],
      ['tray', 'https://www.shop.example/tray?via=me'],
    ],
  ]);
  expect(watch?.hosts).toEqual(['shop.example', 'www.shop.example']);
});

it('says what a file that was edited would need when it cannot be added, and writes nothing', async () => {
  const site = createShopSite();
  await site.import(REVIEWS);
  site.edit(SHOP, (text) => `${text.replace('destinations:', 'destinations: &all')}regions:\n  DE: *all\n`);
  const before = [SHOP, 'articles/kettle.md', '.import/written.json'].map(site.read);
  const needs = /needs these destinations: cup: https:\S+cup; but cannot be/;
  expect((await site.preview([...REVIEWS, CUP])).refusals).toEqual([expect.stringMatching(needs)]);
  await expect(site.import([...REVIEWS, CUP])).rejects.toThrow(needs);
  expect([SHOP, 'articles/kettle.md', '.import/written.json'].map(site.read)).toEqual(before);
});

it('the form of a second import has what was decided, and what it shows is what is written', async () => {
  const site = createShopSite();
  const shop = (id: number, host: string): WxrItem => ({
    ...post(id, `from-${id}`),
    content: `<p><a href="https://shop.${host}/kettle?fpr=me">Kettle</a></p>`,
  });
  await site.import([shop(1, 'net')], { name: 'The Shop', network: 'generic' });
  // Sorted by name, the new merchant comes first.
  const items = [shop(2, 'com'), shop(1, 'net')];
  const { groups } = await site.preview(items);
  expect(groups.map(({ proposal }) => [proposal.key, proposal.name, proposal.confirm])).toEqual([
    [expect.stringMatching(/^shop-[0-9a-f]{6}$/), 'Shop', false],
    ['shop', 'The Shop', true],
  ]);
  await site.import(items);
  await site.preview(items);
  const shown = site.read('.import/report.txt');
  const { counts } = await site.import(items);
  expect(site.read('.import/report.txt')).toBe(shown);
  expect(counts.partnerLinks).toBe(2);
  const { partners } = readContent(site.content);
  const later = groups[0]?.proposal.key ?? '';
  expect([partners.get('shop')?.site, partners.get(later)?.site]).toEqual([
    'https://shop.net/',
    'https://shop.com/',
  ]);
  // Another decision about a file that nobody has edited is written, with the same keys.
  const { destinations } = partners.get('shop') ?? expect.fail();
  await site.import(items.slice(1), { network: 'firstpromoter' });
  const changed = readContent(site.content).partners.get('shop') ?? expect.fail();
  expect([changed.terms.network, [...changed.destinations]]).toEqual(['firstpromoter', [...destinations]]);
});

it('refuses to lead links to a partner whose file was removed, until that is said', async () => {
  const site = createShopSite();
  const items = [...REVIEWS, review(4, 'cup', ['cup'], 8)];
  await site.import(items);
  rmSync(site.locate('partners/awin1-8.yaml'));
  await expect(site.import(items)).rejects.toThrow('partners/awin1-8.yaml was removed');
  expect(site.follow('kettle')).toEqual(['kettle']);
  const { groups } = await site.preview(items);
  const [shop, other] = groups.map(({ proposal }) => proposal);
  if (shop === undefined || other === undefined) expect.fail();
  await site.commit(items, [shop, { ...other, confirm: false }]);
  expect([site.follow('kettle'), site.follow('cup')]).toEqual([['kettle'], []]);
});

it('two products of one name keep their files when their posts change places', async () => {
  const site = createShopSite();
  const box = (id: number, number: string): WxrItem => ({
    ...post(id, `box-${id}`),
    content: `[amazon box="${number}" title="Steel Kettle"]`,
  });
  const items = [box(1, 'B01N0T4N7K'), box(2, 'B07PXGQC1Q')];
  await site.import(items);
  const files = readdirSync(site.locate('products')).map((name) => `products/${name}`);
  expect(files.filter((file) => file.includes('steel-kettle'))).toHaveLength(2);
  const readFiles = () => [...files, 'articles/box-1.md'].map(site.read);
  const before = readFiles();
  await site.import(items.toReversed());
  expect(readFiles()).toEqual(before);
});
