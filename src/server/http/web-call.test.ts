import { describe, expect, it } from 'vitest';
import { BodyTooLargeError } from './message.ts';
import { buildResponse, createWebCall } from './web-call.ts';

const about = { clientAddress: '192.0.2.1', requestId: '1' };
const request = (body?: string) =>
  new Request('http://localhost/api/journey?a=1', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });

describe('createWebCall', () => {
  it('gives the parts of a request', async () => {
    const call = createWebCall(request('{"ü":1}'), about);
    expect(call).toMatchObject({ method: 'POST', path: '/api/journey', query: 'a=1', ...about });
    expect(call.header('content-type')).toBe('application/json');
    expect(call.header('origin')).toBeUndefined();
    expect(new TextDecoder().decode(await call.body(100))).toBe('{"ü":1}');
  });

  it('reads no more than the limit', async () => {
    expect(await createWebCall(request(), about).body(0)).toHaveLength(0);
    expect(await createWebCall(request('abc'), about).body(3)).toHaveLength(3);
    await expect(createWebCall(request('abcd'), about).body(3)).rejects.toThrow(BodyTooLargeError);
  });
});

describe('buildResponse', () => {
  it.each(['text', new Uint8Array([116, 101, 120, 116])])('answers with %j', async (body) => {
    const response = buildResponse({ status: 202, headers: { 'x-a': 'b' }, body });
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([202, 'b', 'text']);
  });

  it('answers without a body', async () => {
    expect((await buildResponse({ status: 204, headers: {}, body: null }).text()).length).toBe(0);
  });
});
