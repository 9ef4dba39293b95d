import { randomUUID } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { ConsoleViewer } from '../../core/console/capabilities.ts';
import type { Operator, OperatorSession, Operators } from '../../stores/operators.ts';
import type { Settings } from '../settings.ts';
import { createSecretToken, deriveFromToken, hashSecretToken, isSecretToken } from './secret-token.ts';

const HOUR_MS = 3_600_000;
const IDLE_MS = 12 * HOUR_MS;
const MAX_AGE_MS = 30 * 24 * HOUR_MS;
/** For how long a confirmation counts. */
export const CONFIRMED_MINUTES = 10;
/** For how long a sign-in or a confirmation is enough to change content. */
export const RECENT_HOURS = 12;
/** The time of the last use is stored at most this often. */
const TOUCH_MS = 60_000;
/** How long it is remembered whether there is an operator; `signpost operator` runs in a process of its own. */
const OPERATOR_CHECK_MS = 1_000;

/** What sessions are stored in and checked with. */
interface SessionParts {
  readonly operators: { readonly accounts: Operators };
  readonly settings: Settings;
  readonly clock: Clock;
  /** Expired sessions and links are removed by this time; none is while it is null. */
  readonly visitors: { readonly trustedTime: { read(): Promise<number | null> } };
}

/** A session of an operator, read from the cookie of a request. */
export interface ConsoleSession {
  /** Names the session in lists; no secret. */
  readonly id: string;
  readonly viewer: Extract<ConsoleViewer, { kind: 'operator' }>;
  /** Part of every form that the session may post. */
  readonly formToken: string;
  /** The operator has given the password or a passkey again in the last minutes. */
  readonly isConfirmed: boolean;
  /** The operator has signed in, or given the password or a passkey again, in the last hours. */
  readonly isRecent: boolean;
  /** The header that sets the cookie of a session that begins with this request. */
  readonly cookie?: string;
}

/** The session of whoever opens the console of a demo: it is in the cookie alone, and may look at everything. */
const buildVisit = (token: string): ConsoleSession => ({
  id: hashSecretToken(token),
  viewer: { kind: 'operator', id: 'visitor', name: 'Visitor', capabilities: ['money'] },
  formToken: deriveFromToken(token, 'form'),
  isConfirmed: false,
  isRecent: false,
});

