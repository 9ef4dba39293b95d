import { z } from 'zod';
import { isAllowed } from '../../core/console/capabilities.ts';
import { CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { Settings } from '../../server/settings.ts';
import type { Operators, ShareLink } from '../../stores/operators.ts';
import type { TemporaryValues } from '../../stores/temporary-values.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { findFormerView } from '../former-views.ts';
import { parseQuery } from '../parse-query.ts';
import { readStart } from '../start/start.ts';
import { readRateSettings } from './rates.ts';
import { readTypedSettings } from './typed.ts';

function listSettingsFacts(settings: Settings) {
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
  ];
}

/** The name of a view, or of that which took it over since it was shared. */
const findViewName = (view: string) =>
  CONSOLE_VIEWS.find(({ key }) => key === (findFormerView(view)?.view ?? view))?.name ?? view;

/** Reads the page at a path of the view; null without one. */
export async function readSettingsPage(site: ConsoleSite, request: ViewRequest) {
  if (request.viewer.kind !== 'operator') return null;
  return request.rest[0] === 'start' && request.rest.length === 1
    ? readStart(site, request)
    : readSettings(site, request);
}

/** Reads operators, one-time addresses, sessions, passkeys, share links, preferences and rates. Times are ms since 1970. */
export async function readSettings(
  site: ConsoleSite,
  { viewer, rest, parameters, sessionId = '' }: ViewRequest,
) {
  if (viewer.kind !== 'operator' || rest.length > 0) return null;
  const { settings, sessions, platform, clock } = site;
  const { accounts: store, temporaryValues } = site.operators;
  const [manages, seesMoney] = [isAllowed(viewer, 'manage'), isAllowed(viewer, 'money')];
  const now = clock.now();
  const [preferences, operators, ownSessions, passkeys, links, setups, created, disk] = await Promise.all([
    store.readPreferences(),
    store.readOperators(),
    store.readSessions(viewer.id),
    store.readPasskeys(viewer.id),
    manages ? store.readShareLinks(now) : [],
    manages ? store.readSetups(now) : [],
    readCreatedAccess(store, viewer.name, now),
    platform.readDisk(),
  ]);
  return {
    page: 'settings' as const,
    /** What a person sets of the site; null unless the operator manages, and where the platform has it. */
    typed: manages ? readTypedSettings(site) : null,
    self: { id: viewer.id, name: viewer.name, capabilities: viewer.capabilities, manages, seesMoney },
    timeZone: settings.TIME_ZONE,
    preferences,
    /** Whether there is a mail server; without one no digest can be sent. */
    hasMail: settings.SMTP_URL !== '',
    /** An address that was created in this session minutes ago; null without one. */
    issued: await new IssuedAddresses(temporaryValues, clock.now).read(sessionId),
    operators: operators.map(({ id, name, capabilities, createdAt }) => ({
      id,
      name,
      capabilities,
      createdAt,
    })),
    /** One-time addresses that can be used now; empty unless the operator manages. */
    setups: setups.map(({ purpose, operatorId, name, capabilities, createdBy, expiresAt }) => ({
      purpose,
      name,
      capabilities,
      createdBy,
      expiresAt,
      isReset: operatorId !== null,
    })),
    /** Whether the operator has given the password or a passkey again, so that a passkey can be added at once. */
    isConfirmed: ownSessions.some((session) => session.id === sessionId && sessions.isConfirmed(session)),
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
    /** What the operator has given to others, which a change of the password can end. */
    created: {
      invitations: created.invitations.map(({ purpose, name }) => ({ id: purpose, name })),
      shareLinks: created.shareLinks.map(({ id, label, view }) => ({
        id,
        name: label || findViewName(view),
      })),
    },
    /** Empty unless the operator manages. */
    shareLinks: await Promise.all(links.map((link) => describeShareLink(site, link))),
    /** Null unless the operator manages and sees money. */
    rates: manages && seesMoney ? await readRateSettings(site) : null,
    shareable: CONSOLE_VIEWS.filter(({ isShareable }) => isShareable).map(({ name }) => name),
    /** The address that the form for a new share link begins with: the view the operator came from. */
    shareAddress: (parameters.get('share') ?? '').slice(0, 2_000),
    /** The last backup (null: none yet) and the free space in MB (null: not known). */
    data: { lastBackup: platform.readLastBackup(), freeMb: disk?.freeMb ?? null },
    /** What the environment has set. */
    facts: listSettingsFacts(settings),
  };
}

async function describeShareLink(
  site: ConsoleSite,
  { id, label, view, parameters, createdBy, expiresAt }: ShareLink,
) {
  return {
    id,
    label,
    createdBy,
    expiresAt,
    viewName: findViewName(view),
    /** The period, clock, model and filters that the link is limited to. */
    query: (await parseQuery(site, new URLSearchParams(parameters))).query,
  };
}

/** What an operator has given to others and is still valid. */
export async function readCreatedAccess(operators: Operators, name: string, now: number) {
  const [setups, links] = await Promise.all([operators.readSetups(now), operators.readShareLinks(now)]);
  const isOwn = ({ createdBy }: { readonly createdBy: string }) => createdBy === name;
  return { invitations: setups.filter(isOwn), shareLinks: links.filter(isOwn) };
}

const MAX_ISSUED = 50;
const MAX_AGE_MS = 5 * 60_000;
const addressSchema = z.object({ title: z.string(), url: z.string(), note: z.string() });
/** An address that is shown once because only its hash is stored. */
export type IssuedAddress = Readonly<z.output<typeof addressSchema>>;

/**
 * Secret addresses, for the session in which they were created and no other: for five minutes, or until its next change.
 * To show one changes nothing, so that no request of another tab, and no response that is lost, takes it away.
 */
export class IssuedAddresses {
  readonly #store: TemporaryValues;
  readonly #now: () => number;

  /** `now` is the wall clock in ms since 1970. */
  constructor(store: TemporaryValues, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  async put(sessionId: string, address: IssuedAddress): Promise<void> {
    const now = this.#now();
    const value = JSON.stringify(address);
    const stored = { kind: 'issued', key: sessionId, value, expiresAt: now + MAX_AGE_MS } as const;
    await this.#store.put(stored, { now, max: MAX_ISSUED });
  }

  async read(sessionId: string): Promise<IssuedAddress | null> {
    const value = await this.#store.read('issued', sessionId, this.#now());
    return addressSchema.safeParse(parseJson(value ?? '')).data ?? null;
  }

  async remove(sessionId: string): Promise<void> {
    await this.#store.take('issued', sessionId, this.#now());
  }
}
