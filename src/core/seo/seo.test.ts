import { describe, expect, it } from 'vitest';
import { buildLlmsText, buildRobots, buildSpeculationRules } from './site-files.ts';
import { buildSitemap, buildSitemapIndex, findLatest } from './sitemap.ts';

const ORIGIN = 'https://example.com';

describe('sitemaps', () => {
  it('name every address, escaped, with its last change', () => {
    const xml = buildSitemap(ORIGIN, [{ path: '/a', lastModified: '2026-01-02' }, { path: '/b?x=1&y=<' }]);
    expect(xml).toContain('<url><loc>https://example.com/a</loc><lastmod>2026-01-02</lastmod></url>');
    expect(xml).toContain('<loc>https://example.com/b?x=1&amp;y=&lt;</loc>');
  });

  it('stop at the limit of the protocol', () => {
    const xml = buildSitemap(
      ORIGIN,
      Array.from({ length: 50_010 }, (_, index) => ({ path: `/${index}` })),
    );
    expect(xml.match(/<url>/g)).toHaveLength(50_000);
  });

  it('are named by an index', () => {
    expect(buildSitemapIndex(ORIGIN, [{ path: '/sitemap-pages.xml' }])).toContain(
      '<sitemap><loc>https://example.com/sitemap-pages.xml</loc></sitemap>',
    );
  });

  it('know their latest change', () => {
    expect(
      findLatest([
        { path: '/a' },
        { path: '/b', lastModified: '2026-02-01' },
        { path: '/c', lastModified: '2026-01-01' },
      ]),
    ).toBe('2026-02-01');
    expect(findLatest([])).toBeUndefined();
  });
});

describe('buildRobots', () => {
  it('keeps crawlers from every redirect', () => {
    const robots = buildRobots(ORIGIN, ['/go/kit', '/kit-trial']);
    for (const line of [
      'Disallow: /go/',
      'Disallow: /kit-trial',
      'Sitemap: https://example.com/sitemap.xml',
    ]) {
      expect(robots.split('\n')).toContain(line);
    }
  });
});

describe('buildLlmsText', () => {
  it('lists pages on one line each and leaves empty groups out', () => {
    const text = buildLlmsText(
      { name: 'Hub', description: 'About\nit', disclosure: 'Paid links.', origin: ORIGIN },
      [
        { title: 'Pages', items: [{ path: '/a', title: 'A [draft]', description: 'First\nline' }] },
        { title: 'Articles', items: [] },
      ],
    );
    expect(text).toContain('- [A draft](https://example.com/a): First line\n');
    expect(text).toContain('> About it');
    expect(text).not.toContain('## Articles');
  });
});

describe('buildSpeculationRules', () => {
  it('never loads a redirect ahead of its click', () => {
    const { prerender } = JSON.parse(buildSpeculationRules(['/go/kit', '/kit-trial'])) as {
      prerender: [{ where: { and: unknown[] } }];
    };
    expect(prerender[0].where.and[1]).toEqual({
      not: { href_matches: expect.arrayContaining(['/go/*', '/kit-trial', '/api/*']) },
    });
  });
});
