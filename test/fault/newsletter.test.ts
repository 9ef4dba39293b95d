/** @module-tag rest */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

const SECTION = `
  - type: newsletter
    title: One letter a month
    consent: Send me the letter; I can end it with one click.
    button: Sign me up
    thanks: A confirmation email is on its way.
`;

/** Forms of programs count as suspected spam, which is not forwarded. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const received: string[] = [];
let reply: { readonly status: number; readonly json: unknown } = { status: 503, json: {} };
const provider = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  // Without its key, a service takes nobody.
  if (request.headers.authorization === 'Token secret') received.push(String(JSON.parse(text).email_address));
  response.writeHead(reply.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(reply.json));
});

let site: Site;
beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  site = await startSite({
    runtime: 'node',
    contentEdits: { 'pages/help.yaml': (text) => text.trimEnd() + SECTION },
    env: {
      NEWSLETTER_PROVIDER: 'buttondown',
      NEWSLETTER_KEY: 'secret',
      NEWSLETTER_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
      FORM_KEY: 'form-key',
      LOG_REQUESTS: '1',
    },
  });
});
afterAll(async () => {
  await site.remove();
  provider.close();
});

const readToken = (html: string) => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';

const post = (fields: Record<string, string>) =>
  fetch(`${site.url}/newsletter/sign-up`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: site.url, 'user-agent': BROWSER },
    body: new URLSearchParams({ page: '/help', ...fields }),
  });

/** Sends the form until it is old enough to be that of a person; resolves with the response that is not a refusal. */
async function signUp(email: string): Promise<Response> {
  const token = readToken(await (await fetch(`${site.url}/help`)).text());
  let response = await post({ email, consent: 'yes', token });
  await expect
    .poll(
      async () => {
        if (response.status === 422) response = await post({ email, consent: 'yes', token });
        return response.status;
      },
      { timeout: 30_000, interval: 500 },
    )
    .not.toBe(422);
  return response;
}

it('shows the form again with what is wrong, and stores no sign-up', async () => {
  const token = readToken(await (await fetch(`${site.url}/help`)).text());
  const response = await post({ email: '"><b>ada', token });
  const html = await response.text();
  expect(response.status).toBe(422);
  expect(html).toContain('It should look like name@example.com.');
  expect(html).toContain('Check the box to agree');
  expect(html).toContain('value="&quot;&gt;&lt;b&gt;ada"');
  const hostile = await fetch(`${site.url}/newsletter/sign-up`, {
    method: 'POST',
    headers: { origin: 'https://other.example' },
    body: new URLSearchParams({ email: 'ada@example.com', consent: 'yes', token }),
  });
  expect(hostile.status).toBe(403);
});

it('forwards an acknowledged sign-up after a kill, and keeps it while the service fails', async () => {
  const response = await signUp('ada@example.com');
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe('/help?subscribed=1#newsletter');
  await site.kill();
  await site.start();
  expect(await (await fetch(`${site.url}/help?subscribed=1`)).text()).toContain('A confirmation email');
  await expect.poll(() => received, { timeout: 30_000 }).toEqual(['ada@example.com']);
  await expect.poll(() => site.output(), { timeout: 30_000 }).toContain('newsletter service: status 503');
  reply = { status: 201, json: { id: 's1' } };
  await site.stop();
  // As if the 30 seconds after a first failure had passed.
  const database = new DatabaseSync(path.join(site.dataDir, 'notifications.sqlite'));
  expect(database.prepare("UPDATE deliveries SET due_at = 0 WHERE state = 'waiting'").run().changes).toBe(1);
  database.close();
  await site.start();
  await expect.poll(() => site.output(), { timeout: 30_000, interval: 500 }).toContain('notification sent');
  expect(received).toEqual(['ada@example.com', 'ada@example.com']);
  expect(site.output()).not.toContain('ada@');
});
