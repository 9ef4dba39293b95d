import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT, runPinnedSync } from '../scripts/start/pinned-node.mjs';
import { createUpstreamSource } from '../src/server/articles/article-sources.ts';
import { FormTokens } from '../src/server/contact/submit-form.ts';
import { isLinkWatchOn } from '../src/server/outbound/link-watch.ts';
import { parseSettings, SETTINGS } from '../src/server/settings.ts';
import type { Site } from '../src/server/site.ts';
import { createFolder } from './support/create-folder.ts';
import { createTestSite } from './support/test-site.ts';

const example = readFileSync(path.resolve(import.meta.dirname, '../.env.example'), 'utf8');
const listed = parseEnv(example);

describe('.env.example', () => {
  it('lists every setting and no other', () =>
    expect(Object.keys(listed).sort()).toEqual([...SETTINGS].sort()));

  it('shows the defaults', () => expect(parseSettings(listed)).toEqual(parseSettings({})));

  it('explains every setting in the line above it', () => {
    const lines = example.split('\n');
    const bare = lines.filter(
      (line, index) => /^[A-Z_]+=/.test(line) && !/^# \S/.test(lines[index - 1] ?? ''),
    );
    expect(bare).toEqual([]);
  });
});

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const FORM_KEY = 'k'.repeat(32);
const TOKEN = new FormTokens(FORM_KEY, Date.now).issue();
const [CONSOLE_HOST, BACKUP] = ['src/console/access/console-host.test.ts', 'test/backup.test.ts'];
const [GO, ARTICLES] = ['src/server/outbound/go.test.ts', 'test/fault/articles-site.test.ts'];
const REPORTER = 'src/server/commissions/analytics-reporter.test.ts';
const NOTIFICATIONS = 'src/console/alerts/notifications.test.ts';

/** The hosts that articles are asked of while none answers. */
async function listAsked({ settings, content, clock }: Site): Promise<readonly string[]> {
  const hosts: string[] = [];
  const source = createUpstreamSource('remote', settings, content.read(), {
    get: ({ host }) => Promise.reject(new Error(`${hosts.push(host)}. host: no answer`)),
    clock,
    processBody: () => expect.unreachable(),
    onSkipped: () => undefined,
    onMapped: () => undefined,
  });
  await source.list({ page: 1, limit: 1 }).catch(() => undefined);
  return hosts;
}

/** Seconds that 10,000 more points take. */
async function measurePostRate({ visitors: { postLimiter } }: Site): Promise<number> {
  const [one = 0, more = 0] = await Promise.all(
    [10_000, 20_000].map((points, address) => postLimiter.take(`192.0.2.${address}`, points)),
  );
  return more - one;
}

