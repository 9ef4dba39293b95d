import { parseRegion } from '../../core/consent/needs-asking.ts';
import { buildJsonResponse } from '../http/responses.ts';
import type { Handler } from '../http/route.ts';

/** `GET /api/region`: the visitor's region from the proxy's `header`, `{"region": "DE"}`; empty without a valid one. */
export function createRegionHandler(header: string): Handler {
  return (context) => {
    const region = parseRegion((header && context.req.header(header)) || '');
    return buildJsonResponse({ region });
  };
}
