import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Partner } from '../../src/core/outbound/partner.ts';
import { SEED } from './cases.ts';
import { parseHead } from './raw-request.ts';

const FILE = path.resolve(import.meta.dirname, '../fixtures/hostile-input.yaml');

/** The word that only hostile values have, so that it is found wherever one comes out again. */
export const MARK = 'zq9';

const text = z.string().transform((written) =>
  written
    .replace(/\{(\d+)\*(.*?)\*\}/gs, (_, count: string, unit: string) => unit.repeat(Number(count)))
    .replaceAll('{host}', 'Host: 127.0.0.1\r\n')
    .replaceAll('{close}', 'Connection: close\r\n')
    // A browser test defines the function and sees whether it was called.
    .replaceAll('{run}', 'window.__ran&&window.__ran()'),
);
const texts = z.array(text);
const named = z.record(z.string(), text).transform((record) => Object.entries(record));

const corpus = z
  .strictObject({
    values: z.strictObject({
      addresses: texts,
      prototypes: texts,
      markup: texts,
      controls: texts,
      unicode: texts,
      numbers: texts,
      queries: texts,
      templates: texts,
      paths: texts,
    }),
    sizes: texts,
    payloads: texts,
    queries: texts,
    paths: texts,
    headers: texts,
    methods: texts,
    forms: texts,
    contentTypes: texts,
    wire: named,
    bodies: named,
    goodBodies: named,
  })
  .parse(parse(readFileSync(FILE, 'utf8')));

/** Values that no honest visitor sends, by kind. As text: callers encode them for the place they go to. */
export const HOSTILE_VALUES = corpus.values;
/** Article bodies that try to run something, leave the article, or break the page, each with its name. */
export const HOSTILE_BODIES = corpus.bodies;
/** Article bodies as they should be, each with its name. */
export const GOOD_BODIES = corpus.goodBodies;

/**
 * Pieces of foreign texts that have no end, parted by `§`: repeated, they are what a parser takes longest for. `⏎` is a line
 * break.
 */
export const PIECES = {
  html:
    '<b>§<div>§<p>§<ul><li>§<table><tr><td>§<a href="x">§<title>§<svg>§<svg><title>x§<h1>x§<script>§<!--§<![CDATA[§&amp;§a&amp;§&§<§<a §</§</b>§' +
    '</p>§<b><p>§<a x=§<a x="§<template>§<br>x§<dd><p>§<h2>a</h2>§<h2>§<figure>§<iframe>x§<!§<?§<math><mi>§<form><b></form>§word ',
  markdown:
    '[§![§[a](§[a §*a §_a§*_x§__x**§**a *b §`a ``§~x~~§<§<b>§> §>§1. §- [ ] §- a⏎§  - a⏎§⏎- a⏎  - b§- a⏎  b⏎§# §|a|⏎|-|⏎§a|b⏎-|-⏎§[a]: b⏎§' +
    '[a]⏎§[a][b]§<!--§&amp;§a@b.§x*x_§~~~⏎§```⏎§\\⏎§[^1]§<div>⏎§![a](b "§[a](<',
  yaml: '[§[a, §{a: §- §- a⏎§? §? a⏎§: §a: §"§a"§&a §*a §&a [*a, §- &a [b]⏎- *a⏎§!a §|⏎ §>⏎ a⏎§a⏎§ §---⏎§]§- - §"a": §- {a: b}⏎§a: [⏎§- a #b⏎',
  svg: '<g>§<g/>§<text>a&amp;§<style>§<style>a</style>§<x:y xmlns:x="u">§<use href="#a"/>§<g id="a"><use href="#a"/>§<!--§<![CDATA[§<?a ?>',
  shortcodes:
    '<!--§<!-- wp:x {§<pre§<pre>§<code §<script§<a §[§[[§[a§[a §[a "§[/a]§[a x="§[gallery]§[caption]§' +
    `[caption][/caption]§[caption]<a §[a '"§<PRE></code>`,
  csv: '"§"a§a,§a;§⏎§a⏎§a,b⏎§,§""§"a"⏎§=',
  wordpress: '<item>§<item></item>§<§&a;§<![CDATA[§<wp:author>§<!--§<a b="',
} as const;

