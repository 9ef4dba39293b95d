import { readdirSync, readFileSync } from 'node:fs';
import { request as openRequest } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsoleSite, openConsoleSite } from '../support/console-access.ts';
import { startSite } from '../support/site.ts';

const MEGABYTE = 1024 * 1024;
const BOUNDARY = 'boundary';

let open: ConsoleSite;
beforeAll(async () => {
  open = await openConsoleSite(await startSite({ runtime: 'node' }));
});
afterAll(() => open.site.remove());

const list = () => {
  try {
    return readdirSync(path.join(open.site.dataDir, 'uploads'));
  } catch {
    return [];
  }
};

async function readToken(): Promise<string> {
  const response = await fetch(`${open.site.url}/console/partners/import`, {
    headers: { cookie: open.cookie },
  });
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await response.text()) ?? [];
  return token;
}

const REPORT = { action: 'upload', partner: 'highlevel', currency: 'USD', timeZone: 'UTC' };

/** What a browser sends of a form: its fields, then the beginning of its file, which is of `bytes`. */
const buildHead = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(
      ([name, value]) =>
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    .concat(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="report.csv"\r\n\r\n`)
    .join('');
const END = `\r\n--${BOUNDARY}--\r\n`;

/**
 * Posts a form whose file has `bytes`. Of these `sent` are sent before the connection is cut; of a form that is refused
 * whatever follows, the first megabyte before its response is there.
 */
async function post(
  fields: Readonly<Record<string, string>>,
  {
    bytes,
    isRefused = false,
    sent = isRefused ? Math.min(bytes, MEGABYTE) : bytes,
    start = 'id,amount,date\n1,2.00,2026-01-05\n',
    headers = {},
    at = '/console/partners/import',
  }: {
    readonly bytes: number;
    readonly isRefused?: boolean;
    readonly sent?: number;
    readonly start?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly at?: string;
  },
) {
  const head = buildHead(fields);
  const length = Buffer.byteLength(head) + bytes + Buffer.byteLength(END);
  const request = openRequest(open.site.url + at, {
    method: 'POST',
    // What is left of a body that was not read would belong to the next request.
    agent: false,
    headers: {
      cookie: open.cookie,
      // As browsers send it: a connection that ends with its response is reset below what is still being written.
      connection: 'keep-alive',
      'sec-fetch-site': 'same-origin',
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': length,
      ...headers,
    },
  });
  const done = Promise.withResolvers<{ status: number; location: string; body: string }>();
  request.on('error', done.reject);
  request.on('response', async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const { statusCode: status = 0, headers } = response;
    done.resolve({ status, location: headers.location ?? '', body: Buffer.concat(chunks).toString() });
  });
  request.write(head);
  // Lines of one row after another; one that is cut at the end is short of cells.
  const block = Buffer.from(`${'x'.repeat(1_023)}\n`.repeat(256));
  const first = Buffer.from(start).subarray(0, sent);
  request.write(first);
  for (let at = first.length; at < sent; at += block.length) {
    const isTaken = request.write(block.subarray(0, Math.min(block.length, sent - at)));
    if (!isTaken)
      await Promise.race([
        new Promise((resolve) => request.once('drain', resolve)),
        done.promise.catch(() => null),
      ]);
  }
  if (isRefused) return done.promise.finally(() => request.destroy());
  if (sent < bytes) {
    await sleep(200);
    request.destroy();
    await done.promise.catch(() => null);
    throw new Error('cut');
  }
  request.end(END);
  return done.promise;
}

const discard = async (location: string) => {
  const upload = new URL(location, open.site.url).searchParams.get('upload') ?? '';
  const body = new FormData();
  for (const [name, value] of Object.entries({ token: await readToken(), action: 'discard', upload }))
    body.set(name, value);
  await fetch(`${open.site.url}/console/partners/import`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { cookie: open.cookie, 'sec-fetch-site': 'same-origin' },
  });
};

it('takes a report of exactly 64 MB, with memory that does not grow with it, and refuses one byte more', {
  tags: ['rest', 'measures'],
}, async () => {
  const token = await readToken();
  const peak = () =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${open.site.pid()}/status`, 'utf8'))?.[1]) / 1024;
  // The threads and their pages are there.
  await discard((await post({ token, ...REPORT }, { bytes: MEGABYTE })).location);
  const before = peak();
  const whole = await post({ token, ...REPORT }, { bytes: 64 * MEGABYTE });
  expect(whole.status).toBe(303);
  expect(peak() - before).toBeLessThan(80);
  await discard(whole.location);
  await expect.poll(list).toEqual([]);
  const larger = await post({ token, ...REPORT }, { bytes: 64 * MEGABYTE + 1 });
  expect(larger.status).toBe(413);
  expect(larger.body).toContain('a report 64 MB, an export of a site 500 MB');
  expect(list()).toEqual([]);
});

