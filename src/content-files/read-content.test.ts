import { rmSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { copyContent } from '../../test/support/content-copy.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { readContent } from './read-content.ts';

let folder: string;
beforeEach(() => {
  folder = createFolder();
});

it('the shipped content is read, with figures in their places', () => {
  copyContent(folder);
  const { assessment, figures, savings } = readContent(folder);
  expect(figures.get('price:unlimited')).toBe('$297');
  expect(assessment.outcomes[0]?.reasons.map(({ text }) => text).join()).toContain('Flat $297/month');
  expect(savings.calculators['roi']?.plan.monthlyCents).toBe(97_00);
});

it.each([
  [
    'a price that no plan has',
    '{price:unlimited}',
    '{price:gold}',
    'outcome 1, reason 3, field text: there is no figure "{price:gold}"',
  ],
  [
    'a partner that is not there',
    'partner: kit',
    'partner: tik',
    'outcome 3, field partner: no partner is called "tik"',
  ],
  ['an outcome without business types', '[ecommerce]', '[]', 'outcome 2, field businessTypes'],
])('%s stops it with file, field and reason', (_, from, to, message) => {
  copyContent(folder, { 'assessment.yaml': (text) => text.replace(from, to) });
  expect(() => readContent(folder)).toThrow(message);
});

it('a typed price of a partner that allows none is reported', () => {
  copyContent(folder, { 'partners/kit.yaml': (text) => `${text}prices: none\n` });
  expect(() => readContent(folder)).toThrow(
    /products\/kit\.yaml, line \d+, field offers\.newsletter\.price: partner "kit" says `prices: none`: leave out the price/,
  );
});

it('a product that is wrong is reported by its own file alone', () => {
  copyContent(folder, { 'products/highlevel.yaml': (text) => text.replace('price: 97', 'price: free') });
  expect(() => readContent(folder)).toThrow(
    /^\[content\] 1 problem:\n {2}content\/products\/highlevel\.yaml, line \d+, field offers\.starter\.price/,
  );
});

it('a partner file that is wrong is reported once, however many files name the partner', () => {
  copyContent(folder, {
    'partners/highlevel.yaml': (text) => text.replace('https://www.gohighlevel.com/demo', 'demo'),
  });
  expect(() => readContent(folder)).toThrow(
    /^\[content\] 1 problem:\n {2}content\/partners\/highlevel\.yaml, line \d+, field destinations\.demo: is not an absolute address$/,
  );
});

it.each([
  ['/blog', 'the site responds at /blog itself'],
  ['/hubspot-trial', '/hubspot-trial is the trial path of partner "hubspot" already'],
])('a trial path that is taken (%s) is reported', (taken, reason) => {
  copyContent(folder, { 'partners/kit.yaml': (text) => text.replace('/kit-trial', taken) });
  expect(() => readContent(folder)).toThrow(`content/partners/kit.yaml, line 33, field trialPath: ${reason}`);
});

it('a page that names an unknown calculator is reported', () => {
  copyContent(folder, {
    'pages/roi-calculator.yaml': (text) => text.replace('calculator: roi }', 'calculator: rio }'),
  });
  expect(() => readContent(folder)).toThrow(
    /content\/pages\/roi-calculator\.yaml, line \d+, section 1 \(hero\), field figure\.calculator: there is no calculator "rio"; calculators\.yaml has trial, roi/,
  );
});

it('a navigation link that leads to a partner unmarked is reported', () => {
  copyContent(folder, { 'site.yaml': (text) => text.replace('href: /help', 'href: /kit-trial') });
  expect(() => readContent(folder)).toThrow('links to a partner by its address');
});

it('a page that the site links to cannot be left out', () => {
  copyContent(folder);
  rmSync(path.join(folder, 'pages/privacy.yaml'));
  expect(() => readContent(folder)).toThrow('content/pages/privacy.yaml: is missing: the site links to it');
});

it('a new partner is one file', () => {
  copyContent(folder, {
    'partners/acme.yaml': () =>
      'key: acme\nname: Acme\nsite: https://acme.test/\nhosts: [acme.test]\ntrialPath: /acme-trial\n' +
      'affiliate: { parameter: ref, value: us }\nsubId: null\n' +
      'destinations: { pricing: https://acme.test/pricing, trial: https://acme.test/trial }\n',
    'pages/case-studies.yaml': (text) => `${text}\n  - { type: prose, body: "[Acme](partner:acme/trial)" }\n`,
  });
  expect(readContent(folder).partners.get('acme')?.trialPath).toBe('/acme-trial');
});
