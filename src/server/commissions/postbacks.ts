import { createHmac, randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { MessageFields } from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import { collectStrings, removePersonalFields } from '../../core/commissions/ledger/message-fields.ts';
import type { NetworkFile, Networks } from '../../core/commissions/networks/network.schema.ts';
import { AGAIN } from '../../core/commissions/networks/parse-message.ts';
import { buildPostbackPath, POSTBACK_PATTERN } from '../../core/paths.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { parseSentJson } from '../../core/text/parse-text.ts';
import {
  decryptMessage,
  isSignatureValid,
  listSignatureHeaders,
  signTest,
} from '../../sources/networks/network-functions.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { UnreadMessage } from '../../stores/ledger-rows.ts';
import { createSharedLimiter } from '../http/rate-limiter.ts';
import { readBody, refuseForRate } from '../http/request-body.ts';
import { buildJsonResponse, buildProblem } from '../http/responses.ts';
import { type AppContext, type AppEnv, type Handler, splitTarget } from '../http/route.ts';
import { createTokenCheck } from '../http/secret-token.ts';
import type { Site } from '../site.ts';
import type { AcceptedSecret, NetworkSecrets } from './secrets.ts';
import { askAboutId, parsePartnerMessage } from './unread-messages.ts';

/** Longest body. With a query as long as servers take, this bounds what is stored of a message too. */
const MAX_MESSAGE_BYTES = 65_536;

/** Wrong tokens of one address. */
const GUESSES = { perSecond: 1, burst: 30, maxAddresses: 50_000 };

/**
 * `GET|POST /api/postbacks/{partner}/{token}`: a network reports a commission as query, form or JSON. 200 once it is on
 * disk, 404 for every wrong token, 401 without the signature of the secret that is set for the partner, 400 when the
 * message cannot be read: then it is stored for the operator. 503 when it should be sent again.
 */
export function createPostbacks(site: Site): Handler {
  const { platform, settings } = site;
  const { postbackAddresses, postbackLimiter } = site.money;
  const guessLimiter = createSharedLimiter(platform, 'guesses', GUESSES);
  return async (context) => {
    const key = context.req.param('partner') ?? '';
    const partner = site.content.read().partners.get(key);
    const tokens = await postbackAddresses.readTokens();
    // An unknown partner takes the same steps, so that its response tells nothing.
    const use = tokens?.check(key, context.req.param('token') ?? '') ?? null;
    if (use === null || partner === undefined) {
      const { requestId } = context.env;
      return (await refuseForRate(context, guessLimiter, 1)) ?? buildProblem('not-found', requestId);
    }
    const refusal = await refuseForRate(context, postbackLimiter, 1);
    if (refusal !== null) return refusal;
    if (use === 'former') await postbackAddresses.noteFormerUse(key);
    const response = await respondToMessage(site, key, partner.terms, context);
    // A network repeats what it is told to, and a message that is refused stays wrong.
    if (!response.ok) return response;
    return (await platform.copy?.wait()) === false && settings.LEDGER_COPY_WAIT === 'strict'
      ? buildProblem('store-unavailable', context.env.requestId, { detail: NOT_COPIED, headers: RETRY_SOON })
      : response;
  };
}

const NOT_COPIED = 'The message is stored, but not in the copy yet.';
const RETRY_SOON = { 'retry-after': '60' };

async function respondToMessage(
  site: Site,
  partner: string,
  terms: CommissionTerms,
  { req, env }: AppContext,
): Promise<Response> {
  const { commissions, secrets } = site.money;
  const { networks } = site.content.read();
  const { headers } = req.raw;
  const body = req.method === 'POST' ? await readBody(req.raw, MAX_MESSAGE_BYTES) : new Uint8Array();
  const push = await secrets.findPush(terms.network, networks);
  if (push === null)
    return refuseForMissing(env.requestId, 'How messages of this network are signed is to be confirmed.');
  const accepted = await secrets.findForWebhook(partner, push?.signature?.secret);
  if (accepted === null) return refuseForMissing(env.requestId);
  const isFieldSigned = push?.signature?.field !== undefined;
  // The signature covers the body alone: a query can be added to a captured message.
  const query = accepted.length === 0 || isFieldSigned ? splitTarget(req.url)[1] : '';
  const sent = await parseFields(query, body, headers.get('content-type') ?? '');
  const signatureHeaders = getSignatureHeaders(networks);
  const isSigned = signatureHeaders.some((name) => headers.has(name));
  const signed = { headers, body, fields: sent ?? {}, now: site.clock.now() };
  // A secret that is set would protect nothing if a message without a signature were accepted.
  const needsSignature =
    accepted.length > 0 && (!isFieldSigned || sent?.[push?.signature?.field ?? ''] !== undefined);
  if (needsSignature) {
    const used = accepted.find(({ text }) =>
      isSignatureValid(push?.signature, text, signed, signatureHeaders),
    );
    if (used === undefined) return buildProblem('invalid-signature', env.requestId);
    await secrets.noteUse(used);
  }
  const source = isSigned || isFieldSigned ? 'webhook' : 'postback';
  if (sent === null) {
    const text = utf8.decode(body);
    const content = JSON.stringify({
      body: JSON.stringify(removePersonalFields(parseSentJson(text) ?? text)),
    });
    const problem = 'it is neither a form nor one object of JSON';
    return storeUnread(site, env.requestId, { partner, source, problem, content });
  }
  const keys = push?.decrypt === undefined ? [] : await secrets.findForWebhook(partner, push.decrypt.secret);
  if (keys === null) return refuseForMissing(env.requestId);
  const fields = await decrypt(secrets, keys, push, sent);
  if (fields === null) {
    const problem = `the message is encrypted, and not with the secret ${push?.decrypt?.secret}`;
    return storeUnread(site, env.requestId, { partner, source, problem, content: JSON.stringify(sent) });
  }
  const respond = (body: object) =>
    push?.answer === undefined ? buildJsonResponse(body) : new Response(push.answer, { headers: TEXT });
  const message = await parsePartnerMessage(site, partner, fields, terms);
  const raw = JSON.stringify(removePersonalFields(fields));
  if (message.kind === 'invalid') {
    return storeUnread(site, env.requestId, { partner, source, problem: message.detail, content: raw });
  }
  if (message.kind === 'ignored') return respond({ stored: 0, duplicates: 0 });
  const strings = collectStrings(fields);
  const sentReports = message.reports.map((reported) => ({ reported, strings }));
  const { settled: reports, open } = await commissions.settleIds({ partner, terms, reports: sentReports });
  if (open[0] !== undefined) {
    const problem = askAboutId(open[0]);
    return storeUnread(site, env.requestId, { partner, source, problem, content: raw });
  }
  const { stored, duplicates, matched } = await commissions.record({ partner, terms, source, reports, raw });
  const isTest = message.reports.every((report) => report.isTest);
  return respond({ stored, duplicates, matched, ...(isTest && { test: true }) });
}

const getSignatureHeaders = memoizeByKey((networks: Networks) => listSignatureHeaders(networks.values()));
const utf8 = new TextDecoder();

const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

/** Anybody could report commissions. */
const refuseForMissing = (
  requestId: string,
  detail = 'The secret of this partner cannot be read at the moment.',
) =>
  buildProblem('store-unavailable', requestId, {
    detail,
    headers: { 'retry-after': '3600' },
  });

/** The fields of a message; null: they are encrypted with another secret than the partner's. */
async function decrypt(
  secrets: NetworkSecrets,
  keys: readonly AcceptedSecret[],
  push: NetworkFile['push'],
  fields: MessageFields,
): Promise<MessageFields | null> {
  if (push?.decrypt === undefined || !('notification' in fields && 'iv' in fields)) return fields;
  for (const key of keys) {
    const decrypted = decryptMessage(fields, key.text);
    if (decrypted === null) continue;
    await secrets.noteUse(key);
    return decrypted;
  }
  return null;
}

/**
 * Stores a message that cannot be read, and says so. Networks may never send it again, so one that does not fit is refused
 * with 503.
 */
async function storeUnread(
  { log, clock, money: { ledger } }: Site,
  requestId: string,
  message: Omit<UnreadMessage, 'id' | 'arrivedAt'>,
): Promise<Response> {
  const { partner, problem } = message;
  const isStored = await ledger.addUnread({ ...message, arrivedAt: clock.now() });
  log.warn('a message of a network cannot be read', { partner, problem, isStored });
  if (!isStored) {
    const detail = 'Too many messages of this partner wait to be read.';
    return buildProblem('store-unavailable', requestId, { detail, headers: { 'retry-after': '3600' } });
  }
  const detail = `The message cannot be read: ${problem}. It is stored, and the operator of the site is told.`;
  return buildProblem('invalid-request', requestId, { detail });
}

/**
 * The fields of query and body, the body's first; a list of one object is that object. Null for a body that is no form, or that
 * says it is JSON and is not.
 */
async function parseFields(query: string, body: Uint8Array, type: string): Promise<MessageFields | null> {
  const text = body.byteLength === 0 ? '' : utf8.decode(body).trim();
  if (/^multipart\/form-data\b/i.test(type)) {
    const form = await new Response(Buffer.from(body), { headers: { 'content-type': type } })
      .formData()
      .catch(() => null);
    const entries = [...(form ?? [])].map(([name, value]) => [name, String(value)]);
    return form && parseForm(`${new URLSearchParams(entries)}&${query}`);
  }
  if (!/\bjson\b/i.test(type) && !/^[[{]/.test(text)) return parseForm(`${text}&${query}`);
  if (text === '') return parseForm(query);
  const parsed: unknown = parseSentJson(text);
  const value = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { ...parseForm(query), ...value } : null;
}

/**
 * Of several values of one name the first one counts; another one is a field of its own, so that it is asked about. A value that
 * is a JSON object is one, so that its fields are read.
 */
export function parseForm(text: string): MessageFields {
  const fields = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(text)) {
    const known = fields.get(name);
    const own = value.startsWith('{"') ? (parseSentJson(value) ?? value) : value;
    if (known === undefined || known === '') fields.set(name, own);
    else if (value !== '' && known !== own) fields.set(`${AGAIN}${name}`, own);
  }
  return Object.fromEntries(fields);
}

const MESSAGE = 'test=1';

/**
 * Sends what the test button of a network sends through the handler of a partner's postback address, signed if the
 * partner's messages are, without leaving the process.
 */
export async function testPostback(site: Site, partner: string) {
  const tokens = await site.money.postbackAddresses.readTokens();
  if (tokens === null) return { isStored: false, response: 'it does not exist yet' };
  const handle = createPostbacks(site);
  const app = new Hono<AppEnv>().post(POSTBACK_PATTERN, (context) => handle(context));
  const { partners, networks } = site.content.read();
  const network = partners.get(partner)?.terms.network ?? '';
  const signature = (await site.money.secrets.findPush(network, networks))?.signature;
  const [secret] = (await site.money.secrets.findForWebhook(partner, signature?.secret)) ?? [];
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(secret && signTest(signature, secret.text, MESSAGE, site.clock.now())),
  };
  const path = buildPostbackPath(partner, tokens.build(partner));
  const env = { clientAddress: 'console', requestId: site.newId() };
  const response = await app.request(path, { method: 'POST', headers, body: MESSAGE }, env);
  return { isStored: response.ok, response: `${response.status} ${await response.text()}` };
}

type StateStore = Pick<Ledger, 'readState' | 'createState' | 'changeState'>;

/** The key of all addresses, their renewals, and when a former one was last used, as the ledger remembers them. */
const POSTBACK_KEY = 'postback-key';
const RENEWALS = 'postback-renewals';
const FORMER_USES = 'postback-former-uses';

const versionSchema = z.int().min(0);
const renewalsSchema = z.record(
  z.string(),
  z.strictObject({
    version: versionSchema,
    /** Addresses that are accepted until a time, in ms since 1970. */
    former: z.array(z.strictObject({ version: versionSchema, until: z.number() })),
  }),
);
const usesSchema = z.record(z.string(), z.number());
type Renewals = z.output<typeof renewalsSchema>;

/** Another process may have renewed an address. */
const RENEWALS_KNOWN_MS = 5_000;
const USE_KNOWN_MS = 60_000;
/** For how long a former address may be accepted. */
export const MAX_FORMER_DAYS = 90;

/** The postback addresses of a ledger: one for each partner, each renewed on its own. */
export class PostbackAddresses {
  readonly #ledger: StateStore;
  readonly #now: () => number;
  #key: string | null = null;
  #tokens: { readonly readAt: number; readonly value: PostbackTokens } | null = null;

  /** `now` in ms since 1970. */
  constructor(ledger: StateStore, now: () => number) {
    this.#ledger = ledger;
    this.#now = now;
  }

  /** Resolves with null while no postback address was ever created. Rejects with `LedgerError`. */
  async readTokens(): Promise<PostbackTokens | null> {
    this.#key ??= await this.#ledger.readState(POSTBACK_KEY);
    if (this.#key === null) return null;
    const now = this.#now();
    if (this.#tokens === null || Math.abs(now - this.#tokens.readAt) >= RENEWALS_KNOWN_MS) {
      const renewals = await this.#readJson(RENEWALS, renewalsSchema);
      this.#tokens = { readAt: now, value: createPostbackTokens(this.#key, renewals, this.#now) };
    }
    return this.#tokens.value;
  }

  /** Creates the key of the addresses once; later calls change nothing. Rejects with `LedgerError`. */
  async create(): Promise<void> {
    await this.#ledger.createState(POSTBACK_KEY, randomBytes(32).toString('hex'));
  }

  /** Gives a partner another address. The present one is accepted for `acceptMs` more. Rejects with `LedgerError`. */
  async renew(partner: string, acceptMs: number): Promise<void> {
    const now = this.#now();
    await this.#ledger.changeState(RENEWALS, '{}', (before) => {
      const renewals = renewalsSchema.parse(JSON.parse(before));
      const { version = 0, former = [] } = renewals[partner] ?? {};
      const accepted = [{ version, until: now + acceptMs }, ...former].filter(({ until }) => until > now);
      return JSON.stringify({ ...renewals, [partner]: { version: version + 1, former: accepted } });
    });
    this.#tokens = null;
  }

  /** Remembers that a network has used a former address. Rejects with `LedgerError`. */
  async noteFormerUse(partner: string): Promise<void> {
    await this.#ledger.changeState(FORMER_USES, '{}', (before) => {
      const uses = usesSchema.parse(JSON.parse(before));
      const isKnown = this.#now() - (uses[partner] ?? Number.NEGATIVE_INFINITY) < USE_KNOWN_MS;
      return isKnown ? before : JSON.stringify({ ...uses, [partner]: this.#now() });
    });
  }

  /**
   * The former address that is accepted longest, by partner; times in ms since 1970, null: not since it was renewed. Rejects with
   * `LedgerError`.
   */
  async readFormer() {
    const [renewals, uses] = await Promise.all([
      this.#readJson(RENEWALS, renewalsSchema),
      this.#readJson(FORMER_USES, usesSchema),
    ]);
    return new Map(
      Object.entries(renewals).flatMap(([partner, { former }]) => {
        const until = Math.max(...former.map((one) => one.until));
        return until > this.#now() ? [[partner, { until, lastUsedAt: uses[partner] ?? null }] as const] : [];
      }),
    );
  }

  /** A value that is damaged fails: without it, an address that was given up would be accepted. */
  async #readJson<Value>(name: string, schema: z.ZodType<Value>): Promise<Value> {
    return schema.parse(JSON.parse((await this.#ledger.readState(name)) ?? '{}'));
  }
}

type PostbackTokens = ReturnType<typeof createPostbackTokens>;

const MAX_CHECKS = 100;

/**
 * Creates the tokens of postback URLs: one for each partner, of 192 bits in the characters of base64url, derived from one
 * key and the number of its renewals, so that only the key is stored. `check` takes the same time for every token.
 */
export function createPostbackTokens(key: string, renewals: Renewals = {}, now = () => 0) {
  const derive = (partner: string, version: number) =>
    createHmac('sha256', key)
      .update(`postback ${partner}${version === 0 ? '' : ` ${version}`}`)
      .digest()
      .subarray(0, 24)
      .toString('base64url');
  const find = (partner: string) =>
    Object.hasOwn(renewals, partner) ? renewals[partner] : { version: 0, former: [] };
  // Of whatever partner an address names.
  const checks = new LRUCache<string, ReturnType<typeof createTokenCheck>>({ max: MAX_CHECKS });
  const check = (partner: string, version: number, token: string) => {
    const id = `${version} ${partner}`;
    const isToken = checks.get(id) ?? createTokenCheck(derive(partner, version));
    checks.set(id, isToken);
    return isToken(token);
  };
  return {
    build: (partner: string) => derive(partner, find(partner)?.version ?? 0),
    /** Whether a token is the one of a partner, or a former one that is still accepted. */
    check(partner: string, token: string): 'present' | 'former' | null {
      const { version = 0, former = [] } = find(partner) ?? {};
      if (check(partner, version, token)) return 'present';
      const isFormer = former.some((one) => one.until > now() && check(partner, one.version, token));
      return isFormer ? 'former' : null;
    },
  };
}
