import { expect, siteTest } from '../support/browser-test.ts';
import { startSite } from '../support/site.ts';

const SLUG = 'crm-basics';
const ADDRESS = '/2022/07/gr%C3%B6%C3%9Fe/';

siteTest('no output links to the default address of a piece that has one of its own', async () => {
  const site = await startSite({
    contentEdits: {
      [`articles/${SLUG}.md`]: (text) =>
        text.replace('---\n', '---\naddress: /2022/07/größe/\nsocialTitle: Shared title\n'),
      'articles/automation-audit.md': (text) => text.replace('---\n', '---\nindex: false\n'),
      'articles/database-reactivation.md': (text) =>
        text.replace('---\n', '---\ncanonicalUrl: https://original.example/a\n'),
      'pages/roi-calculator.yaml': (text) => `address: /tools/roi.html\n${text}`,
    },
  });
  const get = (path: string) => fetch(site.url + path, { redirect: 'manual' });
  try {
    const response = await get(ADDRESS);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toMatch(new RegExp(`<link rel="canonical" href="[^"]*${ADDRESS}"`));
    expect(html).toContain('property="og:title" content="Shared title"');
    for (const [path, target] of [
      [`/blog/${SLUG}?utm_source=a`, `${ADDRESS}?utm_source=a`],
      [ADDRESS.slice(0, -1), ADDRESS],
      ['/roi-calculator', '/tools/roi.html'],
    ] as const) {
      const moved = await get(path);
      expect([path, moved.status, moved.headers.get('location')]).toEqual([path, 301, target]);
    }
    expect((await get('/tools/roi.html')).status).toBe(200);
    const sitemaps = ['/sitemap-pages.xml', '/sitemap-articles.xml'];
    const listed = await Promise.all(sitemaps.map(async (path) => (await get(path)).text()));
    const paths = [...listed.join('').matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(
      ([, path = '']) => path,
    );
    expect(paths).toEqual(expect.arrayContaining([ADDRESS, '/tools/roi.html']));
    expect(paths).not.toEqual(expect.arrayContaining(['/blog/automation-audit']));
    expect(paths).not.toEqual(expect.arrayContaining(['/blog/database-reactivation']));
    expect(await (await get('/rss.xml')).text()).not.toContain('/blog/automation-audit<');
    expect(await (await get('/blog/automation-audit')).text()).toContain(
      '<meta name="robots" content="noindex',
    );
    expect(await (await get('/blog/database-reactivation')).text()).toContain(
      '<link rel="canonical" href="https://original.example/a"',
    );
    const outputs = [...paths, ...sitemaps, '/rss.xml', '/feed.json', '/llms.txt', '/blog?q=gohighlevel'];
    const leading = { [ADDRESS]: 0, '/tools/roi.html': 0 };
    for (const path of outputs) {
      const text = await (await get(path || '/')).text();
      const wrong = [`/blog/${SLUG}`, '/roi-calculator'].flatMap((one) => [
        ...text.matchAll(
          new RegExp(`(?:href=\\\\?"|<loc>|<link>|"url": ?"|\\]\\()[^"<>\\s]*${one}(?=["\\\\<#?)/])`, 'g'),
        ),
      ]);
      for (const own of [ADDRESS, '/tools/roi.html'] as const) if (text.includes(own)) leading[own] += 1;
      expect([path, wrong.map(([link]) => link)]).toEqual([path, []]);
    }
    // The texts of other pages name both.
    expect(Math.min(...Object.values(leading))).toBeGreaterThan(5);
  } finally {
    await site.stop();
  }
});
