import { expect, it } from 'vitest';
import { partnerSchema } from './partner.schema.ts';
import { isAllowedHost, listWatchedLinks } from './watched-links.ts';

const buildPartners = (watch: object) => {
  const partner = partnerSchema.parse({
    key: 'acme',
    name: 'Acme',
    site: 'https://www.acme.example/',
    hosts: ['go.acme-network.example'],
    affiliate: { parameter: 'ref', value: 'me' },
    subId: null,
    watch,
    destinations: { pricing: 'https://go.acme-network.example/c/1' },
  });
  return new Map([[partner.key, partner]]);
};

it('watches destinations and links in texts, and nothing of a partner that is switched off', () => {
  const urls = [
    'https://help.acme.example/prices#pro',
    'https://go.acme-network.example/c/2',
    'https://other.example/',
    'http://other.example/',
    'https://own.example/page',
    'https://me:secret@other.example/',
  ];
  const links = urls.map((url) => ({ page: '/', url }));
  const list = (watch: object) =>
    listWatchedLinks(buildPartners(watch), links, ['own.example']).map(({ url }) => url);
  const others = ['https://other.example/', 'http://other.example/'];
  expect(list({})).toEqual([
    'https://go.acme-network.example/c/1?ref=me',
    'https://help.acme.example/prices',
    'https://go.acme-network.example/c/2',
    ...others,
  ]);
  expect(list({ check: false })).toEqual(others);
});

it('lets a check follow an external link below its host, and that of a partner to its own hosts alone', () => {
  const pageLinks = [{ page: '/', url: 'https://www.other.example/study' }];
  const [partner, external] = listWatchedLinks(buildPartners({}), pageLinks, []);
  const isAllowed = (link: typeof partner, host: string, accepted: string | null = null) =>
    isAllowedHost(link ?? expect.fail(), host, accepted);
  expect(['other.example', 'cdn.other.example'].map((host) => isAllowed(external, host))).toEqual([
    true,
    true,
  ]);
  expect(isAllowed(external, 'another.example')).toBe(false);
  expect(isAllowed(partner, 'www.acme.example')).toBe(true);
  expect(isAllowed(partner, 'evil.www.acme.example')).toBe(false);
  expect(isAllowed(partner, 'new.example', 'new.example')).toBe(true);
});
