import { isStorageFreeRegion, parseRegion } from '../../core/consent/needs-asking.ts';
import { buildJsonResponse } from '../http/responses.ts';
import type { Handler } from '../http/route.ts';

/**
 * `GET /api/region`: the visitor's region from the proxy's `header`, and whether nothing may be stored there before
 * consent (`regions` as in the settings): `{"region": "DE", "isStorageFree": true}`; empty and strict without a valid one.
 */
export function createRegionHandler(header: string, regions: readonly string[]): Handler {
  return (context) => {
    const region = parseRegion((header && context.req.header(header)) || '');
    return buildJsonResponse({ region, isStorageFree: isStorageFreeRegion(regions, region) });
  };
}
