import type { MessageFields, ParsedMessage } from '../../core/commissions/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/commission-terms.ts';
import { collectStrings, removePersonalFields } from '../../core/commissions/message-fields.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { refuseForRate } from '../http/json-post.ts';
import { buildJsonResponse } from '../http/json-response.ts';
import { buildProblem } from '../http/problem.ts';
import type { SharedRateLimiter } from '../http/rate-limiter.ts';
import { readBody } from '../http/request-body.ts';
import type { AppContext, Handler } from '../http/route.ts';
import { splitTarget } from '../http/target.ts';
import type { CommissionLedger } from './ledger.ts';
import type { PostbackTokens } from './postback-tokens.ts';
import { isSignatureValid, readSignature } from './webhook-signature.ts';

/** Longest body and longest JSON that is stored of a message. */
const MAX_MESSAGE_BYTES = 65_536;

export interface PostbackOptions {
  readonly partners: ReadonlyMap<string, Pick<Partner, 'terms'>>;
  /** Null while no postback URL was ever created. Rejects with `CommissionStoreError`. */
  readonly readTokens: () => Promise<PostbackTokens | null>;
  readonly getLedger: () => Pick<CommissionLedger, 'record'>;
  readonly parseMessage: (fields: MessageFields, terms: CommissionTerms) => ParsedMessage;
  /** Secrets of signed webhooks by partner. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Limits messages with a valid token. */
  readonly limiter: SharedRateLimiter;
  /** Limits wrong tokens. */
  readonly guessLimiter: SharedRateLimiter;
}

/**
 * `GET|POST /api/postbacks/{partner}/{token}`: a network reports a commission as query, form or JSON. 200 once it is on
 * disk, 404 for every wrong token, 401 without the signature of the secret that is set for the partner, 400 when the
 * message cannot be understood, 503 when it should be sent again.
 */
export function createPostbackHandler(options: PostbackOptions): Handler {
  return async (context) => {
    const key = context.req.param('partner') ?? '';
    const partner = options.partners.get(key);
    const tokens = await options.readTokens();
    // An unknown partner takes the same steps, so that its response tells nothing.
    const isValid = tokens?.check(key, context.req.param('token') ?? '') ?? false;
    if (!isValid || partner === undefined) {
      const { requestId } = context.env;
      return (await refuseForRate(context, options.guessLimiter, 1)) ?? buildProblem('not-found', requestId);
    }
    return (
      (await refuseForRate(context, options.limiter, 1)) ??
      respondToMessage(options, key, partner.terms, context)
    );
  };
}

async function respondToMessage(
  options: PostbackOptions,
  partner: string,
  terms: CommissionTerms,
  { req, env }: AppContext,
): Promise<Response> {
  const body = req.method === 'POST' ? await readBody(req.raw, MAX_MESSAGE_BYTES) : new Uint8Array();
  const signature = readSignature(req.raw.headers);
  const secret = options.secrets.get(partner);
  // A secret that is set would protect nothing if a message without a signature were accepted.
  if (secret !== undefined && !isSignatureValid(signature ?? '', body, secret)) {
    return buildProblem('invalid-signature', env.requestId);
  }
  const fields = parseFields(splitTarget(req.url)[1], body, req.raw.headers.get('content-type') ?? '');
  if (fields === null) return buildProblem('invalid-json', env.requestId);
  const message = options.parseMessage(fields, terms);
  if (message.kind === 'invalid') {
    return buildProblem('invalid-request', env.requestId, { detail: message.detail });
  }
  if (message.kind === 'ignored') return buildJsonResponse({ stored: 0, duplicates: 0 });
  const strings = collectStrings(fields);
  const { stored, duplicates, matched } = await options.getLedger().record({
    partner,
    terms,
    source: signature === null ? 'postback' : 'webhook',
    reports: message.reports.map((reported) => ({ reported, strings })),
    raw: JSON.stringify(removePersonalFields(fields)).slice(0, MAX_MESSAGE_BYTES),
  });
  const isTest = message.reports.every((report) => report.isTest);
  return buildJsonResponse({ stored, duplicates, matched, ...(isTest && { test: true }) });
}

/** The fields of query and body, the body's first; null for a body that says it is JSON and is not. */
function parseFields(query: string, body: Uint8Array, type: string): MessageFields | null {
  const text = new TextDecoder().decode(body).trim();
  const inQuery = parseForm(query);
  if (text === '') return inQuery;
  if (!/\bjson\b/i.test(type) && !text.startsWith('{')) return { ...inQuery, ...parseForm(text) };
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...inQuery, ...value }
      : null;
  } catch {
    return null;
  }
}

/** Of several values of one name the first one counts. */
function parseForm(text: string): MessageFields {
  return Object.fromEntries([...new URLSearchParams(text)].reverse());
}
