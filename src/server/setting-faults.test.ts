import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSettingFaults, listFormerSettings, listUnknownSettings, REMOVED } from './setting-faults.ts';
import { FORMER_SETTINGS, SETTINGS } from './settings.ts';

const inFile = (text: string) =>
  findSettingFaults(text, {}).map((fault) => `${fault.level} ${fault.file}: ${fault.text}`);
const inEnvironment = (...names: string[]) =>
  findSettingFaults(null, Object.fromEntries(names.map((name) => [name, 'x']))).map(
    ({ level, file, text }) => `${level} ${file}: ${text}`,
  );

it('finds nothing in .env.example', () => {
  const file = path.resolve(import.meta.dirname, '../../.env.example');
  expect(inFile(readFileSync(file, 'utf8'))).toEqual([]);
});

it.each([
  ['SMTP_ULR', 'SMTP_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['ALERT_WEBHOOK', 'ALERT_WEBHOOK_URL'],
  ['MAIL_FROM_ADDRESS', 'MAIL_FROM'],
  ['mail_from', 'MAIL_FROM'],
  ['MAIL-FROM', 'MAIL_FROM'],
  ['SITEURL', 'SITE_URL'],
  ['CONSOLE_ADRESSES', 'CONSOLE_ADDRESSES'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXY_HOPS'],
  ['ARTICLE_SERVICE_CDN', 'ARTICLE_SERVICE_CDN_URL'],
  ['HOSTNAME', 'HOST'],
  ['set PORT', 'PORT'],
  ['- PORT', 'PORT'],
  ['$env:PORT', 'PORT'],
])('.env: %s is an error that names %s', (name, meant) => {
  expect(inFile(`# settings\n${name}=x`)).toEqual([
    `error .env line 2: ${name} is not a setting. Did you mean ${meant}?`,
  ]);
});

it('.env: an unknown name that is near to no setting is a warning', () =>
  expect(inFile('FAVORITE_COLOR=green')).toEqual([
    'warning .env line 1: FAVORITE_COLOR is not a setting. .env.example lists all settings.',
  ]));

it('.env: names of other programs are no faults', () => {
  const names = ['TZ', 'NODE_OPTIONS', 'COMPOSE_PROJECT_NAME', 'CLOUDFLARE_API_TOKEN', 'HTTPS_PROXY'];
  expect(inFile(names.map((name) => `${name}=x`).join('\n'))).toEqual([]);
});

it.each([
  ['PORT 4999', '"PORT …" sets nothing: write NAME=value.'],
  ['PORT: 4999', '"PORT …" sets nothing: write NAME=value.'],
  ['WEBHOOK_KEY: s3cret', '"WEBHOOK_KEY …" sets nothing: write NAME=value.'],
  [
    'WEBHOOK_KEY=abc#def',
    'WEBHOOK_KEY ends before the first #: put the value in quotation marks ("…") if # is part of it.',
  ],
  ['MAIL_FROM="a@b.example', 'MAIL_FROM has an opening " without a closing one on its line.'],
  ['MAIL_FROM="a\nMAIL_TO=b\nMAIL_TO="c"', 'MAIL_FROM has an opening " without a closing one on its line.'],
  ['PORT=“80”', 'PORT begins with “, which is part of the value: use straight quotation marks (").'],
])('.env: %j is an error in line 1', (text, expected) => {
  expect(inFile(text)[0]).toBe(`error .env line 1: ${expected}`);
});

it('.env: a name that is set twice is an error in the second line', () =>
  expect(inFile('PORT=1\nPORT=2')).toEqual([
    'error .env line 2: PORT is already set in line 1; this line applies.',
  ]));

it('.env: comments, quotation marks, spaces, "export" and Windows line ends are no faults', () => {
  const text =
    '# a\r\n\r\n  PORT = 80 # b\r\nexport HOST=::1\r\nWEBHOOK_KEY="a#b" # c\r\nMAIL_FROM=\'a "b"\'\r\n';
  expect(inFile(text)).toEqual([]);
});

it.each([
  ['WEBHOOK_KYE', 'WEBHOOK_KEY'],
  ['SMPT_URL', 'SMTP_URL'],
  ['SITE_ULR', 'SITE_URL'],
  ['CONSOLE_ADRESSES', 'CONSOLE_ADDRESSES'],
  ['TRUSTED_PROXY_HOP', 'TRUSTED_PROXY_HOPS'],
])('environment: %s is a warning that names %s', (name, meant) => {
  expect(inEnvironment(name)).toEqual([
    `warning environment: ${name} is not a setting. Did you mean ${meant}?`,
  ]);
});

it('environment: a name that .env has too is reported for the file alone', () => {
  const faults = findSettingFaults('SMPT_URL=a\nDIGEST=daily', { SMPT_URL: 'a', DIGEST: 'daily' });
  expect(faults.map(({ file }) => file)).toEqual(['.env line 1', '.env line 2']);
});

/** Variables of shells, desktops, systemd, containers, orchestrators, hosts, build services and other programs. */
const COMMON =
  `HOME HOSTNAME HOSTTYPE PATH PWD OLDPWD SHLVL USER LOGNAME MAIL MAILCHECK MAIL_TMP LANG LC_ALL TERM EDITOR
  DISPLAY XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK SSH_TTY
  INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID WATCHDOG_USEC STATE_DIRECTORY LOGS_DIRECTORY
  KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT GHOST_PORT GHOST_PORT_2368_TCP GHOST_SERVICE_HOST
  SMTP_SERVICE_HOST SMTP_SERVICE_PORT SMTP_PORT_25_TCP_ADDR SITE_SERVICE_PORT WORDPRESS_DB_HOST WORDPRESS_DB_USER
  WORDPRESS_CONFIG_EXTRA GHOST_INSTALL GHOST_CONTENT DATABASE_URL REDIS_URL PGDATA DATADIR DATA_PATH BASE_URL PUBLIC_URL
  SITE_NAME SITE_ID URL LOG_LEVEL LOG_FILE LOG_FORMAT LOG_DIR PAGE_SIZE EVENT_NAME EVENT_LOOP FORM_ID TIME_STYLE
  TIME_FORMAT HISTTIMEFORMAT RENDER RENDER_SERVICE_ID RENDER_EXTERNAL_URL RENDER_EXTERNAL_HOSTNAME IS_PULL_REQUEST
  FLY_APP_NAME FLY_REGION FLY_ALLOC_ID FLY_PUBLIC_IP PRIMARY_REGION DYNO HEROKU_APP_NAME RAILWAY_STATIC_URL VERCEL_URL
  CF_PAGES CF_PAGES_URL CI GITHUB_ACTIONS GITHUB_EVENT_NAME GITHUB_EVENT_PATH GITHUB_TOKEN RUNNER_TEMP GITLAB_CI
  CI_SERVER_HOST NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS npm_lifecycle_event npm_config_cache npm_package_name
  MALLOC_ARENA_MAX ASTRO_TELEMETRY_DISABLED AWS_REGION GOOGLE_APPLICATION_CREDENTIALS SENTRY_DSN STRIPE_SECRET_KEY
  WEBHOOK_URL WEBHOOK_TOKEN SMTP_SERVER SMTP_PASS SMTP_FROM MAIL_HOST MAIL_PORT MAIL_USER GA_ID GA_TRACKING_ID
  METRICS_PATH METRICS_ENABLED CONSOLE_LEVEL CONTENT_TYPE CONTENT_LENGTH HTTP_HOST SERVER_PORT REMOTE_ADDR`
    .split(/\s+/)
    .filter((name) => !SETTINGS.some((setting) => setting === name));

it('environment: variables of other programs are no faults', () =>
  expect(inEnvironment(...COMMON)).toEqual([]));

describe.each(['.env line 1', 'environment'])('%s: a setting of an earlier version', (place) => {
  const find = (name: string, value: string) =>
    place === 'environment'
      ? findSettingFaults(null, { [name]: value })
      : findSettingFaults(`${name}=${value}`, { [name]: value });

  it.each([...REMOVED].filter(([, { value }]) => value !== null))(
    '%s is a warning with what it was without being set, and an error with another value',
    (name, { value, instead }) => {
      const found = { file: place, text: `${name} is not a setting any more: ${instead}.` };
      expect(find(name, value ?? '')).toEqual(value === '' ? [] : [{ level: 'warning', ...found }]);
      expect(find(name, '')).toEqual([]);
      expect(find(name, '17')).toEqual([{ level: 'error', ...found }]);
    },
  );

  it.each([...FORMER_SETTINGS])('%s still applies, and is a warning once where it is set', (name) => {
    const text = `${name} still applies, but is a former setting: ${REMOVED.get(name)?.instead}.`;
    expect(find(name, '17')).toEqual([{ level: 'warning', file: place, text }]);
    expect(find(name, '')).toEqual([]);
  });
});

it('no setting is one of an earlier version too', () =>
  expect(SETTINGS.filter((name) => REMOVED.has(name))).toEqual([]));

it('those that still apply are those that are still read', () => {
  const applied = [...REMOVED].filter(([, { value }]) => value === null).map(([name]) => name);
  expect(applied.sort()).toEqual([...FORMER_SETTINGS].sort());
});

it('where every name has to be a setting, one that still applies is told and not refused', () => {
  const names = ['SITE_URL', 'MIN_FREE_MB', 'DIGEST_HOUR'];
  expect(listUnknownSettings(names)).toEqual([expect.stringMatching(/^DIGEST_HOUR /)]);
  expect(listFormerSettings(names)).toEqual([expect.stringMatching(/^MIN_FREE_MB still applies/)]);
});

it('where every name has to be a setting, one of an earlier version is listed with what holds now', () =>
  expect(listUnknownSettings(['DIGEST_HOUR'])).toEqual([
    'DIGEST_HOUR is not a setting any more: the digest is sent at 7:00.',
  ]));

it('where every name has to be a setting, each other name is listed', () =>
  expect(listUnknownSettings(['SITE_URL', 'SITE_ULR', 'TZ'])).toEqual([
    'SITE_ULR is not a setting. Did you mean SITE_URL?',
    'TZ is not a setting. .env.example lists all settings.',
  ]));

it('secrets that networks name are no faults, and a setting with a wrong letter is one', () => {
  const names = ['FIRSTPROMOTER_TOKEN', 'IMPACT_SID', 'WEBHOOK_SECRETS', 'REWARDFUL_WEBHOOK_SECRET_ACME'];
  for (const name of names) expect(findSettingFaults(`${name}=x`, { [name]: 'x' })).toEqual([]);
  expect(findSettingFaults('WEBHOK_KEY=x', { WEBHOK_KEY: 'x' })).toHaveLength(1);
});