it('refuses what is announced to be too large before it arrives', async () => {
  const token = await readToken();
  const limits = [
    { at: '/console/partners/import', action: 'upload', megabytes: 64 },
    { at: '/console/settings/move-in', action: 'upload-site', megabytes: 500 },
  ];
  for (const { at, action, megabytes } of limits) {
    const asked = { at, bytes: (megabytes + 1) * MEGABYTE, isRefused: true, start: 'x' };
    expect(await post({ token, action }, asked)).toMatchObject({ status: 413 });
    expect(list()).toEqual([]);
  }
});

it('reads nothing of a file without a session, from another site, without the token or for an action without a file', async () => {
  const token = await readToken();
  const asked = { bytes: 40 * MEGABYTE, isRefused: true };
  const seen: string[][] = [];
  const watch = setInterval(() => seen.push(list()), 5);
  expect(await post({ token, ...REPORT }, { ...asked, headers: { cookie: '' } })).toMatchObject({
    status: 303,
    location: expect.stringContaining('sign-in'),
  });
  expect(
    await post({ token, ...REPORT }, { ...asked, headers: { 'sec-fetch-site': 'cross-site' } }),
  ).toMatchObject({ status: 403 });
  expect(await post({ token: 'forged', ...REPORT }, asked)).toMatchObject({ status: 403 });
  expect(await post({ ...REPORT }, asked)).toMatchObject({ status: 403 });
  await post({ token, action: 'sync' }, asked);
  clearInterval(watch);
  expect(seen.flat()).toEqual([]);
});

it('keeps nothing of an empty file, of one that cannot be read, and of a connection that is cut', async () => {
  const token = await readToken();
  await post({ token, ...REPORT }, { bytes: 0, start: '' });
  await post({ token, ...REPORT }, { bytes: 20, start: 'id,amount\n1,"2.00\n' });
  expect(list()).toEqual([]);
  await expect(post({ token, ...REPORT }, { bytes: 30 * MEGABYTE, sent: 10 * MEGABYTE })).rejects.toThrow(
    'cut',
  );
  await expect.poll(list).toEqual([]);
});

it('keeps the last of two uploads of the same file at once, and after a kill what waits and nothing else', {
  tags: ['rest'],
}, async () => {
  const token = await readToken();
  const small = { bytes: 200_000 };
  const both = await Promise.all([post({ token, ...REPORT }, small), post({ token, ...REPORT }, small)]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  await expect.poll(list).toHaveLength(1);
  const cut = post({ token, ...REPORT }, { bytes: 30 * MEGABYTE, sent: 5 * MEGABYTE }).catch(() => null);
  await expect.poll(list).toHaveLength(2);
  await open.site.kill();
  await cut;
  await open.site.start();
  expect(await readToken()).not.toBe('');
  await expect.poll(list, { timeout: 20_000 }).toHaveLength(1);
  for (const { location } of both) await discard(location);
  await expect.poll(list).toEqual([]);
});