/** Sessions of operators: a random token in a cookie, its hash in the store. */
export class OperatorSessions {
  readonly #site: SessionParts;
  /** The site is served over TLS: the cookie is sent over nothing else. */
  readonly #isSecure: boolean;
  readonly #cookie: string;
  #hasOperator = false;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(site: SessionParts) {
    this.#site = site;
    this.#isSecure = site.settings.siteUrl.startsWith('https:');
    // Browsers take the prefix as a promise: set over TLS, for this host alone, for every path.
    this.#cookie = this.#isSecure ? '__Host-operator' : 'operator';
  }

  /** Whether there is an operator who could sign in. */
  async hasOperator(): Promise<boolean> {
    if (this.#site.settings.DEMO) return true;
    if (!this.hasStore()) return false;
    const now = this.#site.clock.now();
    if (Math.abs(now - this.#checkedAt) > OPERATOR_CHECK_MS) {
      this.#hasOperator = (await this.#site.operators.accounts.readOperators()).length > 0;
      this.#checkedAt = now;
    }
    return this.#hasOperator;
  }

  /** Whether there is a store at all. */
  hasStore(): boolean {
    return this.#site.operators.accounts.exists();
  }

  /**
   * Starts a session in place of the one that the request came with; returns the header that sets its cookie. null when
   * the operator, who was read before, was removed or has got another password meanwhile.
   */
  async start(request: Request, operator: Operator): Promise<string | null> {
    const store = this.#site.operators.accounts;
    await this.end(request);
    const token = createSecretToken();
    const now = this.#site.clock.now();
    const session = {
      id: randomUUID(),
      tokenHash: hashSecretToken(token),
      operatorId: operator.id,
      browser: buildBrowserName(request.headers.get('user-agent') ?? ''),
      createdAt: now,
      usedAt: now,
    };
    if (!(await store.writeSession(session, operator.passwordHash))) return null;
    const trusted = await this.#site.visitors.trustedTime.read();
    if (trusted !== null) await store.removeExpired(trusted - MAX_AGE_MS, trusted);
    this.#checkedAt = Number.NEGATIVE_INFINITY;
    return this.#buildCookie(token, MAX_AGE_MS / 1_000);
  }

  /** Ends the session of a request; returns the header that removes its cookie. */
  async end(request: Request): Promise<string> {
    const found = await this.#find(request);
    if (found !== null)
      await this.#site.operators.accounts.removeSession(found.operator.id, found.session.id);
    return this.#buildCookie('', 0);
  }

  /** The valid session of a request; null without one. */
  async readSession(request: Request): Promise<ConsoleSession | null> {
    if (this.#site.settings.DEMO) {
      const given = readCookie(request.headers.get('cookie') ?? '', this.#cookie);
      if (isSecretToken(given)) return buildVisit(given);
      const token = createSecretToken();
      return { ...buildVisit(token), cookie: this.#buildCookie(token, IDLE_MS / 1_000) };
    }
    const found = await this.#find(request);
    if (found === null || !this.isValid(found.session)) return null;
    const { session, operator, token } = found;
    const now = this.#site.clock.now();
    if (now - session.usedAt > TOUCH_MS) await this.#site.operators.accounts.touchSession(session.id, now);
    const { id, name, capabilities } = operator;
    return {
      id: session.id,
      viewer: { kind: 'operator', id, name, capabilities },
      formToken: deriveFromToken(token, 'form'),
      isConfirmed: this.isConfirmed(session),
      isRecent: [session.createdAt, session.confirmedAt ?? 0].some(
        (time) => time <= now && now - time < RECENT_HOURS * HOUR_MS,
      ),
    };
  }

  /** Notes that the operator of a session has given the password or a passkey again; false when it has ended. */
  confirm(sessionId: string): Promise<boolean> {
    return this.#site.operators.accounts.confirmSession(sessionId, this.#site.clock.now());
  }

  /** Whether the last confirmation of a session still counts. One from a clock that was ahead does not. */
  isConfirmed({ confirmedAt }: OperatorSession): boolean {
    const now = this.#site.clock.now();
    return confirmedAt !== null && confirmedAt <= now && now - confirmedAt < CONFIRMED_MINUTES * 60_000;
  }

  /** Whether a session can still be used. */
  isValid({ createdAt, usedAt }: OperatorSession): boolean {
    const now = this.#site.clock.now();
    return now - usedAt <= IDLE_MS && now - createdAt <= MAX_AGE_MS;
  }

  /**
   * The operator who was signed in with this browser before, even if the session is too old to be used. Attempts of
   * such a browser do not share a limit with those of the rest of the world.
   */
  async findFormerOperator(request: Request): Promise<string | null> {
    return (await this.#find(request))?.operator.id ?? null;
  }

  async #find(request: Request) {
    const token = readCookie(request.headers.get('cookie') ?? '', this.#cookie);
    if (!isSecretToken(token) || !this.hasStore()) return null;
    const found = await this.#site.operators.accounts.findSession(hashSecretToken(token));
    return found && { ...found, token };
  }

  #buildCookie(token: string, seconds: number): string {
    const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
    if (this.#isSecure) attributes.push('Secure');
    return [`${this.#cookie}=${token}`, ...attributes].join('; ');
  }
}

function readCookie(header: string, name: string): string {
  for (const part of header.split(';')) {
    const [key = '', value = ''] = part.split('=', 2);
    if (key.trim() === name) return value.trim();
  }
  return '';
}

/** Browsers by a product of their user agent. Most name those before them too, so the first that is found counts. */
const BROWSERS: readonly (readonly [product: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['EdgA', 'Edge'],
  ['EdgiOS', 'Edge'],
  ['OPR', 'Opera'],
  ['OPT', 'Opera'],
  ['Vivaldi', 'Vivaldi'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['HeadlessChrome', 'Headless Chrome'],
  ['Chrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  // Every other browser calls itself Safari as well; Safari alone gives its version apart from that of its engine.
  ['Version', 'Safari'],
];

const SYSTEMS = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** What a list of sessions calls a browser: `Firefox on Linux`. */
export function buildBrowserName(userAgent: string): string {
  const comments = [...userAgent.matchAll(/\(([^)]*)\)/g)].map(([, text = '']) => text).join(' ');
  const products = new Set(
    [...userAgent.replaceAll(/\([^)]*\)/g, ' ').matchAll(/(?:^|\s)([\w.-]+)\/\d/g)].map(([, name]) => name),
  );
  const browser = BROWSERS.find(([product]) => products.has(product))?.[1] ?? 'A browser';
  const system = SYSTEMS.find(([pattern]) => pattern.test(comments))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
