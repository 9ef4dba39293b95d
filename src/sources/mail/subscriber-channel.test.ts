import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildSampleNotification } from '../../../test/support/sample-notification.ts';
import type { NewsletterService } from '../../core/contact/newsletter-signup.ts';
import { createSubscriberChannel } from './subscriber-channel.ts';

type Answer = readonly [status: number, body: string];

let answers: Answer[];
let calls: { readonly url: string; readonly headers: Record<string, unknown>; readonly body: unknown }[];
let server: ReturnType<typeof createServer>;
let baseUrl: string;
beforeEach(async () => {
  [answers, calls] = [[], []];
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    calls.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse(text) });
    const [status, body] = answers.shift() ?? [0, ''];
    if (status === 0) request.socket.destroy();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const signup = buildSampleNotification({
  id: 'newsletter:1',
  kind: 'newsletter',
  text: 'ada@example.com',
  fields: { email: 'ada@example.com' },
});

const send = (service: NewsletterService, formId = '') =>
  createSubscriberChannel({ service, key: 'secret', formId, baseUrl }).send(signup);

it('adds a subscriber at Buttondown with the key', async () => {
  answers = [[201, '{"id":"s1","email_address":"ada@example.com"}']];
  await send('buttondown');
  expect(calls).toMatchObject([
    {
      url: '/v1/subscribers',
      headers: { authorization: 'Token secret' },
      body: { email_address: 'ada@example.com' },
    },
  ]);
});

it.each<Answer>([
  [400, '{"code":"email_already_exists","detail":"ada@example.com is subscribed"}'],
  [409, '{"code":"email_already_exists"}'],
])('counts a subscriber that Buttondown has already (status %d) as signed up', async (...answer) => {
  answers = [answer];
  await expect(send('buttondown')).resolves.toBeUndefined();
});

it('adds an active subscriber at Kit, or an inactive one to the form that asks for confirmation', async () => {
  const created: Answer = [201, '{"subscriber":{"id":7}}'];
  answers = [created, created, created];
  await send('kit');
  await send('kit', '217');
  expect(calls.map(({ url, body }) => [url, body])).toEqual([
    ['/v4/subscribers', { email_address: 'ada@example.com', state: 'active' }],
    ['/v4/subscribers', { email_address: 'ada@example.com', state: 'inactive' }],
    ['/v4/forms/217/subscribers', { email_address: 'ada@example.com' }],
  ]);
  expect(calls[0]?.headers['x-kit-api-key']).toBe('secret');
});

it.each<[NewsletterService, ...Answer, string]>([
  ['buttondown', 400, '{"code":"email_invalid","detail":"ada@example.com"}', 'refused'],
  ['kit', 422, '{"errors":["ada@example.com is invalid"]}', 'refused'],
  ['buttondown', 400, '{"code":"rate_limited"}', 'not-sent'],
  ['buttondown', 401, '{"detail":"Invalid token."}', 'not-sent'],
  ['kit', 429, '{}', 'not-sent'],
  ['kit', 503, '<h1>ada@example.com</h1>', 'not-sent'],
  ['kit', 302, '{"subscriber":{"id":7}}', 'not-sent'],
  ['kit', 200, '<h1>Welcome</h1>', 'not-sent'],
  ['buttondown', 200, '{"id":5}', 'not-sent'],
  ['buttondown', 200, 'x'.repeat(100_000), 'not-sent'],
  ['buttondown', 0, '', 'not-sent'],
])('%s: status %d with %.40s is %4$s, in words without the address', async (service, status, body, code) => {
  answers = [[status, body]];
  const error: unknown = await send(service).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code });
  expect(String(error)).not.toContain('ada@');
});
