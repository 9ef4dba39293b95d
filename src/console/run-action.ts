import { z } from 'zod';
import { isNetworkFile } from '../content-files/networks.ts';
import { type ConsoleViewPath, findTab } from '../core/console/console-view.ts';
import { buildConsolePath } from '../core/paths.ts';
import type { ConsoleSession } from '../server/http/operator-sessions.ts';
import {
  type ActionGroup,
  type ActionResult,
  accessActions,
  campaignActions,
  contentActions,
  type FormAction,
  type Handlers,
  importActions,
  messageActions,
  moneyActions,
  moveInActions,
  NETWORK_CONFIRMATION,
  networkActions,
  otherSiteActions,
  overviewActions,
  partnerActions,
  secretActions,
  settingActions,
  startActions,
  unmatchedActions,
} from './actions.ts';
import { noteActivity } from './activity/note-activity.ts';
import { runCampaigns } from './campaigns/run.ts';
import { buildFailure, type ConsoleSite, type ViewRequest } from './console-site.ts';
import { runContent } from './content/run.ts';
import { runOtherSites } from './content/run-other-sites.ts';
import { runNetworks, runSecrets } from './import/networks.ts';
import { runImports, runMoveIn } from './import/run.ts';
import { runMessages } from './messages/run.ts';
import { runMoney } from './money/run.ts';
import { runOverview } from './overview/run.ts';
import { parseQuery } from './parse-query.ts';
import { runPartners } from './partners/labels.ts';
import { runAccess, runSettings } from './settings/run.ts';
import { runStart } from './start/start.ts';
import { runUnmatched } from './unmatched/run.ts';
import { listActions, showTo, type ViewTarget } from './views.ts';

/** An action with what it does with a posted form; null: a field is missing or not allowed. */
interface Runnable {
  readonly action: FormAction;
  readonly group: ActionGroup;
  readonly run: (site: ConsoleSite, form: FormData, request: ViewRequest) => Promise<ActionResult> | null;
}

/** Every action, by name. Nothing else has the handlers. */
const RUNNABLE: ReadonlyMap<string, Runnable> = new Map([
  ...bind(overviewActions, runOverview),
  ...bind(messageActions, runMessages),
  ...bind(campaignActions, runCampaigns),
  ...bind(moneyActions, runMoney),
  ...bind(unmatchedActions, runUnmatched),
  ...bind(accessActions, runAccess),
  ...bind(settingActions, runSettings),
  ...bind(importActions, runImports),
  ...bind(secretActions, runSecrets),
  ...bind(networkActions, runNetworks),
  ...bind(partnerActions, runPartners),
  ...bind(moveInActions, runMoveIn),
  ...bind(startActions, runStart),
  ...bind(contentActions, runContent),
  ...bind(otherSiteActions, runOtherSites),
]);

function bind<A extends ActionGroup['actions']>(
  group: ActionGroup<A>,
  handlers: Handlers<A>,
): [string, Runnable][] {
  const list: [string, Runnable][] = [];
  for (const name in group.actions) {
    const action = group.actions[name];
    if (action === undefined) continue;
    const run: Runnable['run'] = (site, form, request) => {
      const names = new Set([...Object.keys(action.fields.shape), ...form.keys()]);
      const sent = Object.fromEntries([...names].map((key) => [key, form.getAll(key)]));
      const parsed = z.safeParse<A[typeof name]['fields']>(action.fields, sent);
      return parsed.success ? handlers[name](site, parsed.data, request) : null;
    };
    list.push([name, { action, group, run }]);
  }
  return list;
}

/** Finds the action of a form; that of the clicked button takes precedence. Null when the view has no such action. */
function findAction({ view }: ViewTarget, form: FormData) {
  const name = String(form.getAll('action').at(-1) ?? '');
  const found = RUNNABLE.get(name);
  return found?.group.view === view ? { name, ...found } : null;
}

