import { expect, it } from 'vitest';
import { suggestForPath } from './suggest-for-path.ts';

const LINKS = [
  { title: 'CRM ROI calculator', href: '/roi-calculator' },
  { title: 'GoHighLevel free trial', href: '/gohighlevel-free-trial' },
  { title: 'What per-seat pricing really costs', href: '/blog/per-seat-pricing' },
  { title: 'HubSpot vs GoHighLevel pricing', href: '/hubspot-vs-gohighlevel-pricing-comparison' },
];

it.each([
  ['/calculators/roi', ['/roi-calculator']],
  ['/gohighlevel-pricing', [LINKS[3]?.href, LINKS[1]?.href, LINKS[2]?.href]],
  ['/Price%20of%20HubSpot', [LINKS[3]?.href]],
  ['/trials', ['/gohighlevel-free-trial']],
  ['/the-blog/for.php', []],
  ['/', []],
  ['/%E0%A4%A', []],
  ['/<script>alert(1)</script>', []],
  [`/${'x'.repeat(5_000)}`, []],
])('for %s it suggests %j', (path, expected) => {
  expect(suggestForPath(path, LINKS).map(({ href }) => href)).toEqual(expected);
});

it('finds words of a script that addresses percent-encode', () => {
  const link = { title: 'Маркетинг для агентств', href: '/blog/agency' };
  expect(suggestForPath(encodeURI('/маркетинг-2025'), [link])).toEqual([link]);
});

it('suggests at most four', () => {
  const many = Array.from({ length: 20 }, (_, index) => ({ title: 'Pricing', href: `/pricing-${index}` }));
  expect(suggestForPath('/pricing', many).map(({ href }) => href)).toEqual(
    '/pricing-0 /pricing-1 /pricing-2 /pricing-3'.split(' '),
  );
});
