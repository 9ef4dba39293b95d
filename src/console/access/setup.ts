import { randomBytes } from 'node:crypto';
import { CAPABILITIES, type Capability } from '../../core/console/capabilities.ts';
import { buildConsolePath, buildSetupPath, CONSOLE_PATH, CONSOLE_SIGN_IN_PATH } from '../../core/paths.ts';
import { nameCommand } from '../../core/text/name-command.ts';
import { isSameOrigin } from '../../server/http/same-origin.ts';
import { createSecretToken, hashSecretToken, isSecretToken } from '../../server/http/secret-token.ts';
import { findOnlySite } from '../../server/outbound/beside.ts';
import {
  type Operator,
  type OperatorSetup,
  OperatorStoreError,
  type Operators,
} from '../../stores/operators.ts';
import { noteActivity } from '../activity/note-activity.ts';
import type { SetupPage } from '../console-page.ts';
import type { ConsoleSite } from '../console-site.ts';
import { buildConsoleRedirect, type ConsoleRequest, readConsoleForm } from '../http.ts';
import { isUntouched } from '../start/start.ts';
import { START_PATH } from '../start/steps.ts';
import { getConsoleOrigin, isConfidential, NOT_CONFIDENTIAL } from './console-host.ts';
import { findPasswordProblem, PasswordQueueError, parseOperatorName } from './password.ts';

export const SETUP_MINUTES = 15;
/** An invitation waits for a person, and gives nothing that the one who invites cannot take back. */
const INVITATION_MINUTES = 24 * 60;

/** Who sets a password at a one-time address: the first operator, a new operator, or one who has forgotten it. */
export type SetupPurpose =
  | { readonly kind: 'first' }
  | {
      readonly kind: 'invite';
      readonly name: string;
      readonly capabilities: readonly Capability[];
      /** Name of the operator who invites, with whom the address ends; empty for the command line. */
      readonly createdBy: string;
    }
  | { readonly kind: 'reset'; readonly operator: Operator };

/**
 * Creates a one-time address, valid for `SETUP_MINUTES`, an invitation for a day; the one with the same purpose is no
 * longer valid. Returns its path, which is the secret. Rejects with `OperatorStoreError`: `not-allowed` when the one who
 * invites may not any more.
 */
export async function createSetup(store: Operators, purpose: SetupPurpose, now: number): Promise<string> {
  const token = createSecretToken();
  const isStored = await store.writeSetup({
    tokenHash: hashSecretToken(token),
    expiresAt: now + (purpose.kind === 'invite' ? INVITATION_MINUTES : SETUP_MINUTES) * 60_000,
    ...describePurpose(purpose),
  });
  if (!isStored) throw new OperatorStoreError('not-allowed', 'the operator may not create an invitation');
  return buildSetupPath(token);
}

/**
 * The path at which the operator begins: the console, or a new one-time address while there is no operator. Rejects
 * with `OperatorStoreError`.
 */
export async function createEntryPath(store: Operators, now: number): Promise<string> {
  const operators = await store.readOperators();
  return operators.length > 0 ? CONSOLE_PATH : createSetup(store, { kind: 'first' }, now);
}

function describePurpose(purpose: SetupPurpose) {
  switch (purpose.kind) {
    case 'first':
      return { purpose: 'first', operatorId: null, name: '', capabilities: CAPABILITIES, createdBy: '' };
    case 'invite':
      return {
        purpose: `invite ${purpose.name}`,
        operatorId: null,
        name: purpose.name,
        capabilities: purpose.capabilities,
        createdBy: purpose.createdBy,
      };
    case 'reset': {
      const { id, name, capabilities } = purpose.operator;
      return { purpose: `reset ${id}`, operatorId: id, name, capabilities, createdBy: '' };
    }
  }
}

const MAX_FORM_BYTES = 16_384;

/**
 * Responds at a one-time address. Without an operator every address but a valid one responds as if there were no
 * console; opening the page uses nothing up, so that a program which previews links breaks no address.
 */
