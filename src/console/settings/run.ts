import type { z } from 'zod';
import { DAY_MS } from '../../core/clock.ts';
import {
  CAPABILITIES,
  type Capability,
  type ConsoleViewer,
  describeCapabilities,
  isAllowed,
  parseCapabilities,
} from '../../core/console/capabilities.ts';
import { CONSOLE_VIEWS, findConsoleView } from '../../core/console/console-view.ts';
import { DIGEST_CHOICES } from '../../core/console/operator.ts';
import { buildConsolePath, buildSharePath, parseConsolePath } from '../../core/paths.ts';
import { splitTarget } from '../../server/http/route.ts';
import { createSecretToken, hashSecretToken } from '../../server/http/secret-token.ts';
import { buildConsoleOrigin } from '../access/console-host.ts';
import { findPasswordProblem, PasswordQueueError, parseOperatorName } from '../access/password.ts';
import { createSetup } from '../access/setup.ts';
import { describeWait } from '../access/sign-in-limits.ts';
import { type accessActions, type Handlers, SHARE_DAYS, type settingActions } from '../actions.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { formatCount } from '../reports/format.ts';
import {
  changeReportingCurrency,
  changeTypedRate,
  importRateFile,
  removeFileRates,
  removeTypedRate,
} from './rates.ts';
import { type IssuedAddress, IssuedAddresses, readCreatedAccess } from './read.ts';
import { changeMail, changeOthers, changeSiteAddress, testMail } from './typed.ts';

/** What a change did: `note` is for the log, `message` when left out; `fragment` is where on the page the operator goes on. */
interface Result {
  readonly message: string;
  readonly isError: boolean;
  readonly note?: string;
  readonly fragment?: string;
}
interface Sender {
  readonly viewer: Extract<ConsoleViewer, { kind: 'operator' }>;
  readonly sessionId: string;
  /** Shows an address on the next page of the operator. */
  readonly issue: (address: IssuedAddress) => Promise<void>;
}

/** Makes a change of an operator; addresses that were created before are not shown any more. */
const change =
  <Fields>(run: (site: ConsoleSite, fields: Fields, sender: Sender) => Promise<Result>) =>
  async (
    site: ConsoleSite,
    fields: Fields,
    { viewer, sessionId = '' }: ViewRequest,
  ): Promise<ActionOutcome> => {
    const location = buildConsolePath('settings');
    if (viewer.kind !== 'operator') return { location, message: 'Nothing was changed.', isError: true };
    const issued = new IssuedAddresses(site.operators.temporaryValues, site.clock.now);
    await issued.remove(sessionId);
    const issue = (address: IssuedAddress) => issued.put(sessionId, address);
    const { fragment = '', ...outcome } = await run(site, fields, { viewer, sessionId, issue });
    return { location: location + fragment, ...outcome };
  };

const done = (message: string, note = message) => ({ message, note, isError: false });
const failed = (message: string) => ({ message, isError: true });
const NOT_ALLOWED = 'You are not allowed to change this. Nothing was changed.';
const SHOWN_FOR = 'It is shown in this browser for five minutes, or until the next change.';

const readCapabilities = (fields: Readonly<Record<`can-${Capability}`, string>>) =>
  parseCapabilities(CAPABILITIES.filter((one) => fields[`can-${one}`] !== ''));

type Fields<Name extends keyof typeof accessActions.actions> = z.output<
  (typeof accessActions.actions)[Name]['fields']
>;