type Value = readonly [value: string, read: (site: Site) => unknown];
/** What fails when a setting is not followed: a test, by its file and its words, or the value that changes what a site has. */
const EFFECTS: Readonly<Record<(typeof SETTINGS)[number], readonly [file: string, words: string] | Value>> = {
  HOST: [CONSOLE_HOST, 'the console is named where it opens'],
  PORT: ['test/commands.test.ts', 'reads the settings of .env in the folder where it runs'],
  DATA_DIR: ['test/events-command.test.ts', 'says how many visits and clicks are without journey'],
  CONTENT_DIR: ['test/content-links.test.ts', 'signpost content checks the link in'],
  SITE_URL: [CONSOLE_HOST, 'the console is named where it opens'],
  HSTS: ['year', ({ security }) => security.api],
  TRUSTED_PROXY_HOPS: ['test/fault/console-security.test.ts', "TRUSTED_PROXY_HOPS: '1'"],
  DEMO: [
    'test/fault/demo.test.ts',
    'a demo shows everything, and neither forms nor guesses change a byte of it',
  ],
  LOG_REQUESTS: ['test/fault/console-security.test.ts', 'writes no token, password or name that was tried'],
  METRICS_PORT: ['test/e2e/serving.spec.ts', 'unknown parameters do not split the cached pages'],
  CONSOLE_HOST: [CONSOLE_HOST, 'the console is named where it opens'],
  CONSOLE_ADDRESSES: [CONSOLE_HOST, 'the console is named where it opens'],
  ARTICLE_SOURCE: ['test/commands.test.ts', 'a command that needs data refuses a folder that has none'],
  ARTICLE_SERVICE_URL: [ARTICLES, 'articleService'],
  ARTICLE_SERVICE_KEY: [ARTICLES, 'articleService'],
  ARTICLE_SERVICE_CDN_URL: ['https://cdn.example', listAsked],
  GA_MEASUREMENT_ID: [REPORTER, 'the settings decide where it is reported, and as whom'],
  GA_API_SECRET: [REPORTER, 'the settings decide where it is reported, and as whom'],
  GA_ENDPOINT: [REPORTER, 'the settings decide where it is reported, and as whom'],
  CONSENT_REGIONS: ['test/e2e/analytics.spec.ts', "CONSENT_REGIONS: 'EU,GB,CH'"],
  STORAGE_CONSENT_REGIONS: [GO, 'without a session in a region that is listed'],
  STORAGE_QUESTION: ['test/e2e/stored-items.spec.ts', 'with a record that is withdrawn'],
  STORAGE_FREE_LINKS: ['test/e2e/stored-items.spec.ts', 'without storage and with plain links'],
  CLICK_ID_WITHOUT_CONSENT: [GO, 'CLICK_ID_WITHOUT_CONSENT decides whether the provider learns the click'],
  REGION_HEADER: [GO, 'in a region that is not listed'],
  EVENT_RATE: ['1', measurePostRate],
  FORM_KEY: [FORM_KEY, ({ visitors }) => visitors.formTokens.readAge(TOKEN) !== null],
  RETENTION_MONTHS: ['test/events-command.test.ts', 'prunes what is past its retention'],
  EVENT_HOT_DAYS: ['src/server/events/events.test.ts', 'archives events older than EVENT_HOT_DAYS'],
  TIME_ZONE: ['src/console/overview/tasks.test.ts', 'in its time zone'],
  SMTP_URL: [NOTIFICATIONS, 'sends each contact message to the mail server once, over a restart'],
  MAIL_FROM: [NOTIFICATIONS, 'sends a message from and to whom the settings say'],
  MAIL_TO: [NOTIFICATIONS, 'sends a message from and to whom the settings say'],
  CONTACT_WEBHOOK_URL: [NOTIFICATIONS, 'sends a message from and to whom the settings say'],
  ALERT_WEBHOOK_URL: ['src/console/partners/payees.test.ts', 'tells once of another partner with'],
  WEBHOOK_KEY: [NOTIFICATIONS, 'sends a message from and to whom the settings say'],
  HEARTBEAT_URL: ['src/console/alerts/send-alerts.test.ts', 'calls HEARTBEAT_URL after a complete run alone'],
  LEDGER_COPY: [BACKUP, 'restores one of several copies by its name'],
  LEDGER_COPY_KEY: [BACKUP, 'restores one of several copies by its name'],
  LEDGER_COPY_CREDENTIALS: [BACKUP, 'restores one of several copies by its name'],
  LEDGER_COPY_WAIT: ['src/server/commissions/postbacks.test.ts', 'and asks for a taken one again'],
  NEWSLETTER_PROVIDER: ['src/server/contact/forms.test.ts', 'is answered with its form'],
  NEWSLETTER_KEY: ['test/fault/newsletter.test.ts', "NEWSLETTER_KEY: 'secret'"],
  LINK_WATCH: ['on', ({ settings }) => isLinkWatchOn(settings)],
  TEST_HOSTS: ['test/links-command.test.ts', 'checks, shows and accepts links'],
};

it.each(Object.entries(EFFECTS))('something fails when %s is not followed', async (name, [what, words]) => {
  if (typeof words === 'string') return expect(read(what)).toContain(words);
  const at = {
    SITE_URL: 'https://site.example',
    LINK_WATCH: 'off',
    ARTICLE_SERVICE_URL: 'https://articles.example',
    ARTICLE_SERVICE_KEY: 'key',
  };
  const without = await words(await createTestSite({ settings: at }));
  expect(await words(await createTestSite({ settings: { ...at, [name]: what } }))).not.toEqual(without);
});

/** Settings whose values in a copy of `.env.example` are wrong in a container: addresses and folders of the machine. */
const OF_THE_MACHINE = ['HOST', 'PORT', 'DATA_DIR'] as const;

it('the compose file sets what a copy of .env.example would set wrongly in a container', () => {
  const { services } = z
    .object({ services: z.object({ signpost: z.object({ environment: z.record(z.string(), z.string()) }) }) })
    .parse(parse(read('deploy/site/compose.yaml')));
  const example = parseEnv(read('.env.example'));
  for (const name of OF_THE_MACHINE) {
    expect(example[name]).toBeTruthy();
    expect(services.signpost.environment).toHaveProperty(name);
  }
  const { HOST, DATA_DIR } = services.signpost.environment;
  expect([HOST, DATA_DIR]).toEqual(['0.0.0.0', '/data']);
});

