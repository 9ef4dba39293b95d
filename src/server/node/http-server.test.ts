import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createHttpServer } from './http-server.ts';

/** Longer than a client may take before the first byte of its body. */
const STORE_OPENS_MS = 4_000;

it('responds to a body that has arrived although the application takes seconds to read it', async () => {
  const server = createHttpServer({
    app: {
      fetch: async (request: Request) => {
        await sleep(STORE_OPENS_MS);
        return new Response(`read: ${await request.text()}`);
      },
    },
    security: { api: {} },
    files: new Map(),
    pages: new Map(),
    pageParameters: new Map(),
    uncachedPaths: new Set(),
    essentialPaths: new Set(),
    trustedProxyHops: 0,
    log: { error: () => undefined },
    onResponse: () => undefined,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/console/setup/x`, { method: 'POST', body: 'form' });
  expect([response.status, await response.text()]).toEqual([200, 'read: form']);
  server.closeAllConnections();
  server.close();
});
