import { createChance } from './article-corpus.ts';
import { HOSTILE_PAYLOADS } from './hostile-payloads.ts';
import { VALUES } from './hostile-requests.ts';
import {
  BODY_SLOTS,
  CONTENT_TYPES,
  HEADER_SLOTS,
  METHODS,
  PATH_SLOTS,
  QUERY_SLOTS,
} from './hostile-slots.ts';
import { buildRaw, encodeAll, encodeTarget, type RawRequest, toBytes } from './raw-http.ts';

/** Builds `count` requests by chance: real addresses of the site, bent in one to a few places at once. */
export function generateRequests(seed: number, count: number, routes: readonly string[]): RawRequest[] {
  const make = createMaker(createChance(seed));
  const targets = [...new Set([...routes, ...BODY_SLOTS, ...QUERY_SLOTS.map(([path]) => path)])];
  return Array.from({ length: count }, (_, index) => {
    const bytes = make.request(targets);
    return { name: `seed ${seed}, number ${index}: ${bytes.slice(0, 300)}`, bytes };
  });
}

function createMaker(chance: () => number) {
  const pick = <T>(choices: readonly T[], fallback: T): T =>
    choices[Math.floor(chance() * choices.length)] ?? fallback;
  const often = (share: number) => chance() < share;
  const times = <T>(most: number, make: () => T): T[] =>
    Array.from({ length: Math.floor(chance() * (most + 1)) }, make);

  /** A hostile value, two joined, or one with a byte changed. */
  const value = (): string => {
    const first = pick(VALUES, '');
    if (often(0.6)) return first;
    if (often(0.5)) return first + pick(VALUES, '');
    const at = Math.floor(chance() * (first.length + 1));
    return `${first.slice(0, at)}${String.fromCharCode(Math.floor(chance() * 256))}${first.slice(at + 1)}`;
  };
  const written = () => (often(0.7) ? encodeAll(value()) : encodeTarget(value()).slice(0, 4_000));
  const path = (targets: readonly string[]) => {
    if (often(0.2)) return pick(PATH_SLOTS, '/') + written();
    const real = pick(targets, '/');
    if (often(0.8)) return real;
    const at = Math.floor(chance() * (real.length + 1));
    return real.slice(0, at) + written() + real.slice(often(0.5) ? at : at + 1);
  };
  const parameter = () => `${often(0.8) ? pick(QUERY_SLOTS, ['', 'q'])[1] : written()}=${written()}`;
  const header = () =>
    [pick(HEADER_SLOTS, 'Host'), toBytes(value()).replace(/[^\t -~\u0080-\u00ff]/g, '')] as const;

  return {
    request(targets: readonly string[]): string {
      const method = often(0.75) ? 'GET' : pick(METHODS, 'GET');
      const query = times(3, parameter).join('&');
      const target = path(targets) + (query === '' ? '' : `?${query}`);
      const headers = times(2, header).filter(([name]) => name !== 'Content-Type');
      if (method === 'GET' || often(0.3))
        return buildRaw({ method, target: target.slice(0, 12_000), headers });
      const type = ['Content-Type', pick(CONTENT_TYPES, '')] as const;
      return buildRaw({
        method,
        target: target.slice(0, 12_000),
        headers: [...headers, type],
        body: often(0.5) ? pick(HOSTILE_PAYLOADS, '') : toBytes(value()),
      });
    },
  };
}
