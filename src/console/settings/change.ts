import { z } from 'zod';
import { DAY_MS } from '../../core/clock.ts';
import { CONSOLE_VIEWS, findConsoleView } from '../../core/console/console-view.ts';
import {
  CAPABILITIES,
  type ConsoleViewer,
  DIGEST_CHOICES,
  describeCapabilities,
  isAllowed,
  parseCapabilities,
  WEEK_STARTS,
} from '../../core/console/operator.ts';
import { buildConsolePath, buildSharePath, parseConsolePath } from '../../core/paths.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { splitTarget } from '../../server/http/route.ts';
import { createSecretToken, hashSecretToken } from '../../server/http/secret-token.ts';
import type { Operators } from '../../stores/operators.ts';
import type { TemporaryValues } from '../../stores/temporary-values.ts';
import { buildConsoleOrigin } from '../access/console-host.ts';
import { findPasswordProblem, PasswordQueueError, parseOperatorName } from '../access/password.ts';
import type { ConsoleSession } from '../access/sessions.ts';
import { createSetup, SETUP_MINUTES } from '../access/setup.ts';
import { describeWait } from '../access/sign-in-limits.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { changeReportingCurrency, changeTypedRate, importRateFile, removeFileRates } from './rates.ts';

/** An address that is shown once because only its hash is stored. */
export interface IssuedAddress {
  readonly title: string;
  readonly url: string;
  readonly note: string;
}

/** Days for which a share link can be valid. */
export const SHARE_DAYS = [1, 7, 30, 90] as const;

const MAX_LABEL_LENGTH = 80;
/** Of one field. */
const MAX_VALUES = 1_000;

/** The site, and what shows an address on the next page of the operator. */
interface SettingsChangeContext {
  readonly site: ConsoleSite;
  /** All values of a field that may be there several times. */
  readonly readAll: (field: string) => readonly string[];
  readonly file: FormDataEntryValue | null;
  readonly issue: (address: IssuedAddress) => Promise<void>;
}

type Sender = { readonly viewer: ConsoleSession['viewer']; readonly sessionId: string };
type Read = (field: string) => string;
interface Result {
  readonly message: string;
  readonly isError: boolean;
  /** What the log of changes says; `message` when left out. */
  readonly note?: string;
  /** Where on the page the operator goes on. */
  readonly fragment?: string;
}
type Change = (read: Read, sender: Sender, context: SettingsChangeContext) => Promise<Result>;

const done = (message: string, note = message) => ({ message, note, isError: false });
const failed = (message: string) => ({ message, isError: true });

/** Changes that have nothing to do with access. */
const SETTINGS_ALONE: ReadonlySet<string> = new Set([
  'preferences',
  'reporting-currency',
  'import-rates',
  'remove-rates',
  'set-rate',
  'remove-rate',
]);

/**
 * What is done without asking for the password again. Sessions can be ended at once, because that gives no access and
 * may be urgent; the password form asks for the password itself; `preferences` and rates have nothing to do with access.
 */
const UNCONFIRMED: ReadonlySet<string> = new Set([
  'end-session',
  'end-other-sessions',
  'end-all-sessions',
  'change-password',
  ...SETTINGS_ALONE,
]);

/** What the page calls a change that asks for the password again. */
const PURPOSES: Readonly<Record<string, string>> = {
  invite: 'Add an operator',
  'withdraw-setup': 'Withdraw a one-time address',
  'change-capabilities': 'Change what an operator may do',
  'remove-operator': 'Remove an operator',
  share: 'Create a share link',
  'revoke-share': 'Revoke a share link',
  confirm: 'Add a passkey',
  'remove-passkey': 'Remove a passkey',
};

