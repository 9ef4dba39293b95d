import { Hono } from 'hono';
import { buildPostbackPath, POSTBACK_PATTERN } from '../../core/paths.ts';
import { buildResponse } from '../http/buffered-response.ts';
import type { AppEnv, Handler } from '../http/route.ts';
import type { PostbackTokens } from './postback-tokens.ts';
import { buildSignatureHeader } from './webhook-signature.ts';

/** What a postback address responded to a test message. */
export interface PostbackTestResult {
  readonly isStored: boolean;
  /** Status and text of the response. */
  readonly response: string;
}

const MESSAGE = 'test=1';

/**
 * Creates the test of postback addresses: it sends what the test button of a network sends through the handler of the
 * address, signed if the partner's messages are, without leaving the process.
 */
export function createPostbackTest(options: {
  readonly handle: Handler;
  readonly readTokens: () => Promise<PostbackTokens | null>;
  /** Secrets of signed webhooks by partner. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Creates a UUID. */
  readonly newId: () => string;
}): (partner: string) => Promise<PostbackTestResult> {
  const app = new Hono<AppEnv>().post(POSTBACK_PATTERN, async (context) =>
    buildResponse(await options.handle(context)),
  );
  return async (partner) => {
    const tokens = await options.readTokens();
    if (tokens === null) return { isStored: false, response: 'it does not exist yet' };
    const secret = options.secrets.get(partner);
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...(secret === undefined ? {} : buildSignatureHeader(MESSAGE, secret)),
    };
    const path = buildPostbackPath(partner, tokens.build(partner));
    const env = { clientAddress: 'console', requestId: options.newId() };
    const response = await app.request(path, { method: 'POST', headers, body: MESSAGE }, env);
    return { isStored: response.ok, response: `${response.status} ${await response.text()}` };
  };
}