/** Changes of what gives access: of the operator's own, and of that of others. */
export const runAccess: Handlers<typeof accessActions.actions> = {
  'end-session': change(
    async ({ operators: { accounts: operators } }, { id }: Fields<'end-session'>, { viewer }) =>
      (await operators.removeSession(viewer.id, id))
        ? done('The session has ended.', 'Ended an own session.')
        : failed('There is no such session any more.'),
  ),
  'end-other-sessions': change(async ({ operators: { accounts: operators } }, _, { viewer, sessionId }) => {
    const count = await operators.removeSessions(viewer.id, sessionId);
    return done(
      count === 1 ? 'One other session has ended.' : `${count} other sessions have ended.`,
      'Ended the other own sessions.',
    );
  }),
  'end-all-sessions': change(async ({ operators: { accounts: operators } }, _, { viewer }) => {
    await operators.removeSessions(viewer.id);
    return done('You are signed out everywhere.', 'Ended all own sessions.');
  }),
  'change-password': change(changePassword),
  'remove-passkey': change(
    async ({ operators: { accounts: operators } }, { id }: Fields<'end-session'>, { viewer }) =>
      (await operators.removePasskey(viewer.id, id))
        ? done('The passkey no longer signs in. Delete it on your device too.', 'Removed an own passkey.')
        : failed('There is no such passkey any more.'),
  ),
  // The session is confirmed by now: the form that adds a passkey is shown next.
  confirm: change(async () => ({ ...done('You can add a passkey now.', ''), fragment: '#passkeys' })),
  invite: change(async (site, fields: Fields<'invite'>, { viewer, issue }) => {
    const { clock } = site;
    const { accounts: operators } = site.operators;
    const name = parseOperatorName(fields.name);
    if (name === null) return failed('Enter a name of at most 80 characters.');
    if ((await operators.findOperator(name)) !== null) return failed(`There is an operator ${name} already.`);
    const capabilities = readCapabilities(fields).filter((one) => isAllowed(viewer, one));
    const path = await createSetup(
      operators,
      { kind: 'invite', name, capabilities, createdBy: viewer.name },
      clock.now(),
    );
    const note = `Valid for a day, once. ${SHOWN_FOR}`;
    const url = buildOrigin(site) + path;
    await issue({ title: `Address at which ${name} chooses a password`, url, note });
    return done(
      `Send ${name} the address below.`,
      `Invited ${name}, who may: ${describeCapabilities(capabilities)}.`,
    );
  }),
  'withdraw-setup': change(async ({ operators: { accounts: operators } }, { id }: Fields<'end-session'>) =>
    (await operators.removeSetup(id))
      ? done(
          'The address no longer works.',
          `Withdrew a one-time address: ${id.replace(/^reset .*/, 'a reset')}.`,
        )
      : failed('The address was used, has expired or was withdrawn.'),
  ),
  'change-capabilities': change(
    async ({ operators: { accounts: operators } }, fields: Fields<'change-capabilities'>, { viewer }) => {
      const operator = await operators.readOperator(fields.id);
      if (operator === null) return failed('There is no such operator any more.');
      const chosen = readCapabilities(fields);
      // What the operator who manages does not have is neither given nor taken.
      const capabilities = parseCapabilities(
        CAPABILITIES.filter((one) => (isAllowed(viewer, one) ? chosen : operator.capabilities).includes(one)),
      );
      if (!(await operators.changeCapabilities(operator.id, capabilities)))
        return failed(`${operator.name} is the last operator who manages: let another one manage first.`);
      return done(`${operator.name} may now: ${describeCapabilities(capabilities)}.`);
    },
  ),
  'remove-operator': change(async ({ operators: { accounts: operators } }, { id }: Fields<'end-session'>) => {
    const operator = await operators.readOperator(id);
    if (operator === null) return failed('There is no such operator any more.');
    if (await operators.removeOperator(operator.id))
      return done(
        `${operator.name} can no longer sign in. Invitations and share links of ${operator.name} have ended.`,
      );
    return failed(`${operator.name} is the last operator who manages: let another one manage first.`);
  }),
  share: change(async (site, fields: Fields<'share'>, { viewer, issue }) => {
    const { newId } = site;
    const { accounts: operators } = site.operators;
    const now = site.clock.now();
    const target = parseSharedAddress(fields.address);
    if (target === null)
      return failed('The address has to be that of a view which can be shared, for example /console/pages.');
    const days = SHARE_DAYS.find((choice) => String(choice) === fields.days) ?? SHARE_DAYS[1];
    const token = createSecretToken();
    const expiresAt = now + days * DAY_MS;
    const isStored = await operators.writeShareLink({
      id: newId(),
      tokenHash: hashSecretToken(token),
      ...target,
      label: fields.label,
      createdBy: viewer.name,
      createdAt: now,
      expiresAt,
    });
    if (!isStored) return failed(NOT_ALLOWED);
    const until = new Date(expiresAt).toISOString().slice(0, 10);
    const note = `Everyone who has it sees this view until ${until}. ${SHOWN_FOR}`;
    await issue({ title: 'Share link', url: buildOrigin(site) + buildSharePath(token), note });
    return done('The share link is below.', `Created a share link of the view ${target.view}.`);
  }),
  'revoke-share': change(async ({ operators: { accounts: operators } }, { id }: Fields<'end-session'>) =>
    (await operators.removeShareLink(id))
      ? done('The share link shows nothing any more.', 'Revoked a share link.')
      : failed('There is no such share link any more.'),
  ),
};