/** What every operator may do with what is their own. */
const OWN_CHANGES: Readonly<Record<string, Change>> = {
  'end-session': async (read, { viewer }, { site: { operators } }) =>
    (await operators.removeSession(viewer.id, read('id')))
      ? done('The session has ended.', 'Ended an own session.')
      : failed('There is no such session any more.'),
  'end-other-sessions': async (_, { viewer, sessionId }, { site: { operators } }) => {
    const count = await operators.removeSessions(viewer.id, sessionId);
    return done(
      count === 1 ? 'One other session has ended.' : `${count} other sessions have ended.`,
      'Ended the other own sessions.',
    );
  },
  'end-all-sessions': async (_, { viewer }, { site: { operators } }) => {
    await operators.removeSessions(viewer.id);
    return done('You are signed out everywhere.', 'Ended all own sessions.');
  },
  'change-password': changePassword,
  'remove-passkey': async (read, { viewer }, { site: { operators } }) =>
    (await operators.removePasskey(viewer.id, read('id')))
      ? done('The passkey no longer signs in. Delete it on your device too.', 'Removed an own passkey.')
      : failed('There is no such passkey any more.'),
  // The session is confirmed by now: the form that adds a passkey is shown next.
  confirm: async () => ({ ...done('You can add a passkey now.', ''), fragment: '#passkeys' }),
};

const NOT_ALLOWED = 'You are not allowed to change this. Nothing was changed.';

/** Each has a field of its own: the page that asks for the password repeats no name. */
const readCapabilities = (read: Read) =>
  parseCapabilities(CAPABILITIES.filter((one) => read(`can-${one}`) !== ''));

/** Changes that show or convert money. */
const MONEY_CHANGES: ReadonlySet<string> = new Set([
  'share',
  'reporting-currency',
  'import-rates',
  'remove-rates',
  'set-rate',
  'remove-rate',
]);

/** What operators who manage may do. */
const MANAGED_CHANGES: Readonly<Record<string, Change>> = {
  preferences: async (read, _, { site: { operators } }) => {
    const digest = DIGEST_CHOICES.find((choice) => choice === read('digest')) ?? 'off';
    const weekStart = WEEK_STARTS.find((choice) => choice === read('week-start'));
    if (weekStart === undefined) return failed('Choose the first day of the week.');
    await operators.writePreferences({ digest, weekStart });
    return done('The choices are stored.', 'Changed the digest and the first day of the week.');
  },
  'reporting-currency': (read, _, { site }) => changeReportingCurrency(site, read),
  'import-rates': (_, __, { site, file }) => importRateFile(site, file),
  'remove-rates': (_, __, { site }) => removeFileRates(site),
  'set-rate': (read, _, { site }) => changeTypedRate(site, read, false),
  'remove-rate': (read, _, { site }) => changeTypedRate(site, read, true),
  invite: async (read, { viewer }, { site, issue }) => {
    const { operators, clock } = site;
    const name = parseOperatorName(read('name'));
    if (name === null) return failed('Enter a name of at most 80 characters.');
    if ((await operators.findOperator(name)) !== null) return failed(`There is an operator ${name} already.`);
    const capabilities = readCapabilities(read).filter((one) => isAllowed(viewer, one));
    const path = await createSetup(
      operators,
      { kind: 'invite', name, capabilities, createdBy: viewer.name },
      clock.now(),
    );
    const note = `Valid for ${SETUP_MINUTES} minutes, once. ${SHOWN_FOR}`;
    const url = buildOrigin(site) + path;
    await issue({ title: `Address at which ${name} chooses a password`, url, note });
    return done(
      `Send ${name} the address below.`,
      `Invited ${name}, who may: ${describeCapabilities(capabilities)}.`,
    );
  },
  'withdraw-setup': async (read, _, { site: { operators } }) =>
    (await operators.removeSetup(read('id')))
      ? done(
          'The address no longer works.',
          `Withdrew a one-time address: ${read('id').replace(/^reset .*/, 'a reset')}.`,
        )
      : failed('The address was used, has expired or was withdrawn.'),
  'change-capabilities': async (read, { viewer }, { site: { operators } }) => {
    const operator = await operators.readOperator(read('id'));
    if (operator === null) return failed('There is no such operator any more.');
    const chosen = readCapabilities(read);
    // What the operator who manages does not have is neither given nor taken.
    const capabilities = parseCapabilities(
      CAPABILITIES.filter((one) => (isAllowed(viewer, one) ? chosen : operator.capabilities).includes(one)),
    );
    if (!(await operators.changeCapabilities(operator.id, capabilities)))
      return failed(`${operator.name} is the last operator who manages: let another one manage first.`);
    return done(`${operator.name} may now: ${describeCapabilities(capabilities)}.`);
  },
  'remove-operator': async (read, _, { site: { operators } }) => {
    const operator = await operators.readOperator(read('id'));
    if (operator === null) return failed('There is no such operator any more.');
    if (await operators.removeOperator(operator.id))
      return done(
        `${operator.name} can no longer sign in. Invitations and share links of ${operator.name} have ended.`,
      );
    return failed(`${operator.name} is the last operator who manages: let another one manage first.`);
  },
  share: async (read, { viewer }, { site, issue }) => {
    const { operators, newId } = site;
    const now = site.clock.now();
    const target = parseSharedAddress(read('address'));
    if (target === null)
      return failed('The address has to be that of a view which can be shared, for example /console/pages.');
    const days = SHARE_DAYS.find((choice) => String(choice) === read('days')) ?? SHARE_DAYS[1];
    const token = createSecretToken();
    const expiresAt = now + days * DAY_MS;
    const isStored = await operators.writeShareLink({
      id: newId(),
      tokenHash: hashSecretToken(token),
      ...target,
      label: read('label').trim().slice(0, MAX_LABEL_LENGTH),
      createdBy: viewer.name,
      createdAt: now,
      expiresAt,
    });
    if (!isStored) return failed(NOT_ALLOWED);
    const until = new Date(expiresAt).toISOString().slice(0, 10);
    const note = `Everyone who has it sees this view until ${until}. ${SHOWN_FOR}`;
    await issue({ title: 'Share link', url: buildOrigin(site) + buildSharePath(token), note });
    return done('The share link is below.', `Created a share link of the view ${target.view}.`);
  },
  'revoke-share': async (read, _, { site: { operators } }) =>
    (await operators.removeShareLink(read('id')))
      ? done('The share link shows nothing any more.', 'Revoked a share link.')
      : failed('There is no such share link any more.'),
};