/** The view of the action that the path of a call names, with the path below the view; null: there is no such action. */
export function findCalled([, name = '', ...rest]: readonly string[]): ConsoleViewPath | null {
  const view = RUNNABLE.get(name)?.group.view;
  return view === undefined ? null : { view, rest };
}

/** Whether a sender may do what a form asks for. What does not exist is not refused, but incomplete. */
export function isActionAllowed(target: ViewTarget, form: FormData, { viewer }: ConsoleSession): boolean {
  const asked = findAction(target, form);
  return asked === null || listActions(target.view, viewer).has(asked.name);
}

/** Whether a form that is sent again must make nothing again. */
export const isSentOnce = (target: ViewTarget, form: FormData): boolean =>
  findAction(target, form)?.action.isOnce === true;

/** What a form asks for that needs the password again; null when the session was confirmed late enough. */
export function findConfirmation(target: ViewTarget, form: FormData, session: ConsoleSession) {
  const asked = findAction(target, form)?.action.confirm ?? null;
  const files = [target.view === 'content' ? target.rest.join('/') : '', String(form.get('partner'))];
  const confirm = asked !== null && files.some(isNetworkFile) ? NETWORK_CONFIRMATION : asked;
  if (confirm === null || session.isConfirmed || (confirm.within === 'hours' && session.isRecent))
    return null;
  return confirm;
}

/** A form on a tab leads back to it where it would lead to its view. */
function leadBack(outcome: ActionResult, { view, rest }: ViewTarget): ActionResult {
  const tab = findTab(view, rest)?.rest;
  if (tab === undefined || !('location' in outcome)) return outcome;
  const [path = ''] = outcome.location.split(/(?=[?#])/);
  if (path !== buildConsolePath(view)) return outcome;
  return { ...outcome, location: buildConsolePath(view, tab) + outcome.location.slice(path.length) };
}

/**
 * Does what a form asks for, and notes in the log of changes what that has changed; null when its sender may not. The
 * caller has checked origin, token and confirmation.
 */
export async function runAction(
  wholeSite: ConsoleSite,
  form: FormData,
  target: ViewTarget,
): Promise<ActionResult | null> {
  const { view, rest, parameters, viewer } = target;
  const asked = findAction(target, form);
  const location =
    buildConsolePath(view === 'overview' ? '' : view, ...rest) +
    (parameters.size === 0 ? '' : `?${parameters}`);
  const incomplete = buildFailure(location, 'The form is incomplete. Nothing was changed.');
  if (asked === null) return incomplete;
  if (!listActions(view, viewer).has(asked.name)) return null;
  const { group, run } = asked;
  // What is made up ends; what an operator does about money would end with it.
  if (wholeSite.isLookingAround && group.subject === 'commissions')
    return { location, message: 'This is the sample. End it first: nothing was changed.', isError: true };
  const site = showTo(viewer, wholeSite);
  const { query } = await parseQuery(site, parameters);
  // What only shows something is asked for often, and asks for no password.
  const writesContent = group.subject === 'content' && asked.action.confirm !== null;
  // What has changed before is not this operator's.
  if (writesContent) await tellPayees(site, '');
  const outcome = leadBack((await run(site, form, { ...target, query })) ?? incomplete, target);
  if (writesContent) await tellPayees(site, viewer.kind === 'operator' ? viewer.name : '');
  site.forgetAlerts();
  if ('location' in outcome && !outcome.isError) {
    const { message, note = message, subject = group.subject } = outcome;
    const noted = note === '' ? null : noteActivity(site, viewer, subject, note, outcome.location);
    await Promise.all([noted, outcome.store?.()]);
  }
  return outcome;
}

/** Tells who else is paid now. What a form has done stays done when that cannot be told: it is tried again later. */
async function tellPayees({ payees, log }: ConsoleSite, operator: string): Promise<void> {
  await payees
    .tell(operator)
    .catch((error: unknown) => log.warn('who is paid could not be checked', { error }));
}
