import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { DAY_MS } from '../../core/clock.ts';
import { CONSOLE_VIEWS, findConsoleView } from '../../core/console/console-view.ts';
import { DIGEST_CHOICES, WEEK_STARTS } from '../../core/console/operator.ts';
import { buildSharePath, parseConsolePath } from '../../core/paths.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { splitTarget } from '../../server/http/route.ts';
import { createSecretToken, hashSecretToken } from '../../server/http/secret-token.ts';
import type { Log } from '../../server/log.ts';
import type { Operators } from '../../stores/operators.ts';
import type { TemporaryValues } from '../../stores/temporary-values.ts';
import {
  findPasswordProblem,
  type PasswordHasher,
  PasswordQueueError,
  parseOperatorName,
} from '../access/passwords.ts';
import type { ConsoleSession } from '../access/sessions.ts';
import { createSetup, SETUP_MINUTES } from '../access/setup.ts';
import { describeWait, type SignInLimits } from '../access/sign-in.ts';
import { type IssuedAddress, SHARE_DAYS } from './read.ts';

const MAX_LABEL_LENGTH = 80;

/** What the changes of settings work with. */
export interface SettingsChangeContext {
  readonly getStore: () => Operators;
  /** Origin of the addresses that are created. */
  readonly origin: string;
  /** Wall clock in ms since 1970. */
  readonly now: () => number;
  readonly hasher: PasswordHasher;
  readonly limits: SignInLimits;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Shows an address on the next page of the operator. */
  readonly issue: (address: IssuedAddress) => Promise<void>;
}

type Sender = { readonly viewer: ConsoleSession['viewer']; readonly sessionId: string };
type Read = (field: string) => string;
type Change = (
  read: Read,
  sender: Sender,
  context: SettingsChangeContext,
) => Promise<{ readonly message: string; readonly isError: boolean }>;

const done = (message: string) => ({ message, isError: false });
const failed = (message: string) => ({ message, isError: true });

/** What every operator may do with what is their own. */
const OWN_CHANGES: Readonly<Record<string, Change>> = {
  'end-session': async (read, { viewer }, { getStore }) =>
    (await getStore().removeSession(viewer.id, read('id')))
      ? done('The session has ended.')
      : failed('There is no such session any more.'),
  'end-other-sessions': async (_, { viewer, sessionId }, { getStore }) => {
    const count = await getStore().removeSessions(viewer.id, sessionId);
    return done(count === 1 ? 'One other session has ended.' : `${count} other sessions have ended.`);
  },
  'end-all-sessions': async (_, { viewer }, { getStore }) => {
    await getStore().removeSessions(viewer.id);
    return done('You are signed out everywhere.');
  },
  'change-password': changePassword,
  'remove-passkey': async (read, { viewer }, { getStore }) =>
    (await getStore().removePasskey(viewer.id, read('id')))
      ? done('The passkey no longer signs in. Delete it on your device too.')
      : failed('There is no such passkey any more.'),
};

/** What owners alone may do. */
const OWNER_CHANGES: Readonly<Record<string, Change>> = {
  preferences: async (read, _, { getStore }) => {
    const digest = DIGEST_CHOICES.find((choice) => choice === read('digest')) ?? null;
    const weekStart = WEEK_STARTS.find((choice) => choice === read('week-start'));
    if (weekStart === undefined) return failed('Choose the first day of the week.');
    await getStore().writePreferences({ digest, weekStart });
    return done('The choices are stored.');
  },
  invite: async (read, _, { getStore, origin, now, issue }) => {
    const name = parseOperatorName(read('name'));
    if (name === null) return failed('Enter a name of at most 80 characters.');
    if ((await getStore().findOperator(name)) !== null)
      return failed(`There is an operator ${name} already.`);
    const role = read('role') === 'owner' ? 'owner' : 'viewer';
    const url = origin + (await createSetup(getStore(), { kind: 'invite', name, role }, now()));
    const note = `Valid for ${SETUP_MINUTES} minutes, once. It is not shown again.`;
    await issue({ title: `Address at which ${name} chooses a password`, url, note });
    return done(`Send ${name} the address below.`);
  },
  'remove-operator': async (read, _, { getStore }) => {
    const operator = await getStore().readOperator(read('id'));
    if (operator === null) return failed('There is no such operator any more.');
    if (await getStore().removeOperator(operator.id)) return done(`${operator.name} can no longer sign in.`);
    return failed(`${operator.name} is the last owner: add another one first.`);
  },
  share: async (read, { viewer }, { getStore, origin, now, issue }) => {
    const target = parseSharedAddress(read('address'));
    if (target === null)
      return failed('The address has to be that of a view which can be shared, for example /console/pages.');
    const days = SHARE_DAYS.find((choice) => String(choice) === read('days')) ?? SHARE_DAYS[1];
    const token = createSecretToken();
    const expiresAt = now() + days * DAY_MS;
    await getStore().writeShareLink({
      id: randomUUID(),
      tokenHash: hashSecretToken(token),
      ...target,
      label: read('label').trim().slice(0, MAX_LABEL_LENGTH),
      createdBy: viewer.name,
      createdAt: now(),
      expiresAt,
    });
    const until = new Date(expiresAt).toISOString().slice(0, 10);
    const note = `Everyone who has it sees this view until ${until}. It is not shown again.`;
    await issue({ title: 'Share link', url: origin + buildSharePath(token), note });
    return done('The share link is below.');
  },
  'revoke-share': async (read, _, { getStore }) =>
    (await getStore().removeShareLink(read('id')))
      ? done('The share link shows nothing any more.')
      : failed('There is no such share link any more.'),
};