/** The pieces of a list. */
export const listPieces = (pieces: string) => pieces.replaceAll('⏎', '\n').split('§');

/** A text of so many characters that repeats a piece. */
export const repeatPiece = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

const VALUES: readonly string[] = Object.values(corpus.values).flat();

/** One request as it goes over the wire: Latin-1 text, one character a byte. */
export interface RawRequest {
  /** What it is, for the report. */
  readonly name: string;
  readonly bytes: string;
}

/** Parts of a request that is sent exactly as given: nothing is checked or corrected. */
interface RawParts {
  readonly method?: string;
  readonly target: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Sent with its length unless a header says otherwise. */
  readonly body?: string;
}

/** UTF-8 bytes of a text, one character a byte. */
function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Percent-encodes every byte that is not a letter or digit, so that a value arrives whole in any place. */
function encodeAll(text: string): string {
  return toBytes(text).replace(
    /[^A-Za-z0-9]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}

/** A text as a request line may contain it: control bytes and blanks encoded, everything else as it is. */
function encodeTarget(text: string): string {
  return toBytes(text).replace(/[^!-~\u0080-\u00ff]/g, (byte) => encodeAll(byte));
}

/** Writes a request that ends its connection, with the headers that every client sends unless they are given. */
function buildRaw({ method = 'GET', target, headers = [], body }: RawParts): string {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const isFramed = given.has('content-length') || given.has('transfer-encoding');
  const all: (readonly [string, string])[] = [
    ...(given.has('host') ? [] : ([['Host', '127.0.0.1']] as const)),
    ...(given.has('connection') ? [] : ([['Connection', 'close']] as const)),
    ...headers,
    ...(body === undefined || isFramed ? [] : ([['Content-Length', String(body.length)]] as const)),
  ];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${target} HTTP/1.1\r\n${lines}\r\n${body ?? ''}`;
}

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
    ...corpus.wire.map(([name, bytes]) => ({ name, bytes })),
  ];
  return [...new Map(requests.map((request) => [request.bytes, request])).values()];
}

/** Builds requests whose size is the attack, in every place that reads a value. */
export function buildHugeRequests(): RawRequest[] {
  return corpus.sizes.flatMap((value) => {
    const name = `${value.slice(0, 8)} … (${value.length})`;
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
  return corpus.queries.flatMap((query) =>
    VALUES.map((value) => ({
      name: `${query}= ${JSON.stringify(value)}`,
      bytes: buildRaw({ target: `${query}=${encodeAll(value)}` }),
    })),
  );
}

/** As they are and, where that differs, percent-encoded. */
function buildPaths(): RawRequest[] {
  const values = [...HOSTILE_VALUES.paths, ...HOSTILE_VALUES.addresses, ...HOSTILE_VALUES.markup];
  return corpus.paths.flatMap((folder) =>
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
  return corpus.headers.flatMap((name, index) =>
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
  const targets = ['/', '/blog/crm-basics', '/expert-review', '/nowhere', ...corpus.forms];
  return corpus.methods.flatMap((method) =>
    targets.map((target) => ({ name: `${method} ${target}`, bytes: buildRaw({ method, target }) })),
  );
}

/** Every body as what it claims to be, and in turn as everything else. */
function buildBodies(): RawRequest[] {
  return corpus.forms.flatMap((target) =>
    corpus.payloads.flatMap((body, index) => {
      const isForm = target === '/contact' || target === '/assessment';
      const usual = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
      const other = corpus.contentTypes[index % corpus.contentTypes.length] ?? '';
      return [...new Set([usual, other])].map((type) => ({
        name: `${target} as ${type || 'nothing'}: ${body.slice(0, 80)}`,
        bytes: buildRaw({ method: 'POST', target, headers: [['Content-Type', type]], body }),
      }));
    }),
  );
}

/** Builds `count` requests by chance: real addresses of the site, changed in one to a few places at once. */
export function generateRequests(count: number, routes: readonly string[]): RawRequest[] {
  const targets = [
    ...new Set([...routes, ...corpus.forms, ...corpus.queries.map((query) => query.replace(/\?.*/, ''))]),
  ];
  const sample = fc.sample(buildArbitraryRequest(targets), count);
  return sample.map((bytes, index) => ({
    name: `seed ${SEED}, number ${index}: ${bytes.slice(0, 300)}`,
    bytes,
  }));
}

function buildArbitraryRequest(targets: readonly string[]): fc.Arbitrary<string> {
  const known = fc.constantFrom(...VALUES);
  /** A hostile value, two joined, or one with a byte changed. */
  const value = fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 2, arbitrary: fc.tuple(known, known).map((pair) => pair.join('')) },
    {
      weight: 2,
      arbitrary: fc.tuple(known, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([first, place, byte]) => {
        const at = place % (first.length + 1);
        return first.slice(0, at) + String.fromCharCode(byte) + first.slice(at + 1);
      }),
    },
  );
  const written = fc.oneof(
    { weight: 7, arbitrary: value.map(encodeAll) },
    { weight: 3, arbitrary: value.map((one) => encodeTarget(one).slice(0, 4_000)) },
  );
  const real = fc.constantFrom(...targets);
  const path = fc.oneof(
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom(...corpus.paths), written).map((parts) => parts.join('')),
    },
    { weight: 6, arbitrary: real },
    {
      weight: 2,
      arbitrary: fc.tuple(real, written, fc.nat(), fc.nat({ max: 1 })).map(([one, inserted, place, cut]) => {
        const at = place % (one.length + 1);
        return one.slice(0, at) + inserted + one.slice(at + cut);
      }),
    },
  );
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...corpus.queries.map((query) => query.replace(/.*\?/, ''))) },
    { weight: 2, arbitrary: written },
  );
  const parameter = fc.tuple(name, written).map((pair) => pair.join('='));
  const headerNames = corpus.headers.filter((header) => header !== 'Content-Type');
  const header = fc.tuple(
    fc.constantFrom(...headerNames),
    value.map((one) => toBytes(one).replace(/[^\t -~\u0080-\u00ff]/g, '')),
  );
  return fc
    .record({
      method: fc.oneof(
        { weight: 3, arbitrary: fc.constant('GET') },
        { weight: 1, arbitrary: fc.constantFrom(...corpus.methods) },
      ),
      path,
      query: fc.array(parameter, { maxLength: 3 }),
      headers: fc.array(header, { maxLength: 2 }),
      type: fc.constantFrom(...corpus.contentTypes),
      body: fc.oneof(fc.constantFrom(...corpus.payloads), value.map(toBytes)),
      hasBody: fc.boolean(),
    })
    .map(({ method, path, query, headers, type, body, hasBody }) => {
      const target = `${path}${query.length === 0 ? '' : `?${query.join('&')}`}`.slice(0, 12_000);
      if (method === 'GET' || !hasBody) return buildRaw({ method, target, headers });
      return buildRaw({ method, target, headers: [...headers, ['Content-Type', type]], body });
    });
}

/** What responses are measured against. */
export interface Judge {
  readonly origin: string;
  readonly partners: readonly Partner[];
}

/** A tag of a hostile value that a page has taken for its own. */
const TAG = new RegExp(`<[/!]?${MARK}`, 'i');
/** An attribute, or an address with a script. */
const REFLECTED = [
  new RegExp(`(?<!\\\\)" ${MARK}=`),
  new RegExp(`(?:href|src|action|content|url)=["']?\\s*(?:0;\\s*url=)?javascript:${MARK}`, 'i'),
];

/** What is wrong with a response to a hostile request; empty when it is as it has to be. */
export function findFaults({ bytes }: RawRequest, response: Buffer | null, judge: Judge): string[] {
  if (response === null) return ['no response'];
  // A tunnel is refused by hanging up; so may be, after its response, a body that is refused half-way.
  if (response.length === 0) return bytes.startsWith('CONNECT ') || bytes.length > 65_536 ? [] : ['hung up'];
  const end = response.indexOf('\r\n\r\n');
  if (end < 0 || !response.subarray(0, 9).equals(Buffer.from('HTTP/1.1 '))) return ['not an HTTP response'];
  const { status, headers } = parseHead(response.subarray(0, end + 4).toString('latin1'));
  const text = decodeBody(headers, response.subarray(end + 4));
  return [
    ...judgeStatus(status, headers),
    ...judgeHeaders(headers, judge),
    ...(isMarkup(headers) ? judgeMarkup(text) : []),
    ...(text.includes('<div class="spinner"') ? judgeRedirect(text, judge) : []),
  ];
}

function judgeStatus(status: number, headers: Readonly<Record<string, string>>): string[] {
  if (!(status >= 100 && status < 600)) return [`status ${status}`];
  if (status < 500) return [];
  return status === 503 && headers['retry-after'] !== undefined ? [] : [`status ${status}`];
}

function judgeHeaders(headers: Readonly<Record<string, string>>, { origin }: Judge): string[] {
  const { location } = headers;
  const faults: string[] = [];
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('no security headers');
  if (headers['set-cookie'] !== undefined) faults.push(`a cookie: ${headers['set-cookie']}`);
  if (location === undefined) return faults;
  const isOwn = location.startsWith(`${origin}/`) || /^\/(?![/\\])/.test(location);
  const resolved = URL.canParse(location, origin) ? new URL(location, origin).origin : 'nowhere';
  return isOwn && resolved === origin ? faults : [...faults, `Location: ${location}`];
}

function isMarkup(headers: Readonly<Record<string, string>>): boolean {
  return !/json|text\/plain|javascript|css/.test(headers['content-type'] ?? '');
}

function judgeMarkup(text: string): string[] {
  const show = (from: string, at: number) =>
    at < 0 ? [] : [`reflected: ${JSON.stringify(from.slice(Math.max(0, at - 40), at + 60))}`];
  // Inside quotes a tag is text: what counts there is that nothing ends the quotes.
  const bare = text.replace(/="[^"]*"/g, '=""');
  return [...show(bare, bare.search(TAG)), ...REFLECTED.flatMap((one) => show(text, text.search(one)))];
}

/** Every address of the redirect page leads to a partner with its parameter once, or asks the site itself again. */
function judgeRedirect(page: string, { partners }: Judge): string[] {
  const targets = [...page.matchAll(/(?: href="|; url=)(h[^"]*)"/g)].map(([, href = '']) =>
    decodeEntities(href),
  );
  const repeated = [...page.matchAll(/ data-repeat="([^"]*)"/g)].map(([, path = '']) => decodeEntities(path));
  return [
    ...(targets.length === 0 ? ['a redirect to nowhere'] : []),
    ...targets.flatMap((target) => (isPartners(target, partners) ? [] : [`leads to ${target}`])),
    ...repeated.flatMap((path) =>
      /^\/(go\/[a-z0-9-]+|[a-z]+-trial)\?/.test(path) ? [] : [`requests ${path}`],
    ),
  ];
}

function isPartners(target: string, partners: readonly Partner[]): boolean {
  const url = new URL(target);
  const known = partners.find(({ destinations }) =>
    [...destinations.values()].some((destination) => {
      const { origin, pathname } = new URL(destination);
      return origin === url.origin && pathname === url.pathname;
    }),
  );
  if (known === undefined || url.username !== '') return false;
  const { affiliate } = known;
  return affiliate === null || url.searchParams.getAll(affiliate.parameter).join() === affiliate.value;
}

function decodeEntities(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function decodeBody(headers: Readonly<Record<string, string>>, body: Buffer): string {
  if (body.length === 0) return '';
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body).toString();
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
}

const MAX_RESPONSE_MS = 20_000;

/**
 * Sends every request on a connection of its own, `lanes` at a time. `onResponse` gets the bytes that came back, null when
 * none came within 20 s.
 */
export async function sendRequests(
  port: number,
  requests: readonly RawRequest[],
  lanes: number,
  onResponse: (request: RawRequest, response: Buffer | null) => void,
): Promise<void> {
  const queue = requests.values();
  const runLane = async () => {
    for (const request of queue) onResponse(request, await sendOne(port, request.bytes));
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
}

/** Resolves when the server has closed the connection. */
function sendOne(port: number, bytes: string): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setTimeout(MAX_RESPONSE_MS, () => {
      resolve(null);
      socket.destroy();
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that refuses a body half-way may reset the connection behind its response.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}
