import { describe, expect, it } from 'vitest';
import { parseSettings, SettingsError } from './settings.ts';

describe('parseSettings', () => {
  it('has a default for everything', () => {
    const settings = parseSettings({});
    expect(settings).toMatchObject({
      HOST: 'localhost',
      PORT: 4321,
      DATA_DIR: './data',
      ARTICLE_SOURCE: 'files',
    });
    expect(settings.siteUrl).toBe('http://localhost:4321');
  });

  it('takes an empty value for unset', () =>
    expect(parseSettings({ PORT: ' ', SITE_URL: '' }).PORT).toBe(4321));

  it('names every wrong setting at once', () => {
    const read = () => parseSettings({ PORT: 'abc', SITE_URL: 'example.com', ARTICLE_SOURCE: 'ftp' });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(/PORT[\s\S]*SITE_URL[\s\S]*ARTICLE_SOURCE|SITE_URL/);
    for (const name of ['PORT', 'SITE_URL', 'ARTICLE_SOURCE']) expect(read).toThrow(name);
  });

  it.each(['remote', 'ghost', 'wordpress'])('asks where the source %s is', (source) => {
    expect(() => parseSettings({ ARTICLE_SOURCE: source })).toThrow('ARTICLE_SERVICE_URL');
  });

  it.each([
    'example.com',
    'ftp://example.com',
    'https://',
    'https://exa mple.com',
    'https://[::1',
    'http://a:b',
    'https://example.com, desks.example',
    'https://example.com/site',
    'https://example.com/site/',
    'https://example.com/?a=1',
    'https://example.com#part',
    'https://me@example.com',
    'https://example.com, https://desks.example/shop',
  ])('refuses the site address %s by its name', (SITE_URL) => {
    expect(() => parseSettings({ SITE_URL })).toThrow(
      /^\[settings\] invalid settings:\n {2}SITE_URL: must be an address/,
    );
  });

  it.each(['localhost:80', 'http://localhost', '[::1]', 'a b', 'fe80::1%eth0', '127.0.0.1:80'])(
    'refuses the host %s by its name',
    (HOST) => expect(() => parseSettings({ HOST })).toThrow('HOST: must be a name or an IP address'),
  );

  it.each([
    ['0.0.0.0', 'http://0.0.0.0:4321'],
    ['my_machine.local', 'http://my_machine.local:4321'],
    ['::1', 'http://[::1]:4321'],
  ])('serves the host %s', (HOST, origin) => expect(parseSettings({ HOST }).siteUrl).toBe(origin));

  it('keeps only the origin of the site address', () =>
    expect(parseSettings({ SITE_URL: 'https://Example.com/' }).siteUrl).toBe('https://example.com'));

  it('takes further addresses for hosts of the site alone', () => {
    const SITE_URL = 'https://example.com, https://Desks.example:8443';
    expect(parseSettings({ SITE_URL })).toMatchObject({
      SITE_URL: 'https://example.com',
      siteUrl: 'https://example.com',
      siteHosts: ['example.com', 'desks.example'],
    });
  });
});

it('a region header is refused without a proxy that could set it', () => {
  expect(() => parseSettings({ REGION_HEADER: 'cf-ipcountry' })).toThrow('TRUSTED_PROXY_HOPS');
  const { REGION_HEADER } = parseSettings({ REGION_HEADER: 'CF-IPCountry', TRUSTED_PROXY_HOPS: '1' });
  expect(REGION_HEADER).toBe('cf-ipcountry');
});

it.each([
  ['buttondown', 'NEWSLETTER_KEY'],
  ['kit', 'NEWSLETTER_KEY'],
  ['webhook:https://hooks.example', 'WEBHOOK_KEY'],
])('NEWSLETTER_PROVIDER=%s is refused without %s', (provider, name) => {
  expect(() => parseSettings({ NEWSLETTER_PROVIDER: provider })).toThrow(`${name}: is needed when`);
});

