import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import {
  readSampleClaims,
  readSamplePartners,
  readSampleProducts,
  readSampleSavings,
} from '../../test/support/sample-content.ts';
import { collectSources } from './collect-sources.ts';

const PAGE = `title: Trial
lead: "{price:unlimited} a month{claim:hub-agencies.mark}, or {product:kit.creator}. See https://other.example/page."
sections: [{ type: product-box, product: hubspot }]
stats: [hub-retention]
`;
const ARTICLE = `---
title: Kit for beginners
excerpt: What Kit costs.
categories: [CRM Strategy]
publishedAt: 2026-11-01
sources:
  - { title: Kit prices, url: "https://kit.com/pricing", date: 2026-08-13, supports: the price of Pro }
---

Kit Pro costs $79 [^1]. An import is $5.
`;

it('lists every statement with the pages and articles that use it', () => {
  const root = createFolder();
  for (const folder of ['pages', 'articles']) mkdirSync(path.join(root, folder));
  writeFileSync(path.join(root, 'pages/trial.yaml'), PAGE);
  writeFileSync(path.join(root, 'articles/kit.md'), ARTICLE);
  const listed = collectSources(root, {
    claims: readSampleClaims(),
    partners: readSamplePartners(),
    products: readSampleProducts(),
    savings: readSampleSavings(),
  });
  const getUses = (name: string) => listed.find((one) => one.name === name)?.uses;
  expect(getUses('product:highlevel.unlimited')).toEqual(['/trial']);
  expect(getUses('product:highlevel.starter')).toEqual([]);
  expect(getUses('product:kit.creator')).toEqual(['/trial']);
  expect(getUses('product:kit.pro')).toEqual(['/blog/kit']);
  expect(getUses('product:hubspot.starter')).toEqual(['/trial']);
  expect(getUses('claim:hub-agencies')).toEqual(['/trial']);
  expect(getUses('claim:hub-retention')).toEqual(['/trial']);
  expect(listed.filter(({ kind }) => kind === 'source' || kind === 'link')).toMatchObject([
    {
      text: 'Kit prices: the price of Pro',
      source: 'https://kit.com/pricing',
      checked: '2026-08-13',
      uses: ['/blog/kit'],
    },
    { text: 'other.example', source: 'https://other.example/page', checked: '', uses: ['/trial'] },
  ]);
});
