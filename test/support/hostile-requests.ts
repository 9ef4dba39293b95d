import { HOSTILE_PAYLOADS } from './hostile-payloads.ts';
import { HUGE_VALUES } from './hostile-sizes.ts';
import {
  BODY_SLOTS,
  CONTENT_TYPES,
  HEADER_SLOTS,
  METHODS,
  PATH_SLOTS,
  QUERY_SLOTS,
} from './hostile-slots.ts';
import { HOSTILE_VALUES } from './hostile-values.ts';
import { HOSTILE_WIRE } from './hostile-wire.ts';
import { buildRaw, encodeAll, encodeTarget, type RawRequest, toBytes } from './raw-http.ts';

/** Every hostile value of every kind. */
export const VALUES: readonly string[] = Object.values(HOSTILE_VALUES).flat();

/** Every `step`-th of a list. With a step that shares no factor with a slot's values, each value and slot stays. */
function thin(requests: readonly RawRequest[], step: number): RawRequest[] {
  return requests.filter((_, index) => index % step === 0);
}

/** Builds the corpus: every kind of value in every place of a request, each once. */
export function buildHostileRequests(): RawRequest[] {
  const requests = [
    ...thin(buildQueries(), 5),
    ...thin(buildPaths(), 7),
    ...thin(buildHeaders(), 7),
    ...buildMethods(),
    ...thin(buildBodies(), 3),
    ...HOSTILE_WIRE,
  ];
  return [...new Map(requests.map((request) => [request.bytes, request])).values()];
}

/** Builds requests whose size is the attack, in every place that reads a value. */
export function buildHugeRequests(): RawRequest[] {
  return HUGE_VALUES.flatMap(([name, value]) => {
    const encoded = encodeAll(value).slice(0, 15_000);
    const plain = encodeTarget(value).slice(0, 15_000);
    return [
      { name: `${name} as path`, bytes: buildRaw({ target: `/${plain}` }) },
      { name: `${name} in the hub`, bytes: buildRaw({ target: `/blog/${plain}` }) },
      { name: `${name} as search`, bytes: buildRaw({ target: `/blog?q=${encoded}` }) },
      { name: `${name} as source`, bytes: buildRaw({ target: `/go/highlevel?source=${encoded}` }) },
      { name: `${name} as visit`, bytes: buildRaw({ target: `/go/highlevel?stored=${encoded}` }) },
      { name: `${name} as query`, bytes: buildRaw({ target: `/blog/?${plain}` }) },
      { name: `${name} as cookie`, bytes: buildHeader('Cookie', value.slice(0, 15_000)) },
      { name: `${name} as encoding`, bytes: buildHeader('Accept-Encoding', value.slice(0, 15_000)) },
      { name: `${name} as validator`, bytes: buildHeader('If-None-Match', value.slice(0, 15_000)) },
      { name: `${name} as browser`, bytes: buildHeader('User-Agent', value.slice(0, 15_000), '/go/kit') },
    ];
  });
}

function buildQueries(): RawRequest[] {
  return QUERY_SLOTS.flatMap(([path, parameter]) =>
    VALUES.map((value) => ({
      name: `${path}?${parameter}= ${JSON.stringify(value)}`,
      bytes: buildRaw({ target: `${path}?${parameter}=${encodeAll(value)}` }),
    })),
  );
}

/** As they are and, where that differs, percent-encoded. */
function buildPaths(): RawRequest[] {
  const values = [...HOSTILE_VALUES.paths, ...HOSTILE_VALUES.addresses, ...HOSTILE_VALUES.markup];
  return PATH_SLOTS.flatMap((folder) =>
    values.flatMap((value) => [
      { name: `path ${folder}${value}`, bytes: buildRaw({ target: folder + encodeTarget(value) }) },
      { name: `path ${folder}${encodeAll(value)}`, bytes: buildRaw({ target: folder + encodeAll(value) }) },
      { name: `path ${folder}${value}/`, bytes: buildRaw({ target: `${folder}${encodeTarget(value)}/` }) },
    ]),
  );
}

function buildHeaders(): RawRequest[] {
  const values = [
    ...HOSTILE_VALUES.addresses,
    ...HOSTILE_VALUES.markup,
    ...HOSTILE_VALUES.prototypes,
    ...HOSTILE_VALUES.numbers,
    ...HOSTILE_VALUES.unicode,
  ];
  const targets = ['/', '/expert-review', '/blog/', '/go/highlevel', '/favicon.svg', '/robots.txt'];
  return HEADER_SLOTS.flatMap((name, index) =>
    values.map((value, turn) => {
      const target = targets[(index + turn) % targets.length] ?? '/';
      return { name: `${name}: ${value} at ${target}`, bytes: buildHeader(name, value, target) };
    }),
  );
}

function buildHeader(name: string, value: string, target = '/'): string {
  return buildRaw({ target, headers: [[name, toBytes(value).replace(/[^\t -~\u0080-\u00ff]/g, '?')]] });
}

function buildMethods(): RawRequest[] {
  const targets = ['/', '/blog/crm-basics', '/expert-review', '/nowhere', ...BODY_SLOTS];
  return METHODS.flatMap((method) =>
    targets.map((target) => ({ name: `${method} ${target}`, bytes: buildRaw({ method, target }) })),
  );
}

/** Every body as what it claims to be, and in turn as everything else. */
function buildBodies(): RawRequest[] {
  return BODY_SLOTS.flatMap((target) =>
    HOSTILE_PAYLOADS.flatMap((body, index) => {
      const isForm = target === '/contact' || target === '/assessment';
      const usual = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
      const other = CONTENT_TYPES[index % CONTENT_TYPES.length] ?? '';
      return [...new Set([usual, other])].map((type) => ({
        name: `${target} as ${type || 'nothing'}: ${body.slice(0, 80)}`,
        bytes: buildRaw({ method: 'POST', target, headers: [['Content-Type', type]], body }),
      }));
    }),
  );
}
