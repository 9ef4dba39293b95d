import type { HttpHandler } from '../http/message.ts';
import { buildProblem } from '../http/problem.ts';

/** `GET /api/region`: the visitor's region as the proxy's header tells it, `{"region": "DE"}`; empty when it does not. */
export function createRegionHandler(header: string): HttpHandler {
  return async (call) => {
    if (call.method !== 'GET' && call.method !== 'HEAD') {
      return buildProblem('method-not-allowed', call.requestId, { headers: { allow: 'GET, HEAD' } });
    }
    const told = (header && call.header(header)) || '';
    const region = /^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$/.test(told) ? told.toUpperCase() : '';
    return {
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: JSON.stringify({ region }),
    };
  };
}