export async function setUpOperator(site: ConsoleSite, request: ConsoleRequest): Promise<Response | null> {
  const { sessions, clock } = site;
  const { accounts: operators } = site.operators;
  const { context, parts } = request;
  const [, token = ''] = parts;
  const isPossible = parts.length === 2 && isSecretToken(token) && sessions.hasStore();
  const setup = isPossible ? await operators.findSetup(hashSecretToken(token), clock.now()) : null;
  if (setup === null) return refuse(site, request);
  const page: SetupPage = {
    kind: 'setup',
    siteName: site.content.read().site.name,
    action: buildSetupPath(token),
    name: setup.name,
    isNew: setup.operatorId === null,
    error: isConfidential(site, context.req.raw) ? null : NOT_CONFIDENTIAL,
  };
  return context.req.method === 'POST' ? submit(site, request, setup, page) : request.render(page);
}

async function submit(
  site: ConsoleSite,
  request: ConsoleRequest,
  setup: OperatorSetup,
  page: SetupPage,
): Promise<Response | null> {
  const { sessions, settings, clock, log } = site;
  const { accounts: operators } = site.operators;
  const { context, render } = request;
  const { raw } = context.req;
  if (!isSameOrigin(raw.headers, getConsoleOrigin(settings)))
    return render({ ...page, error: 'The form was sent by another site.' }, 403);
  if (!isConfidential(site, raw)) return render(page, 403);
  const form = await readConsoleForm(raw, MAX_FORM_BYTES);
  const given = String(form.get('name') ?? '');
  const name = setup.operatorId === null ? parseOperatorName(given) : setup.name;
  const fail = (error: string, status = 422) =>
    render({ ...page, name: page.isNew ? given.slice(0, 80) : page.name, error }, status);
  if (name === null) return fail('Enter a name of at most 80 characters.');
  const password = String(form.get('password') ?? '');
  const problem = findPasswordProblem(password, name);
  if (problem !== null) return fail(problem);
  try {
    const operator = await buildOperator(site, setup, name, password);
    if (operator === null || !(await operators.completeSetup(setup.tokenHash, operator, clock.now())))
      return refuse(site, request);
    log.info('password set at a one-time address', {
      requestId: context.env.requestId,
      operator: operator.id,
    });
    const note = page.isNew ? 'Joined at a one-time address.' : 'Set a password at a one-time address.';
    await noteActivity(site, { kind: 'operator', ...operator }, 'access', note);
    const cookie = await sessions.start(raw, operator);
    // What is left after a reset is in the settings.
    const path = !page.isNew
      ? buildConsolePath('settings')
      : setup.purpose === 'first' && isUntouched(site) && findOnlySite(site) === null
        ? START_PATH
        : CONSOLE_PATH;
    return cookie === null ? refuse(site, request) : buildConsoleRedirect(path, { 'set-cookie': cookie });
  } catch (error) {
    if (error instanceof PasswordQueueError) return fail('Many passwords are being checked; try again.', 503);
    if (error instanceof OperatorStoreError && error.code === 'name-taken')
      return fail('Another operator has this name already.');
    throw error;
  }
}

/** Without an operator nothing shows that there is a console, but to who comes late with the address of the first one. */
async function refuse(site: ConsoleSite, { render, parts }: ConsoleRequest): Promise<Response | null> {
  const { sessions, operators } = site;
  const content = site.content.read();
  const readPast = () => operators.accounts.findSetup(hashSecretToken(parts[1] ?? ''), 0);
  if (!(await sessions.hasOperator()) && (!sessions.hasStore() || (await readPast()) === null)) return null;
  const message = `The address was used, has expired, or was replaced by a newer one. Run ${nameCommand('operator')} for a new one.`;
  const link = { href: CONSOLE_SIGN_IN_PATH, text: 'Sign in' };
  const siteName = content.site.name;
  return render({ kind: 'refused', siteName, title: 'This address is no longer valid', message, link }, 404);
}

async function buildOperator(
  { hasher, clock, newId, operators: { accounts: operators } }: ConsoleSite,
  { operatorId, capabilities }: OperatorSetup,
  name: string,
  password: string,
): Promise<Operator | null> {
  const passwordHash = await hasher.hash(password);
  if (operatorId !== null) {
    const known = await operators.readOperator(operatorId);
    return known && { ...known, passwordHash };
  }
  const passkeyUserId = randomBytes(32).toString('base64url');
  return { id: newId(), name, capabilities, passwordHash, passkeyUserId, createdAt: clock.now() };
}
