import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createBindingLimiter } from '../../src/runtimes/cloudflare/platform.ts';
import { createRateLimiter } from '../../src/server/http/rate-limiter.ts';
import { NO_LOG } from '../../test/support/no-log.ts';

const createInstance = () => {
  const local = createRateLimiter({ perSecond: 1, burst: 5, maxAddresses: 10, now: () => 0 });
  const warn = (message: string) => expect.unreachable(message);
  return createBindingLimiter(local, env.LIMIT_FORMS, { ...NO_LOG, warn });
};

it('takes as many forms of an address as wrangler.jsonc says, from all instances together', async () => {
  const instances = [createInstance(), createInstance()];
  const waits = [];
  for (let index = 0; index < 6; index += 1) waits.push(await instances[index % 2]?.take('192.0.2.1', 1));
  expect(waits).toEqual([0, 0, 0, 0, 0, 60]);
  expect(await instances[0]?.take('192.0.2.2', 1)).toBe(0);
});
