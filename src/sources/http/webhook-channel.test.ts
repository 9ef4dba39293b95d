import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildSampleNotification } from '../../../test/support/sample-notification.ts';
import { fetchPost } from './fetch.ts';
import { nodePost } from './guarded-http.ts';
import { createWebhookChannel } from './webhook-channel.ts';

const NOTIFICATION = buildSampleNotification();
const NOW = Date.UTC(2026, 10, 20, 12, 30);
const SECRET = { value: 'hush' };

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

describe.each([
  { name: 'node:http', post: nodePost, withoutServer: 'not-sent' },
  // fetch does not tell why a connection failed.
  { name: 'fetch', post: fetchPost, withoutServer: 'unknown' },
])('a webhook over $name', ({ post, withoutServer }) => {
  async function start(listener: RequestListener, timeoutMs = 5_000) {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return createWebhookChannel({
      url: `http://127.0.0.1:${port}/hook`,
      secret: SECRET.value,
      post,
      now: () => NOW,
      timeoutMs,
    });
  }

  it('posts the notification as JSON with a signature that the receiver can check', async () => {
    const seen: { headers: IncomingHttpHeaders; body: string }[] = [];
    const channel = await start(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      seen.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
    await channel.send(NOTIFICATION);
    const [{ headers, body } = { headers: {}, body: '' }] = seen;
    expect(JSON.parse(body)).toEqual({
      id: 'alert:disk:1',
      type: 'alert',
      time: '2026-11-20T12:00:00.000Z',
      subject: 'The disk is almost full',
      text: '300 MB are free.',
      data: { key: 'disk', freeMb: 300 },
    });
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(headers['webhook-timestamp']).toBe(String(NOW / 1_000));
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', 'hush').update(signed).digest('base64')}`,
    );
  });

  it('signs with the bytes of a key that is written as libraries of Standard Webhooks write it', async () => {
    const key = randomBytes(24);
    SECRET.value = `whsec_${key.toString('base64')}`;
    onTestFinished(() => {
      SECRET.value = 'hush';
    });
    let expected = '';
    let signature: unknown;
    const channel = await start(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const signed = `${request.headers['webhook-id']}.${request.headers['webhook-timestamp']}.${Buffer.concat(chunks)}`;
      expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
      signature = request.headers['webhook-signature'];
      response.writeHead(204).end();
    });
    await channel.send(NOTIFICATION);
    expect(signature).toBe(expected);
  });

  it.each([
    [404, 'refused'],
    [410, 'refused'],
    [429, 'not-sent'],
    [500, 'not-sent'],
    [503, 'not-sent'],
  ])('status %i: %s', async (status, code) => {
    const channel = await start((_request, response) => response.writeHead(status).end());
    await expect(channel.send(NOTIFICATION)).rejects.toMatchObject({ code });
  });

  it('follows no redirect', async () => {
    const paths: (string | undefined)[] = [];
    const channel = await start((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await expect(channel.send(NOTIFICATION)).rejects.toMatchObject({ code: 'refused' });
    expect(paths).toEqual(['/hook']);
  });

  it('may have delivered a notification whose response is missing', async () => {
    const silent = await start(() => undefined, 100);
    await expect(silent.send(NOTIFICATION)).rejects.toMatchObject({ code: 'unknown' });
  });

  it('may have delivered a notification when the connection is cut', async () => {
    const channel = await start((request) => request.socket.destroy());
    await expect(channel.send(NOTIFICATION)).rejects.toMatchObject({ code: 'unknown' });
  });

  it('is not said to be delivered when there is no server', async () => {
    const channel = await start(() => undefined);
    server?.close();
    if (server !== undefined) await once(server, 'close');
    await expect(channel.send(NOTIFICATION)).rejects.toMatchObject({ code: withoutServer });
  });
});
