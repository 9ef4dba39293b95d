import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyContent } from './support/content-copy.ts';
import { createFolder } from './support/create-folder.ts';
import { runCommand } from './support/run-command.ts';
import {
  buildStandIns,
  page,
  redirect,
  respond,
  type StandInInternet,
  startStandInInternet,
} from './support/stand-in-internet.ts';

let internet: StandInInternet;
let env: Record<string, string>;
let dataDir: string;
const PARTNER = `key: acme
name: Acme
site: https://www.acme.example/
hosts: [www.acme.example]
affiliate: { parameter: ref, value: me }
subId: null
destinations:
  pricing: https://www.acme.example/pricing
  trial: https://www.acme.example/pricing
  gone: https://www.acme.example/gone
watch:
  expect:
    pricing: { prices: [{ equals: product:highlevel.starter, near: Starter }] }
`;

const ARTICLE = `---
title: Studies
excerpt: What studies say.
categories: [Automation]
publishedAt: 2026-01-05
sources:
  - { title: Report, url: https://other.example/report, date: 2026-01-05, supports: The figure. }
---
See the [study](https://other.example/study) and the [older one](http://other.example/old).[^1]
`;

beforeEach(async () => {
  internet = await startStandInInternet([
    ['www.acme.example', { '/pricing': page('<h1>Plans</h1> Starter $99'), '/gone': redirect('/') }],
    ['other.example', { '/study': respond(200, {}, '<title>Study</title>') }],
  ]);
  const content = createFolder();
  dataDir = createFolder();
  copyContent(content);
  writeFileSync(path.join(content, 'partners/acme.yaml'), PARTNER);
  mkdirSync(path.join(content, 'articles'), { recursive: true });
  writeFileSync(path.join(content, 'articles/linked.md'), ARTICLE);
  env = {
    CONTENT_DIR: content,
    DATA_DIR: dataDir,
    TEST_HOSTS: buildStandIns(internet.hosts.keys(), internet.port),
  };
});
afterEach(() => internet.close());

const links = (...args: readonly string[]) => runCommand('links', args, env);

it('checks, shows and accepts links, with one result for each destination as JSON', async () => {
  const before = await links('status', '--partner', 'acme', '--format', 'json');
  expect(JSON.parse(before.stdout)).toHaveLength(3);
  expect([before.stderr, readdirSync(dataDir)]).toEqual(['', []]);
  expect(internet.requests).toEqual([]);
  const { code, stdout } = await links('check', '--partner', 'acme', '--format', 'json');
  expect(code).toBe(0);
  const [pricing, trial, gone] = JSON.parse(stdout);
  expect(pricing).toMatchObject({
    partner: 'acme',
    destination: 'pricing',
    url: 'https://www.acme.example/pricing?ref=me',
    state: 'healthy',
    reason: 'in order',
    finalHost: 'www.acme.example',
    parameterKept: true,
    hops: [{ url: 'https://www.acme.example/pricing?ref=me', status: 200 }],
    evidence: {
      offer: { prices: [{ equals: 'product:highlevel.starter', amount: 9_900, currency: 'USD' }] },
    },
  });
  expect(trial).toEqual({ ...pricing, destination: 'trial' });
  expect(gone).toMatchObject({ state: 'inconclusive', reason: 'responds with status 404, seen once' });
  const sent = internet.requests.length;
  expect((await links('status', '--partner', 'acme', '--format', 'json')).stdout).toBe(stdout);
  expect(internet.requests).toHaveLength(sent);
  const accepted = await links('accept', 'https://www.acme.example/pricing');
  expect(accepted.stdout).toBe(
    'https://www.acme.example/pricing?ref=me is right when it leads to www.acme.example/pricing.\n',
  );
  const refused = await links('accept', 'https://www.acme.example/gone');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('found nothing to accept')]);
});

it('checks one link of an article, and none without https', async () => {
  const { code, stdout } = await links('check', 'https://other.example/study');
  expect(code).toBe(0);
  expect(stdout).toMatch(/healthy\s+other site\s+https:\/\/other\.example\/study/);
  expect((await links('status', '--format', 'json')).stdout).toContain('"https://other.example/report"');
  const old = JSON.parse((await links('check', 'http://other.example/old', '--format', 'json')).stdout);
  expect(old).toMatchObject([
    { state: 'unchecked', reason: 'http:// is not checked; use https://', hops: [] },
  ]);
  expect(internet.requests).toEqual(['other.example/study']);
});

it.each<[argv: readonly string[], reason: string]>([
  [['look'], 'There is no command "look".'],
  [['accept'], 'The address of the link is missing.'],
  [['status', 'https://a.example/'], 'Unexpected argument'],
  [['check', 'https://a.example/'], 'No link leads to https://a.example/'],
  [['check', '--partner', 'unknown'], 'No link of a partner "unknown" is checked.'],
  [['status', '--format', 'xml'], '--format is table, json'],
])('explains what is wrong with %j', async (argv, reason) => {
  const { code, stderr } = await links(...argv);
  expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
});

it('refuses stand-ins on a public site', async () => {
  const { code, stderr } = await runCommand('links', ['status'], { ...env, SITE_URL: 'https://desk.com' });
  expect([code, stderr]).toEqual([1, expect.stringContaining('TEST_HOSTS: is for tests alone')]);
});
