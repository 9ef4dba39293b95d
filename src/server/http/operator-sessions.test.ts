import { expect, it } from 'vitest';
import { createMemoryConsole } from '../../../test/support/memory-stores.ts';
import { addOperator } from '../../../test/support/operators.ts';
import { parseSettings } from '../settings.ts';
import { buildBrowserName, OperatorSessions } from './operator-sessions.ts';
import { createSecretToken } from './secret-token.ts';

const HOUR_MS = 3_600_000;
/** Sessions of a site with one operator; `start` and `read` send a cookie, `name=value`. */
async function createTestSessions() {
  const { operators: store } = createMemoryConsole();
  const operator = await addOperator(store, { id: 'o-1', name: 'Ada' });
  const time = { now: 1_000_000 };
  const sessions = new OperatorSessions({
    operators: { accounts: store },
    settings: parseSettings({}),
    clock: { now: () => time.now, monotonic: () => time.now },
    visitors: { trustedTime: { read: async () => time.now } },
  });
  const build = (cookie: string) => new Request('http://localhost/', { headers: { cookie } });
  return {
    sessions,
    store,
    time,
    build,
    read: (cookie: string) => sessions.readSession(build(cookie)),
    start: async (cookie: string) => (await sessions.start(build(cookie), operator))?.split(';')[0] ?? '',
  };
}

it('a cookie that was planted becomes no session: an operator who signs in gets another one', async () => {
  const { start, read } = await createTestSessions();
  const planted = `operator=${createSecretToken()}`;
  const own = await start(planted);
  expect(own).toMatch(/^operator=[\w-]{43}$/);
  expect(own).not.toBe(planted);
  expect(await read(planted)).toBeNull();
  expect((await read(own))?.viewer).toMatchObject({ name: 'Ada' });
});

it('a session that was planted ends when an operator signs in with its cookie', async () => {
  const { start, read, store } = await createTestSessions();
  const planted = await start('');
  expect(await read(planted)).not.toBeNull();
  const own = await start(planted);
  expect(own).not.toBe(planted);
  expect(await read(planted)).toBeNull();
  expect(await read(own)).not.toBeNull();
  expect(await store.readSessions('o-1')).toHaveLength(1);
});

it('sessions end after twelve hours without use and after thirty days in any case', async () => {
  const { start, read, time } = await createTestSessions();
  const cookie = await start('');
  for (let used = 0; used < 30 * 24; used += 12) {
    expect(await read(cookie)).not.toBeNull();
    time.now += 12 * HOUR_MS;
  }
  expect(await read(cookie)).not.toBeNull();
  time.now += 1;
  expect(await read(cookie)).toBeNull();
});

it('a session that nothing has used for more than twelve hours ends', async () => {
  const { sessions, start, read, build, time } = await createTestSessions();
  const cookie = await start('');
  time.now += 12 * HOUR_MS + 1;
  expect(await read(cookie)).toBeNull();
  // The browser is still known, so that attempts of other browsers do not delay its own.
  expect(await sessions.findFormerOperator(build(cookie))).toBe('o-1');
});

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari on iOS'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari on macOS'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0 Safari/537.36',
    'Headless Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    'Chrome on ChromeOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  ['Mozilla/5.0 (Linux; Android 15; wv) Version/4.0 Chrome/140.0 Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 OtherBrowser/1.0 Safari/537.36', 'A browser on Linux'],
  ['Mozilla/5.0 (Firefox/1.0; Linux x86_64)', 'A browser on Linux'],
  ['<script>alert(1)</script>', 'A browser'],
  ['', 'A browser'],
])('calls %s %s', (userAgent, name) => expect(buildBrowserName(userAgent)).toBe(name));

it('a session is recent for twelve hours after the sign-in, and after the password was given again', async () => {
  const { sessions, start, read, time } = await createTestSessions();
  const cookie = await start('');
  const HOUR = 3_600_000;
  const isRecentAfter = async (hours: number) => {
    time.now += hours * HOUR;
    return (await read(cookie))?.isRecent;
  };
  expect(await isRecentAfter(11)).toBe(true);
  expect(await isRecentAfter(2)).toBe(false);
  await sessions.confirm((await read(cookie))?.id ?? '');
  expect(await isRecentAfter(11)).toBe(true);
  expect(await isRecentAfter(2)).toBe(false);
});