it('the image is built from the exact Node that the project pins, and its logs are bounded', () => {
  const version = read('.node-version').trim();
  expect([...read('deploy/site/Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual([
    `node:${version}-bookworm-slim`,
  ]);
  const services = z
    .object({
      services: z.record(
        z.string(),
        z.object({ logging: z.object({ options: z.record(z.string(), z.string()) }) }),
      ),
    })
    .parse(parse(read('deploy/site/compose.yaml'))).services;
  for (const { logging } of Object.values(services))
    expect(logging.options).toEqual({ 'max-size': '20m', 'max-file': '10' });
});

it('the table of data formats begins with the one that the migrations make', () => {
  const newest = ['', 'commissions', 'console', 'notifications'].map((folder) => {
    const names = readdirSync(path.join(ROOT, 'migrations', folder)).filter((name) => name.endsWith('.sql'));
    return Math.max(...names.map((name) => Number(name.slice(0, 4))));
  });
  const [, stated] = /^\| format \|.*\n.*\n\| (\d+) \|/m.exec(read('docs/operations.md')) ?? [];
  expect(Number(stated)).toBe(newest.reduce((sum, one) => sum + one, 0));
});

it('the settings of a new site exist, and are at most ten beside the address', () => {
  const names = Object.keys(parseEnv(read('deploy/site/dot-env')));
  expect(names.filter((name) => !(name in listed))).toEqual([]);
  expect(names.length).toBeLessThanOrEqual(10);
});

let folder = '';
beforeEach(() => {
  folder = createFolder();
});

const TEXT = 'PORT=4999\r\nSITE_URL="https://a.example"\r\n';
const run = () =>
  spawnSync(
    process.execPath,
    [
      '--import',
      path.join(ROOT, 'scripts/start/env-file.mjs'),
      '-e',
      'process.stdout.write([process.env.PORT, process.env.SITE_URL].join())',
    ],
    { cwd: folder, encoding: 'utf8', env: { SITE_URL: 'https://b.example' } },
  );
const write = (text: string, encoding: BufferEncoding = 'utf8') =>
  writeFileSync(path.join(folder, '.env'), text, encoding);

it.each(['', '\uFEFF'])('reads the settings of a file that begins with %j; the environment wins', (mark) => {
  write(mark + TEXT);
  expect(run()).toMatchObject({ status: 0, stdout: '4999,https://b.example', stderr: '' });
});

it.each<[string, () => void, string]>([
  ['UTF-16 with a mark', () => write(`\uFEFF${TEXT}`, 'utf16le'), 'is not UTF-8: save it in that encoding'],
  ['UTF-16 without a mark', () => write(TEXT, 'utf16le'), 'is not UTF-8: save it in that encoding'],
  ['Windows-1252', () => write('NAME=Caf\xe9', 'latin1'), 'is not UTF-8: save it in that encoding'],
  ['a folder', () => mkdirSync(path.join(folder, '.env')), 'cannot be read (EISDIR)'],
])('refuses %s, from which no setting could be read', (_, make, reason) => {
  make();
  expect(run()).toMatchObject({ status: 1, stdout: '', stderr: `[settings] .env ${reason}\n` });
});

it('names the Node that is needed, and where it is, when an older one starts the built site', () => {
  const versions =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })";
  const program = path.join(ROOT, 'src/runtimes/node/main.ts');
  const args = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`, program];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^Signpost needs Node 24 or later, and this is 20\.19\.0\. .*node_modules\/\.bin\/node.*\n$/,
  );
});

it('names the Node that a site needs before anything is installed', () => {
  const machine = createFolder();
  writeFileSync(path.join(machine, 'node'), '#!/bin/sh\necho v20.19.0\n', { mode: 0o755 });
  const args = [path.join(ROOT, 'scripts/start/start.mjs'), 'create', path.join(machine, 'site')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: machine },
  });
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    'Signpost cannot start: a site needs Node 24 or later, and this machine has v20.19.0. Install it from https://nodejs.org first. Nothing was changed.\n',
  ]);
});

it.each([
  ['the system', 'process.kill(process.pid, "SIGKILL")'],
  ['the system under a shell', 'process.exit(137)'],
])('a step that %s has killed says that the memory was short', (_, script) =>
  expect(() => runPinnedSync(['-e', script])).toThrow('the memory was short'),
);

it.each([
  ['failed', 'process.exit(1)'],
  ['was interrupted', 'process.kill(process.pid, "SIGINT")'],
])('a step that %s says nothing of memory', (_, script) =>
  expect(() => runPinnedSync(['-e', script])).toThrow(/^-e ended with (?:code 1|SIGINT)$/),
);
