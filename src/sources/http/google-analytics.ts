import type { AnalyticsSender } from '../../core/commissions/build-analytics-messages.ts';

const DEFAULT_ENDPOINT = 'https://www.google-analytics.com';
/** The process waits for it when it ends. */
const TIMEOUT_MS = 5_000;
/** Errors before a connection was made. */
const NOT_CONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Sends events through the Measurement Protocol of Google Analytics 4. */
export function createGoogleAnalyticsSender(settings: {
  /** Address; that of Google when empty. */
  readonly endpoint: string;
  readonly measurementId: string;
  readonly secret: string;
  /** For tests; 5 s when left out. */
  readonly timeoutMs?: number;
}): AnalyticsSender {
  const { endpoint, measurementId, secret, timeoutMs = TIMEOUT_MS } = settings;
  const url = new URL('/mp/collect', endpoint || DEFAULT_ENDPOINT);
  url.searchParams.set('measurement_id', measurementId);
  url.searchParams.set('api_secret', secret);
  return async (body) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      return response.ok ? 'sent' : 'refused';
    } catch (error) {
      return NOT_CONNECTED.test(readCode(error)) ? 'refused' : 'unknown';
    }
  };
}

/** The code of the network error behind the one of `fetch`; empty without one. */
function readCode(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
}