/** Stores a new password after the current one was given; limited as attempts to sign in are. */
async function changePassword(
  read: Read,
  { viewer, sessionId }: Sender,
  { site: { operators, hasher, limits, log, clock }, readAll }: SettingsChangeContext,
) {
  const operator = await operators.readOperator(viewer.id);
  if (operator === null) return failed('There is no such operator any more.');
  const waitSeconds = await limits.takeConfirmation(sessionId);
  if (waitSeconds > 0) return failed(`Too many attempts. Try again in ${describeWait(waitSeconds)}.`);
  const password = read('password');
  const problem = findPasswordProblem(password, operator.name);
  if (problem !== null) return failed(problem);
  try {
    if (!(await hasher.verify(read('current'), operator.passwordHash))) {
      log.warn('password change refused: the current password is wrong', { operator: operator.id });
      return failed('The current password is wrong. Nothing was changed.');
    }
    const ended = {
      passkeys: readAll('passkey'),
      purposes: readAll('invitation'),
      shareLinks: readAll('share-link'),
    };
    if (!(await operators.changePassword(operator, await hasher.hash(password), sessionId, ended)))
      return failed('The password was changed elsewhere meanwhile. Nothing was changed.');
  } catch (error) {
    if (!(error instanceof PasswordQueueError)) throw error;
    return failed('Many passwords are being checked; try again shortly.');
  }
  log.info('password changed', { operator: operator.id });
  const [passkeys, access] = await Promise.all([
    operators.readPasskeys(operator.id),
    readCreatedAccess(operators, operator.name, clock.now()),
  ]);
  const left = [
    formatCount(passkeys.length, 'passkey'),
    formatCount(access.invitations.length, 'invitation'),
    formatCount(access.shareLinks.length, 'share link'),
  ].filter((text) => text !== '');
  const rest = left.length === 0 ? '' : ` Still valid: ${left.join(', ')}.`;
  return done(
    `The password is changed. All your other sessions have ended.${rest}`,
    'Changed the own password.',
  );
}

