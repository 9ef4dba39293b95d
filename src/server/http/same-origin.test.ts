import { describe, expect, it } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import { createLog } from '../log.ts';
import { isSameOrigin, OutsideUse } from './same-origin.ts';

const SITE = 'https://hub.example';

function check(headers: Record<string, string>, siteOrigin: string | null = SITE): boolean {
  return isSameOrigin(new Headers(headers), siteOrigin);
}

describe('isSameOrigin', () => {
  it.each([
    ['the site itself', { origin: SITE, 'sec-fetch-site': 'same-origin' }, true],
    ['an older browser on the site', { origin: SITE }, true],
    [
      'the site under its other name',
      { origin: 'https://www.hub.example', 'sec-fetch-site': 'same-origin' },
      true,
    ],
    ['no browser', {}, true],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, false],
    ['another site in an older browser', { origin: 'https://evil.example' }, false],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }, false],
    ['a hidden origin', { origin: 'null' }, false],
    [
      'a neighbour under the same domain',
      { origin: 'https://x.hub.example', 'sec-fetch-site': 'same-site' },
      false,
    ],
    ['another port', { origin: 'https://hub.example:8443' }, false],
    ['another scheme', { origin: 'http://hub.example' }, false],
    ['a name that begins like it', { origin: 'https://hub.example.evil.example' }, false],
    ['the name of the request alone', { origin: 'https://evil.example', host: 'evil.example' }, false],
  ])('%s', (_, headers, expected) => expect(check(headers)).toBe(expected));

  it.each([
    ['localhost:4321', 'http://localhost:4321', true],
    ['127.0.0.1:4321', 'http://127.0.0.1:4321', true],
    ['[::1]:4321', 'http://[::1]:4321', true],
    ['localhost:4321', 'http://localhost:9999', false],
    ['localhost:4321', 'http://127.0.0.1:4321', false],
    ['evil.example', 'http://evil.example', false],
    ['localhost.evil.example', 'http://localhost.evil.example', false],
    ['127.0.0.1.evil.example', 'http://127.0.0.1.evil.example', false],
  ])('without a configured address, a request to %s from %s', (host, origin, expected) => {
    expect(check({ host, origin }, null)).toBe(expected);
  });
});

describe('visitors from outside', () => {
  const notices = async (settings: Record<string, string>, headers: Record<string, string>) => {
    const warned: string[] = [];
    const log = createLog(
      (line) => warned.push(line),
      () => 0,
    );
    const site = await createTestSite({ settings, log });
    const use = site.visitors.outside;
    // The operator tries the site on the machine first.
    for (const one of [{ host: 'localhost:4321' }, headers, headers]) use.note(new Headers(one));
    const noticed = await use.read();
    expect(warned).toHaveLength(noticed.length);
    // The next start says so before any request.
    const platform = { ...site.platform, hasTimers: true };
    expect(await new OutsideUse({ ...site, platform }).read()).toEqual(noticed);
    await expect.poll(() => warned.length).toBe(noticed.length * 2);
    return noticed.length === 1;
  };

  it.each([
    ['another host', {}, { host: 'crm.example' }, true],
    ['a proxy', {}, { host: 'localhost:4321', 'x-forwarded-for': '203.0.113.7' }, true],
    ['this machine', {}, { host: 'localhost:4321' }, false],
    ['the network at home', {}, { host: '192.168.1.5:4321' }, false],
    ['a public site', { SITE_URL: 'https://crm.example' }, { host: 'crm.example' }, false],
    ['a decision', { STORAGE_CONSENT_REGIONS: 'none' }, { host: 'crm.example' }, false],
  ])('are noticed once: %s', async (_, given, headers, isNoticed) =>
    expect(await notices(given, headers)).toBe(isNoticed),
  );
});