type Typed<Name extends keyof typeof settingActions.actions> = z.output<
  (typeof settingActions.actions)[Name]['fields']
>;

/** Changes of the choices for all operators, and of exchange rates. */
export const runSettings: Handlers<typeof settingActions.actions> = {
  preferences: change(
    async (
      { operators: { accounts: operators } },
      fields: z.output<(typeof settingActions.actions)['preferences']['fields']>,
    ) => {
      const digest = DIGEST_CHOICES.find((choice) => choice === fields.digest) ?? 'off';
      await operators.writePreferences({ digest, weekStart: fields['week-start'] });
      return done('The choices are stored.', 'Changed the digest and the first day of the week.');
    },
  ),
  // The session is confirmed by now: the forms are shown next.
  'unlock-settings': change(async (_, { at }: Typed<'unlock-settings'>) => ({
    ...done('You can change the settings now.', ''),
    fragment: `#${at}`,
  })),
  'check-address': change((site, fields: Typed<'check-address'>, { viewer }) =>
    changeSiteAddress(site, fields, viewer.name),
  ),
  'save-mail': change(async (site, fields: Typed<'save-mail'>, { viewer }) =>
    changeMail(site, fields, viewer.name),
  ),
  'test-mail': change(testMail),
  'save-settings': change(async (site, fields: Typed<'save-settings'>, { viewer }) =>
    changeOthers(site, fields, viewer.name),
  ),
  'reporting-currency': change(changeReportingCurrency),
  'import-rates': change(importRateFile),
  'remove-rates': change(removeFileRates),
  'set-rate': change(changeTypedRate),
  'remove-rate': change(removeTypedRate),
};

/** Stores a new password after the current one was given; limited as attempts to sign in are. */
async function changePassword(
  { hasher, limits, log, clock, operators: { accounts: operators } }: ConsoleSite,
  fields: Fields<'change-password'>,
  { viewer, sessionId }: Sender,
) {
  const operator = await operators.readOperator(viewer.id);
  if (operator === null) return failed('There is no such operator any more.');
  const waitSeconds = await limits.takeConfirmation(sessionId);
  if (waitSeconds > 0) return failed(`Too many attempts. Try again in ${describeWait(waitSeconds)}.`);
  const { password } = fields;
  const problem = findPasswordProblem(password, operator.name);
  if (problem !== null) return failed(problem);
  try {
    if (!(await hasher.verify(fields.current, operator.passwordHash))) {
      log.warn('password change refused: the current password is wrong', { operator: operator.id });
      return failed('The current password is wrong. Nothing was changed.');
    }
    const ended = {
      passkeys: fields.passkey,
      purposes: fields.invitation,
      shareLinks: fields['share-link'],
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
  ].filter((text) => !text.startsWith('0 '));
  const rest = left.length === 0 ? '' : ` Still valid: ${left.join(', ')}.`;
  return done(
    `The password is changed. All your other sessions have ended.${rest}`,
    'Changed the own password.',
  );
}

const buildOrigin = ({ settings }: ConsoleSite) => buildConsoleOrigin(settings, settings.PORT);

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