it.each<[string, string, RegExp]>([
  ['PORT', '80a', /must be a whole number from 0 to 65535/],
  ['PORT', '99999', /must be a whole number from 0 to 65535/],
  ['PORT', '4321.5', /must be a whole number from 0 to 65535/],
  ['RETENTION_MONTHS', '13 months', /must be a whole number from 1 to 120/],
  ['SMTP_URL', 'mail.example.com:587', /must look like smtps:/],
  ['NEWSLETTER_PROVIDER', 'kit:', /must be off, buttondown, kit, kit:FORM or webhook/],
  ['NEWSLETTER_PROVIDER', 'webhook', /webhook needs an address/],
  ['NEWSLETTER_PROVIDER', 'webhook:', /or webhook:ADDRESS/],
  ['NEWSLETTER_PROVIDER', 'webhook:http://hooks.example', /or webhook:ADDRESS/],
  ['NEWSLETTER_PROVIDER', 'buttondown:1', /must be off, buttondown, kit, kit:FORM or webhook/],
  ['MAIL_FROM', 'Signpost', /must be an email address/],
  ['MAIL_TO', 'a@example.com, b', /must be email addresses/],
  ['CONSOLE_HOST', 'https://console.example.com', /must be a host such as/],
  ['CONSOLE_HOST', 'console.example.com:99999', /must be a host such as/],
  ['CONSOLE_ADDRESSES', '1.2.3', /must be addresses or networks/],
  ['CONSENT_REGIONS', 'Germany', /must be codes of two letters/],
  ['REGION_HEADER', 'x y', /must be the name of a header/],
  ['ARTICLE_IMAGE_HOSTS', 'https://img.example.com/', /must be hosts such as/],
  ['HSTS', 'year', /needs a SITE_URL that begins with https/],
  ['HSTS', 'two years', /must be one of off, day/],
  ['HEARTBEAT_URL', 'http://hc.example/ping', /must begin with https/],
  ['HEARTBEAT_URL', 'https://hc.example/ping', /MAIL_TO or ALERT_WEBHOOK_URL is needed/],
  ['LOG_REQUESTS', 'true', /must be one of 0, 1/],
])('refuses %s=%s and says what it has to be', (name, value, message) => {
  expect(() => parseSettings({ [name]: value })).toThrow(message);
});

it('takes a longer HSTS with https, and a heartbeat with someone to send alerts to', () => {
  const mail = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'a@b.example', MAIL_TO: 'a@b.example' };
  const given = { HSTS: 'preload', HEARTBEAT_URL: 'https://hc.example/ping' };
  expect(parseSettings({ SITE_URL: 'https://a.example', ...mail, ...given })).toMatchObject(given);
});

it.each([
  ['SITE_URL', 'https://example.com/'],
  ['MAIL_FROM', 'Signpost, Inc. <a@example.com>'],
  ['MAIL_TO', 'a@example.com, B <b@example.com>'],
  ['CONSOLE_HOST', 'Console.example.com:8443'],
  ['CONSOLE_ADDRESSES', '203.0.113.7, 10.0.0.0/8, ::1, 2001:db8::/32'],
  ['CONSENT_REGIONS', 'EU,EEA,gb,US-CA'],
  ['SITE_URL', 'https://example.com, https://desks.example'],
  ['ARTICLE_IMAGE_HOSTS', 'images.example, localhost:8080'],
])('accepts %s=%s', (name, value) => expect(() => parseSettings({ [name]: value })).not.toThrow());

describe('settings of earlier versions', () => {
  it.each([
    [{}, 20, 40],
    [{ EVENT_RATE: '5' }, 0.5, 1],
    [{ EVENT_RATE: '0' }, 0, 0],
    [{ CLICK_RATE: '3' }, 3, 40],
    [{ PAGE_RATE: '0' }, 20, 0],
    [{ EVENT_RATE: '1000', CLICK_RATE: '0', PAGE_RATE: '7' }, 0, 7],
  ])('%j: %d clicks and %d pages a second', (given, CLICK_RATE, PAGE_RATE) =>
    expect(parseSettings(given)).toMatchObject({ CLICK_RATE, PAGE_RATE }),
  );

  const WEBHOOK_KEY = 'key';
  it.each([
    [{ NEWSLETTER_PROVIDER: 'webhook:https://a.example' }, 'https://a.example'],
    [{ NEWSLETTER_PROVIDER: 'webhook', NEWSLETTER_URL: 'https://b.example' }, 'https://b.example'],
    [
      { NEWSLETTER_PROVIDER: 'webhook:https://a.example', NEWSLETTER_URL: 'https://b.example' },
      'https://a.example',
    ],
  ])('%j: sign-ups go to %s', (given, NEWSLETTER_URL) =>
    expect(parseSettings({ ...given, WEBHOOK_KEY })).toMatchObject({
      NEWSLETTER_PROVIDER: 'webhook',
      NEWSLETTER_URL,
    }),
  );

  it('MIN_FREE_MB is 256 where it is not set', () =>
    expect([{}, { MIN_FREE_MB: '0' }].map((given) => parseSettings(given).MIN_FREE_MB)).toEqual([256, 0]));

  it.each(['CLICK_RATE', 'PAGE_RATE', 'MIN_FREE_MB'])('%s is refused when it is no number', (name) =>
    expect(() => parseSettings({ [name]: 'many' })).toThrow(`${name}: must be a whole number`),
  );
});
