import { CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import type {
  ConsolePreferences,
  DigestChoice,
  Operator,
  OperatorSession,
  Passkey,
  ShareLink,
} from '../../core/console/operator.ts';
import { buildConsolePath } from '../../core/paths.ts';
import type { Settings } from '../../server/settings.ts';
import type { Operators } from '../../stores/operators.ts';
import type { OperatorSessions } from '../access/sessions.ts';
import type { ConsoleQuery } from '../figures/query.ts';
import type { ActionOutcome, ViewReader, ViewRequest } from '../views.ts';
import { applySettingsChange, type IssuedAddresses, type SettingsChangeContext } from './change.ts';

/** What the settings show. Times are ms since 1970. */
export interface SettingsModel {
  readonly self: Pick<Operator, 'id' | 'name' | 'role'>;
  /** IANA time zone in which times are shown. */
  readonly timeZone: string;
  /** An address that was created just now and is shown once; null without one. */
  readonly issued: IssuedAddress | null;
  readonly operators: readonly Pick<Operator, 'id' | 'name' | 'role' | 'createdAt'>[];
  readonly sessions: readonly (Pick<OperatorSession, 'id' | 'browser' | 'createdAt' | 'usedAt'> & {
    /** The session with which the settings are read. */
    readonly isCurrent: boolean;
  })[];
  readonly passkeys: readonly Pick<Passkey, 'id' | 'label' | 'createdAt' | 'usedAt'>[];
  /** Empty for viewers. */
  readonly shareLinks: readonly (Pick<ShareLink, 'id' | 'label' | 'createdBy' | 'expiresAt'> & {
    readonly viewName: string;
    /** The period, clock, model and filters that the link is limited to. */
    readonly query: ConsoleQuery;
  })[];
  /** Names of the views that can be shared. */
  readonly shareable: readonly string[];
  /** The address that the form for a new share link begins with: the view the operator came from. */
  readonly shareAddress: string;
  readonly preferences: ConsolePreferences;
  readonly digest: DigestDelivery;
  /** What the environment has set. */
  readonly facts: readonly { readonly name: string; readonly value: string; readonly setting: string }[];
}

/** What the environment says about the digest. */
export interface DigestDelivery {
  /** The value of `DIGEST`, which applies until an owner chooses. */
  readonly byEnvironment: DigestChoice;
  /** Hour of the day at which it is sent. */
  readonly hour: number;
  /** Whether there is a mail server; without one none can be sent. */
  readonly hasMail: boolean;
}

/** An address that is shown once because only its hash is stored. */
export interface IssuedAddress {
  readonly title: string;
  readonly url: string;
  readonly note: string;
}

/** Days for which a share link can be valid. */
export const SHARE_DAYS = [1, 7, 30, 90] as const;

/** Lists the settings of the environment that the console shows. */
export function listSettingsFacts(settings: Settings): SettingsModel['facts'] {
  const listOr = (values: readonly string[], fallback: string) => values.join(', ') || fallback;
  return [
    { name: 'Days begin and end in', value: settings.TIME_ZONE, setting: 'TIME_ZONE' },
    { name: 'Public address', value: settings.SITE_URL || 'none', setting: 'SITE_URL' },
    { name: 'Console only at', value: settings.CONSOLE_HOST || 'every host', setting: 'CONSOLE_HOST' },
    {
      name: 'Console only for',
      value: listOr(settings.CONSOLE_ADDRESSES, 'every address'),
      setting: 'CONSOLE_ADDRESSES',
    },
    {
      name: 'Single visits are deleted after',
      value: `${settings.RETENTION_MONTHS} months`,
      setting: 'RETENTION_MONTHS',
    },
    {
      name: 'Networks are read every',
      value: settings.COMMISSION_SYNC_HOURS === 0 ? 'never' : `${settings.COMMISSION_SYNC_HOURS} hours`,
      setting: 'COMMISSION_SYNC_HOURS',
    },
  ];
}

export interface SettingsReaderOptions extends Omit<SettingsChangeContext, 'issue'> {
  readonly getStore: () => Operators;
  readonly sessions: OperatorSessions;
  readonly issued: IssuedAddresses;
  readonly timeZone: string;
  readonly facts: SettingsModel['facts'];
  readonly digest: SettingsModel['digest'];
  readonly parseQuery: (parameters: URLSearchParams) => Promise<{ readonly query: ConsoleQuery }>;
}

/** Reads and changes the settings: operators, sessions, passkeys, share links. */
export class SettingsReader implements ViewReader<SettingsModel> {
  readonly isOpenToViewers = true;
  readonly #options: SettingsReaderOptions;
  constructor(options: SettingsReaderOptions) {
    this.#options = options;
  }

  async read({ viewer, rest, parameters, sessionId }: ViewRequest): Promise<SettingsModel | null> {
    if (viewer.kind !== 'operator' || rest.length > 0) return null;
    const { getStore, sessions, parseQuery, now, timeZone, facts, digest } = this.#options;
    const store = getStore();
    const isOwner = viewer.role === 'owner';
    const [preferences, operators, ownSessions, passkeys, links] = await Promise.all([
      store.readPreferences(),
      store.readOperators(),
      store.readSessions(viewer.id),
      store.readPasskeys(viewer.id),
      isOwner ? store.readShareLinks(now()) : [],
    ]);
    const issued = await this.#options.issued.take(sessionId ?? '');
    return {
      self: { id: viewer.id, name: viewer.name, role: viewer.role },
      timeZone,
      preferences,
      digest,
      issued,
      operators: operators.map(({ id, name, role, createdAt }) => ({ id, name, role, createdAt })),
      sessions: ownSessions
        .filter((session) => sessions.isValid(session))
        .map(({ id, browser, createdAt, usedAt }) => ({
          id,
          browser,
          createdAt,
          usedAt,
          isCurrent: id === sessionId,
        })),
      passkeys: passkeys.map(({ id, label, createdAt, usedAt }) => ({ id, label, createdAt, usedAt })),
      shareLinks: await Promise.all(
        links.map(async ({ id, label, view, parameters: fixed, createdBy, expiresAt }) => ({
          id,
          label,
          viewName: CONSOLE_VIEWS.find(({ key }) => key === view)?.name ?? view,
          query: (await parseQuery(new URLSearchParams(fixed))).query,
          createdBy,
          expiresAt,
        })),
      ),
      shareable: CONSOLE_VIEWS.filter(({ isShareable }) => isShareable).map(({ name }) => name),
      shareAddress: (parameters.get('share') ?? '').slice(0, 2_000),
      facts,
    };
  }

  async post(form: FormData, request: ViewRequest): Promise<ActionOutcome> {
    const { viewer } = request;
    const location = buildConsolePath('settings');
    if (viewer.kind !== 'operator') return { location, message: 'Nothing was changed.', isError: true };
    const { issued } = this.#options;
    const issue = (address: IssuedAddress) => issued.put(request.sessionId ?? '', address);
    const read = (field: string) => String(form.get(field) ?? '').slice(0, 2_000);
    const context = { ...this.#options, issue };
    const outcome = await applySettingsChange(read, { viewer, sessionId: request.sessionId ?? '' }, context);
    return { location, ...outcome };
  }
}
