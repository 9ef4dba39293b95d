import { buildJsonResponse } from '../http/json-response.ts';
import type { Handler } from '../http/route.ts';

/** `GET /api/region`: the visitor's region from the proxy's `header`, `{"region": "DE"}`; empty without a valid one. */
export function createRegionHandler(header: string): Handler {
  return (context) => {
    const value = (header && context.req.header(header)) || '';
    const region = /^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$/.test(value) ? value.toUpperCase() : '';
    return buildJsonResponse({ region });
  };
}