/** Stores a new password after the current one was given; limited as attempts to sign in are. */
async function changePassword(
  read: Read,
  { viewer, sessionId }: Sender,
  { getStore, hasher, limits, log }: SettingsChangeContext,
) {
  const operator = await getStore().readOperator(viewer.id);
  if (operator === null) return failed('There is no such operator any more.');
  const waitSeconds = await limits.take('', operator.id);
  if (waitSeconds > 0) return failed(`Too many attempts. Try again in ${describeWait(waitSeconds)}.`);
  const password = read('password');
  const problem = findPasswordProblem(password, operator.name);
  if (problem !== null) return failed(problem);
  try {
    if (!(await hasher.verify(read('current'), operator.passwordHash))) {
      log.warn('password change refused: the current password is wrong', { operator: operator.id });
      return failed('The current password is wrong. Nothing was changed.');
    }
    if (!(await getStore().changePassword(operator.id, await hasher.hash(password), sessionId)))
      return failed('There is no such operator any more.');
  } catch (error) {
    if (!(error instanceof PasswordQueueError)) throw error;
    return failed('Many passwords are being checked; try again shortly.');
  }
  log.info('password changed', { operator: operator.id });
  return done('The password is changed. All your other sessions have ended.');
}

/** Makes the change that a posted form asks for. */
export async function applySettingsChange(read: Read, sender: Sender, context: SettingsChangeContext) {
  const action = read('action');
  const own = Object.hasOwn(OWN_CHANGES, action) ? OWN_CHANGES[action] : undefined;
  if (own !== undefined) return own(read, sender, context);
  const change = Object.hasOwn(OWNER_CHANGES, action) ? OWNER_CHANGES[action] : undefined;
  if (change === undefined) return failed('The form asks for nothing that can be done here.');
  if (sender.viewer.role !== 'owner') return failed('Only an owner can change this. Nothing was changed.');
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
const addressSchema = z.object({ title: z.string(), url: z.string(), note: z.string() });

/** Secret addresses for the next page of the session in which they were created: shown once, within five minutes. */
export class IssuedAddresses {
  readonly #getStore: () => TemporaryValues;
  readonly #now: () => number;

  /** `now` is the wall clock in ms since 1970. */
  constructor(getStore: () => TemporaryValues, now: () => number) {
    this.#getStore = getStore;
    this.#now = now;
  }

  async put(sessionId: string, address: IssuedAddress): Promise<void> {
    const now = this.#now();
    const value = JSON.stringify(address);
    const stored = { kind: 'issued', key: sessionId, value, expiresAt: now + MAX_AGE_MS } as const;
    await this.#getStore().put(stored, { now, max: MAX_ISSUED });
  }

  async take(sessionId: string): Promise<IssuedAddress | null> {
    const store = this.#getStore();
    const now = this.#now();
    if ((await store.read('issued', sessionId, now)) === null) return null;
    const value = await store.take('issued', sessionId, now);
    return addressSchema.safeParse(parseJson(value ?? '')).data ?? null;
  }
}
