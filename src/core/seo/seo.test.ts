import { describe, expect, it } from 'vitest';
import { readSampleSite } from '../../../test/support/sample-content.ts';
import { siteSchema } from '../pages/site.schema.ts';
import {
  buildLlmsText,
  buildRobots,
  buildSitemap,
  buildSitemapIndex,
  buildSpeculationRules,
  findLatest,
} from './site-files.ts';

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

  it('are named by an index', () =>
    expect(buildSitemapIndex(ORIGIN, [{ path: '/sitemap-pages.xml' }])).toContain(
      '<sitemap><loc>https://example.com/sitemap-pages.xml</loc></sitemap>',
    ));

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

const siteRobots = (robots: object) => siteSchema.parse({ ...readSampleSite(), robots }).robots;
const OPEN = siteRobots({});

describe('buildRobots', () => {
  it('says nothing about agents unless the content does', () =>
    expect(buildRobots(ORIGIN, ['/kit-trial'], OPEN)).toBe(
      [
        'User-agent: *',
        'Disallow: /go/',
        'Disallow: /api/',
        'Disallow: /functions/',
        'Disallow: /console/',
        'Disallow: /kit-trial',
        'Allow: /',
        '',
        'Sitemap: https://example.com/sitemap.xml',
        '',
      ].join('\n'),
    ));

  it('keeps kinds of agents out by a group of their own, and says what texts may be used for', () => {
    const contentSignal = { search: 'yes', aiInput: 'yes', aiTrain: 'no' };
    const robots = buildRobots(ORIGIN, [], siteRobots({ training: 'disallow', contentSignal }));
    const [training = '', everyone = ''] = robots.split('\n\n');
    expect(training.split('\n')).toEqual(
      expect.arrayContaining(['User-agent: GPTBot', 'User-agent: Google-Extended', 'Disallow: /']),
    );
    expect(training).not.toContain('Googlebot');
    expect(everyone).toMatch(
      /^User-agent: \*\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nDisallow: /,
    );
  });

  it('names no purpose that the content leaves out', () => {
    const robots = buildRobots(ORIGIN, [], siteRobots({ contentSignal: { aiTrain: 'no' } }));
    expect(robots).toContain('Content-Signal: ai-train=no\n');
  });

  it('keeps crawlers from every redirect', () => {
    const robots = buildRobots(ORIGIN, ['/go/kit', '/kit-trial'], OPEN);
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