function formatCount(count: number, name: string): string {
  return count === 0 ? '' : `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** What an operator has given to others and is still valid. */
export async function readCreatedAccess(operators: Operators, name: string, now: number) {
  const [setups, links] = await Promise.all([operators.readSetups(now), operators.readShareLinks(now)]);
  const isOwn = ({ createdBy }: { readonly createdBy: string }) => createdBy === name;
  return { invitations: setups.filter(isOwn), shareLinks: links.filter(isOwn) };
}

const buildOrigin = ({ settings }: ConsoleSite) => buildConsoleOrigin(settings, settings.PORT);

/** Makes the change that a posted form asks for. Operators who manage do more than the others, who change what is their own. */
export async function changeSettings(
  site: ConsoleSite,
  form: FormData,
  { viewer, sessionId = '' }: Pick<ViewRequest, 'viewer' | 'sessionId'>,
): Promise<ActionOutcome> {
  const location = buildConsolePath('settings');
  if (viewer.kind !== 'operator') return { location, message: 'Nothing was changed.', isError: true };
  const issued = new IssuedAddresses(site.temporaryValues, site.clock.now);
  const read = (field: string) => String(form.get(field) ?? '').slice(0, 2_000);
  const issue = (address: IssuedAddress) => issued.put(sessionId, address);
  const readAll = (field: string) => form.getAll(field).slice(0, MAX_VALUES).map(String);
  await issued.remove(sessionId);
  const context = { site, issue, readAll, file: form.get('file') };
  const { fragment = '', ...outcome } = await applyChange(read, { viewer, sessionId }, context);
  const subject = SETTINGS_ALONE.has(read('action')) ? 'settings' : 'access';
  return { location: location + fragment, ...outcome, subject };
}

/** What a form asks for that gives or takes access, so that the session has to be confirmed; null when it does not. */
export function findConfirmedChange(form: FormData, viewer: ConsoleViewer): string | null {
  const action = String(form.get('action') ?? '');
  const changes = isAllowed(viewer, 'manage') ? { ...OWN_CHANGES, ...MANAGED_CHANGES } : OWN_CHANGES;
  return UNCONFIRMED.has(action) || !Object.hasOwn(changes, action)
    ? null
    : (PURPOSES[action] ?? 'Change access');
}

/** The names of all changes: of those that every operator may make, and of those of operators who manage. */
export const SETTINGS_CHANGES = { own: Object.keys(OWN_CHANGES), managed: Object.keys(MANAGED_CHANGES) };

async function applyChange(read: Read, sender: Sender, context: SettingsChangeContext): Promise<Result> {
  const action = read('action');
  const own = Object.hasOwn(OWN_CHANGES, action) ? OWN_CHANGES[action] : undefined;
  if (own !== undefined) return own(read, sender, context);
  const change = Object.hasOwn(MANAGED_CHANGES, action) ? MANAGED_CHANGES[action] : undefined;
  if (change === undefined) return failed('The form asks for nothing that can be done here.');
  const isMoney = MONEY_CHANGES.has(action);
  if (!isAllowed(sender.viewer, 'manage') || (isMoney && !isAllowed(sender.viewer, 'money')))
    return failed(NOT_ALLOWED);
  return change(read, sender, context);
}

/** The view and the parameters of an address that an operator has copied; null when it cannot be shared. */
function parseSharedAddress(text: string) {
  const address = text.trim().replace(/^https?:\/\/[^/]*/i, '');
  const [path, query] = splitTarget(address);
  const parts = parseConsolePath(path);
  const found = parts && findConsoleView(parts);
  const isShareable = CONSOLE_VIEWS.some(({ key, isShareable }) => key === found?.view && isShareable);
  if (found === null || found.rest.length > 0 || !isShareable) return null;
  return { view: found.view, parameters: new URLSearchParams(query).toString() };
}

const MAX_ISSUED = 50;
const MAX_AGE_MS = 5 * 60_000;
const SHOWN_FOR = 'It is shown in this browser for five minutes, or until the next change.';
const addressSchema = z.object({ title: z.string(), url: z.string(), note: z.string() });

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
