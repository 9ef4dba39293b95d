import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashText } from '../content-files/parse-yaml.ts';
import { DAY_MS } from '../core/clock.ts';
import { getLocalDay } from '../core/commissions/local-time.ts';
import { CAPABILITIES } from '../core/console/capabilities.ts';
import { findConsoleView } from '../core/console/console-view.ts';
import {
  buildAddress,
  buildConsolePath,
  CONSOLE_PATH,
  CONSOLE_SIGN_IN_PATH,
  parseConsolePath,
} from '../core/paths.ts';
import { nameCommand } from '../core/text/name-command.ts';
import type { MoveIn } from '../move-in/move-in.ts';
import {
  CONFIRMED_MINUTES,
  type ConsoleSession,
  OperatorSessions,
  RECENT_HOURS,
} from '../server/http/operator-sessions.ts';
import { createSharedLimiter, type SharedRateLimiter } from '../server/http/rate-limiter.ts';
import { RequestBodyError, refuseForRate } from '../server/http/request-body.ts';
import { buildProblem } from '../server/http/responses.ts';
import { type AppContext, splitTarget } from '../server/http/route.ts';
import { isSameOrigin } from '../server/http/same-origin.ts';
import { createTokenCheck } from '../server/http/secret-token.ts';
import { receiveForm } from '../server/http/upload-form.ts';
import { PeriodicJob } from '../server/periodic-job.ts';
import { holdContent, type Site } from '../server/site.ts';
import { explainWriteFailure } from '../stores/disk.ts';
import type { UploadFolder } from '../stores/upload-folder.ts';
import { createConsoleAdmission, getConsoleOrigin } from './access/console-host.ts';
import { usePasskeys } from './access/passkeys.ts';
import { PasswordHasher } from './access/password.ts';
import { createEntryPath, setUpOperator } from './access/setup.ts';
import { showSharedView } from './access/share-links.ts';
import { confirmOperator, readRepeated, signIn, signOut } from './access/sign-in.ts';
import { SignInLimits } from './access/sign-in-limits.ts';
import { createNotificationJobs, listAlertWays } from './alerts/notifications.ts';
import { createAlertReader } from './alerts/read-alerts.ts';
import type { ConsolePage, KeptPage } from './console-page.ts';
import type { ConsoleSite } from './console-site.ts';
import { ContentPreviews, type RenderPreview } from './content/preview.ts';
import { createDraftJob } from './content/working-copies.ts';
import { respondToFormerView } from './former-views.ts';
import {
  answerPage,
  buildConsoleRedirect,
  buildCsvResponse,
  buildData,
  ConsoleNotices,
  type ConsoleRequest,
  isCall,
  type RenderConsole,
  type RenderConsolePage,
  readCall,
  readConsoleForm,
} from './http.ts';
import { ImportRunner } from './import/run-imports.ts';
import { getMaxUploadBytes, getMaxUploadMb } from './import/uploads.ts';
import { createPayeeWatch } from './partners/payees.ts';
import { PeriodReader } from './reports/periods.ts';
import { dropFormerParameters } from './reports/query.ts';
import { findCalled, findConfirmation, isActionAllowed, isSentOnce, runAction } from './run-action.ts';
import { SampleSite } from './start/sample.ts';
import { START_PATH } from './start/steps.ts';
import { exportView, findExport, isReadable, listActions, readView, type ViewTarget } from './views.ts';

/** How often imports are continued that an operator does not wait for any more. */
const IMPORTS_MS = 5_000;
/** How often it is checked whether files of partners that were changed outside the console pay somebody else. */
const PAYEES_MS = 5_000;
/** How often it is checked whether drafts were left. */
const DRAFTS_MS = 30_000;
/** How often the overview is read again where something was reported since. */
const AHEAD_MS = 60_000;
/** After the start, when the site has other things to do. */
const FIRST_AHEAD_MS = 500;
/** A mail server may take its time; what it has not confirmed by then counts as unknown. */
const STOP_MS = 4_000;
/** Requests without a session that one address may send: each costs a look into the store. */
const WITHOUT_SESSION = { perSecond: 5, burst: 100, maxAddresses: 10_000 };
/** A file that an operator uploads, with its form. */
const MAX_FORM_BYTES = 20 * 1024 * 1024;
/** What of a form is shown again after its session has ended. */
const MAX_KEPT_BYTES = 262_144;
/** The same form that makes something new does nothing for so long. */
const SENT_MS = DAY_MS;

/** The operator's console over a site. */
export interface Console {
  /** Responds to a request at or below the console's path; null: as if there were no console. */
  respond(context: AppContext, renderPage: RenderConsolePage): Promise<Response | null>;
  /**
   * The path at which the operator begins: the console, or a new one-time address while there is no operator. Rejects
   * with `OperatorStoreError`.
   */
  createEntryPath(): Promise<string>;
  /** Does once what is due of imports and notifications. A failure is logged. */
  runDueJobs(): Promise<void>;
  /** Stops what runs in the background. */
  close(): Promise<void>;
}

/** Creates what tells the next page of a session what a form did. */
export const createNotices = ({ operators: { temporaryValues }, clock, platform }: Site) =>
  new ConsoleNotices(temporaryValues, clock.now, platform.sharesWork);

/**
 * Creates the console in the event loop of the caller, and starts its jobs where there are timers. `renderPreview` renders
 * pages of content that is not saved; null: there are no previews. `moveIn`: null where the content is part of the build.
 * Never throws.
 */
export function createConsole(
  publicSite: Site,
  renderPreview: RenderPreview | null = null,
  moveIn: MoveIn | null = null,
  notices = createNotices(publicSite),
): Console {
  const shownSite = createConsoleSite(publicSite, renderPreview, moveIn);
  const { settings, platform, clock, log } = shownSite;
  const { accounts: operators, temporaryValues } = shownSite.operators;
  const { trustedTime } = shownSite.visitors;
  const isAdmitted = createConsoleAdmission({
    host: settings.CONSOLE_HOST,
    networks: settings.CONSOLE_ADDRESSES,
  });
  const limiter = createSharedLimiter(platform, 'console', WITHOUT_SESSION);
  const imports = new ImportRunner(shownSite);
  const continueImports = async () => {
    if (!operators.exists()) return;
    const trusted = await trustedTime.read();
    if (trusted !== null) await temporaryValues.removeExpired(trusted);
    await imports.runDue();
  };
  const jobs = [
    new PeriodicJob(log, 'an import could not be continued', continueImports, IMPORTS_MS),
    new PeriodicJob(log, 'a draft could not be saved', createDraftJob(shownSite), DRAFTS_MS),
    new PeriodicJob(log, 'who is paid could not be checked', () => shownSite.payees.tell(''), PAYEES_MS),
    ...createNotificationJobs(shownSite),
  ];
  if (platform.hasTimers && !settings.DEMO) for (const job of jobs) job.start();
  const failure = 'the overview could not be read ahead';
  const reading = new PeriodicJob(log, failure, createReadAhead(shownSite), AHEAD_MS, FIRST_AHEAD_MS);
  if (platform.hasTimers) reading.start();
  return {
    async respond(context, renderPage) {
      const [, search] = splitTarget(context.req.url);
      const parts = parseConsolePath(context.req.path);
      if (parts === null || !isAdmitted(context)) return null;
      shownSite.visitors.outside.note(context.req.raw.headers);
      const site = holdContent(shownSite);
      const render: RenderConsole = (page, status) => renderPage(page, status, site);
      const shown: ConsoleRequest = { context, parts, parameters: new URLSearchParams(search), render };
      const request = isCall(shown) ? { ...shown, render: answerPage } : shown;
      return respondToRequest(site, request, limiter, notices).catch((error: unknown) =>
        explainFailure(site, request, error),
      );
    },
    createEntryPath: async () => (settings.DEMO ? CONSOLE_PATH : createEntryPath(operators, clock.now())),
    async runDueJobs() {
      for (const job of jobs) await job.run();
    },
    async close() {
      shownSite.linkCheck.stopping.abort();
      const ending = Promise.all([
        ...[...jobs, reading].map((job) => job.stop()),
        shownSite.previews?.close(),
      ]);
      await Promise.race([ending, sleep(STOP_MS, null, { ref: false })]);
    },
  };
}

/**
 * Reads the overview after a start, after what was reported since and on a new day, so that no operator waits while a million
 * commissions are summed: what it reads is kept until something changes.
 */
export function createReadAhead(site: ConsoleSite): () => Promise<void> {
  const viewer = { kind: 'operator', id: '', name: '', capabilities: CAPABILITIES } as const;
  let known = '';
  return async () => {
    if (!site.money.ledger.exists()) return;
    const version = await site.money.commissions.table.refresh();
    const now = `${version} ${getLocalDay(site.clock.now(), site.settings.TIME_ZONE)}`;
    if (now === known) return;
    const parameters = new URLSearchParams();
    const target: ViewTarget = { view: 'overview', rest: [], parameters, viewer, formToken: '' };
    await readView(holdContent(site), target, null, null);
    known = now;
  };
}

/**
 * Tells a person that a page could not be read, and shows the text of a form that was not handled to the one who wrote
 * it. Rejects with the error for everybody else.
 */
async function explainFailure(site: ConsoleSite, asked: ConsoleRequest, error: unknown): Promise<Response> {
  const { context, render, isBegun } = asked;
  const request = context.req.raw;
  if (!isNavigation(request) || error instanceof RequestBodyError) throw error;
  const { requestId } = context.env;
  if (request.method !== 'POST') {
    site.log.error('a page was not shown', { requestId, error });
    return render(buildUnreadPage(site, context), 503);
  }
  const isOwn = isSameOrigin(request.headers, getConsoleOrigin(site.settings));
  const form = isOwn
    ? (asked.form ?? (await readConsoleForm(request, MAX_KEPT_BYTES).catch(() => null)))
    : null;
  if (form === null) throw error;
  site.log.error('a form was not handled', { requestId, error });
  const message = `${UNSTORED} ${isBegun ? DOUBT : 'Nothing was changed.'}`;
  const page = buildKeptPage(site, context, form, { title: 'Not stored', message });
  return render({ ...page, token: String(form.get('token') ?? '') }, 503);
}

/** Responds to a request to the console; null where it has no operator yet. */
async function respondToRequest(
  site: ConsoleSite,
  request: ConsoleRequest,
  limiter: SharedRateLimiter,
  notices: ConsoleNotices,
): Promise<Response | null> {
  const { context, render } = request;
  const [first = ''] = request.parts;
  if (first !== 'setup' && !(await site.sessions.hasOperator())) return null;
  const access = ACCESS.get(first);
  if (access !== undefined) return (await refuseForRate(context, limiter, 1)) ?? access(site, request);
  if (!['GET', 'HEAD', 'POST'].includes(context.req.method)) {
    const headers = { allow: 'GET, HEAD, POST' };
    return buildProblem('method-not-allowed', context.env.requestId, { headers });
  }
  const session = await site.sessions.readSession(context.req.raw);
  if (session !== null) {
    const found = await respondToOperator(site, notices, request, session);
    const response = found ?? (await render(buildMissingPage(site), 404));
    if (session.cookie !== undefined) response.headers.append('set-cookie', session.cookie);
    return response;
  }
  const refusal = await refuseForRate(context, limiter, 1);
  if (refusal !== null) return refusal;
  if (isCall(request)) return showEnded(site, request, new FormData());
  if (
    context.req.method === 'POST' &&
    isSameOrigin(context.req.raw.headers, getConsoleOrigin(site.settings))
  ) {
    const form = await readConsoleForm(context.req.raw, MAX_KEPT_BYTES).catch(() => new FormData());
    return showEnded(site, request, form);
  }
  return isForeignNavigation(context)
    ? render(buildReload(site, context))
    : redirectToSignIn(context, splitTarget(context.req.url)[1]);
}

/** Adds to a site what the console alone needs. */
export function createConsoleSite(
  site: Site,
  renderPreview: RenderPreview | null = null,
  moveIn: MoveIn | null = null,
): ConsoleSite {
  const { settings, platform, clock } = site;
  const { temporaryValues } = site.operators;
  const signingKey = settings.FORM_KEY === '' ? randomBytes(32).toString('hex') : settings.FORM_KEY;
  return {
    ...site,
    periods: new PeriodReader(site),
    ...createAlertReader(site),
    payees: createPayeeWatch(site, () => listAlertWays(site)),
    sessions: new OperatorSessions(site),
    hasher: new PasswordHasher(undefined, platform.passwordCost, platform.sharesWork),
    limits: new SignInLimits(temporaryValues, signingKey, clock.now),
    signingKey,
    previews: renderPreview && new ContentPreviews(site, renderPreview),
    moveIn,
    openFiles: new Map(),
    linkCheck: { urls: [], since: 0, problem: '', stopping: new AbortController() },
    movingIn: new Map(),
    sample: new SampleSite((madeUp) => createConsoleSite(madeUp)),
    isLookingAround: false,
  };
}

/** What responds without a session, by the first part of the path; null: as if there were no console. */
const ACCESS: ReadonlyMap<string, (site: ConsoleSite, request: ConsoleRequest) => Promise<Response | null>> =
  new Map([
    ['sign-in', signIn],
    ['sign-out', signOut],
    ['setup', setUpOperator],
    ['passkeys', usePasskeys],
    ['share', showSharedView],
  ]);

async function respondToOperator(
  ownSite: ConsoleSite,
  notices: ConsoleNotices,
  request: ConsoleRequest,
  session: ConsoleSession,
): Promise<Response | null> {
  const { context, parts, parameters, render } = request;
  const { viewer, formToken } = session;
  // What begins the site is about the site itself.
  const isStart = context.req.path === START_PATH;
  const site = isStart ? ownSite : holdContent(await ownSite.sample.show(ownSite));
  const former =
    context.req.method === 'POST' ? null : await respondToFormerView(site.content.read().site.name, request);
  if (former !== null) return former;
  const kept = dropFormerParameters(parameters, parts[0]?.startsWith('campaigns') === true);
  const moved = kept && buildConsoleRedirect(context.req.path + (kept.size === 0 ? '' : `?${kept}`));
  const exported = context.req.method === 'POST' ? null : findExport(parts);
  if (exported !== null && !isReadable(exported.view, viewer))
    return render(buildRefusal(site, 'money'), 403);
  if (exported !== null && moved !== null) return moved;
  if (exported !== null) {
    const table = await exportView(site, { ...exported, parameters, viewer, formToken });
    return table && buildCsvResponse(table, parameters.get('bom') === '1');
  }
  const found = isCall(request) ? findCalled(parts) : findConsoleView(parts);
  if (found === null) return null;
  if (!isReadable(found.view, viewer)) {
    // The console opens with the overview: who may not see it begins with the content.
    const isEntry = parts.length === 0 && context.req.method !== 'POST';
    return isEntry
      ? buildConsoleRedirect(buildConsolePath('content'))
      : render(buildRefusal(site, 'money'), 403);
  }
  const target = { ...found, parameters, viewer, formToken, sessionId: session.id };
  if (context.req.method === 'POST') return respondToForm(site, notices, request, target, session);
  // A request for the headers alone shows nothing.
  const isShown = context.req.method !== 'HEAD' && moved === null;
  const notice = isShown ? await notices.take(session.id) : null;
  const page = await readView(site, target, notice, null);
  return page && (moved ?? render(page));
}

async function respondToForm(
  site: ConsoleSite,
  notices: ConsoleNotices,
  asked: ConsoleRequest,
  target: ViewTarget,
  session: ConsoleSession,
): Promise<Response | null> {
  const { context, render } = asked;
  const request = context.req.raw;
  if (!isSameOrigin(request.headers, getConsoleOrigin(site.settings)))
    return render(buildRefusal(site, 'origin'), 403);
  if (listActions(target.view, target.viewer).size === 0) return render(buildRefusal(site, 'role'), 403);
  const { uploads } = site.platform;
  let form: FormData;
  try {
    const read = await (isCall(asked) ? readCall(asked) : readForm(site, request, target, session));
    if (read === null) return buildProblem('invalid-json', context.env.requestId);
    form = read;
    asked.form = form;
  } catch (error) {
    if (error instanceof RequestBodyError && error.code === 'too-large')
      return render(buildRefusal(site, 'size'), 413);
    // A full disk, for example.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    site.log.error('an upload could not be stored', { error });
    return render({ ...buildRefusal(site, 'size'), message: explainWriteFailure(error) }, 507);
  }
  try {
    return await respondToFields(site, notices, asked, target, form);
  } finally {
    await uploads?.release(form);
  }
}

/** Pages whose forms may have large files, and what these forms do. */
const UPLOAD_PAGES = {
  'partners/import': 'upload',
  'campaigns/costs': 'upload-costs',
  'settings/move-in': 'upload-site',
  'settings/start': 'upload-site',
};

const takesFiles = ({ view, rest }: ViewTarget) => [view, ...rest].join('/') in UPLOAD_PAGES;

/** Reads a posted form: its files into a folder where there is one, and nothing of them before the form may do what it asks for. */
function readForm(
  { platform: { uploads, readDisk } }: ConsoleSite,
  request: Request,
  target: ViewTarget,
  session: ConsoleSession,
): Promise<FormData> {
  const isUpload = takesFiles(target) && /^multipart\//i.test(request.headers.get('content-type') ?? '');
  if (uploads === null || !isUpload) return readConsoleForm(request, MAX_FORM_BYTES);
  return receiveForm(request, uploads, async (fields) => {
    const isAllowed = createTokenCheck(session.formToken)(String(fields.get('token') ?? ''));
    if (!isAllowed || !isActionAllowed(target, fields, session)) return 0;
    const max = getMaxUploadBytes(uploads, String(fields.get('action') ?? ''));
    const megabytes = Number(request.headers.get('content-length') ?? max) / 1_048_576;
    const disk = await readDisk();
    // Events of visitors need the rest.
    if (disk !== null && megabytes > disk.freeMb - disk.minFreeMb)
      throw Object.assign(new Error('too little space'), { code: 'ENOSPC', syscall: 'open' });
    return max;
  });
}

async function respondToFields(
  site: ConsoleSite,
  notices: ConsoleNotices,
  asked: ConsoleRequest,
  target: ViewTarget,
  form: FormData,
): Promise<Response | null> {
  const { context, render } = asked;
  const request = context.req.raw;
  // While the body arrived, the session may have ended, or the operator may have lost a capability.
  const session = await site.sessions.readSession(request);
  if (session === null) return showEnded(site, asked, form);
  if (!createTokenCheck(session.formToken)(String(form.get('token') ?? ''))) {
    const page = buildKeptPage(site, context, form, { title: UNCHANGED, message: REFUSALS.token });
    return render({ ...page, token: session.formToken }, 403);
  }
  if (listActions(target.view, session.viewer).size === 0) return render(buildRefusal(site, 'role'), 403);
  if (!isActionAllowed(target, form, session)) return render(buildRefusal(site, 'role'), 403);
  const [page] =
    Object.entries(UPLOAD_PAGES).find(([, action]) => action === String(form.get('action'))) ?? [];
  // As the tab of an earlier version sends it.
  if (page !== undefined && site.platform.uploads !== null && !takesFiles(target))
    return render(buildRefusal(site, 'place', `${CONSOLE_PATH}/${page}`), 400);
  const confirm = findConfirmation(target, form, session);
  const reason = REASONS[confirm?.within ?? 'hours'];
  const refusal =
    confirm === null
      ? null
      : await confirmOperator(site, asked, { session, form, purpose: confirm.purpose, reason });
  if (refusal !== null) return refusal;
  const isConfirmed = session.isConfirmed || confirm?.within === 'minutes';
  const { temporaryValues } = site.operators;
  const now = site.clock.now();
  const sent = { kind: 'sent', key: hashForm(session, form), value: '', expiresAt: now + SENT_MS } as const;
  const isOnce = isSentOnce(target, form) && form.has('sent');
  const before = isOnce ? await temporaryValues.claim(sent, now) : null;
  if (before !== null) {
    const location = before || context.req.path;
    if (isCall(asked)) return buildData({ message: SENT_BEFORE, isError: true, location }, 409);
    await notices.put(session.id, { message: SENT_BEFORE, isError: true });
    return buildConsoleRedirect(location);
  }
  asked.isBegun = true;
  const outcome = await runAction(site, form, { ...target, viewer: { ...session.viewer, isConfirmed } });
  if (isOnce && outcome !== null && 'location' in outcome)
    await (outcome.isError
      ? temporaryValues.remove(sent.kind, sent.key)
      : temporaryValues.put({ ...sent, value: outcome.location }, { now })
    ).catch(() => undefined);
  if (outcome === null || outcome instanceof Response) return outcome;
  if ('draft' in outcome) {
    const { draft, status, message, isError } = outcome;
    if (isCall(asked)) return buildData({ message, isError, draft }, status);
    const notice = message === '' ? null : { message, isError };
    const page = await readView(site, { ...target, viewer: session.viewer, draft }, notice, null);
    return page && render(page, status);
  }
  const { message, isError, location } = outcome;
  if (isCall(asked)) return buildData({ message, isError, location }, isError ? 422 : 200);
  try {
    await notices.put(session.id, { message, isError });
  } catch (error) {
    // What was done is done, whether or not the next page can say so.
    site.log.error('what a form did could not be noted', { requestId: context.env.requestId, error });
    const title = isError ? UNCHANGED : 'Done';
    const link = { href: location, text: 'Go on' };
    return render({ kind: 'refused', siteName: site.content.read().site.name, title, message, link });
  }
  return buildConsoleRedirect(location);
}

const UNCHANGED = 'Nothing was changed';
const UNSTORED = 'The database of the console or of the ledger cannot be written at the moment.';
const DOUBT =
  'A part may be done: look at its page in another tab before you send it again. What you wrote is below.';
const SENT_BEFORE = 'This form was sent already, and nothing was done again.';
const ENDED =
  'Your session has ended, so nothing was changed. What you wrote is below: sign in in another tab, then send it again. ' +
  'A file or a password has to be given again.';

/** What makes a form the same one: its page, its text and who sent it. */
function hashForm({ viewer }: ConsoleSession, form: FormData): string {
  return hashText(JSON.stringify([viewer.id, Object.entries(readRepeated(form).fields).sort()]));
}

/** Whether a person is shown the response; browsers that do not say so count as such. */
function isNavigation(request: Request): boolean {
  return (request.headers.get('sec-fetch-mode') ?? 'navigate') === 'navigate';
}

/** Shows the text of a form whose session has ended; a script gets the address of the sign-in. */
async function showEnded(site: ConsoleSite, asked: ConsoleRequest, form: FormData): Promise<Response> {
  const { context, render } = asked;
  if (isCall(asked)) return buildData({ message: ENDED, signIn: CONSOLE_SIGN_IN_PATH }, 401);
  const page = buildKeptPage(site, context, form, { title: 'Your session has ended', message: ENDED });
  const isKept = isNavigation(context.req.raw) && Object.keys(page.fields).length > 0;
  if (!isKept) return redirectToSignIn(context, splitTarget(context.req.url)[1]);
  return render({ ...page, isSignedOut: true }, 403);
}

function buildKeptPage(
  site: Site,
  context: AppContext,
  form: FormData,
  said: Pick<KeptPage, 'title' | 'message'>,
): KeptPage {
  const { fields } = readRepeated(form);
  const action = buildSameAddress(context, splitTarget(context.req.url)[1]);
  const siteName = site.content.read().site.name;
  return { kind: 'kept', siteName, ...said, action, token: '', fields, isSignedOut: false };
}

/** Why a form asks for the password. */
const REASONS = {
  hours:
    `You signed in more than ${RECENT_HOURS} hours ago, so give your password again. ` +
    'What you wrote is in this form, and is saved with it.',
  minutes:
    'This changes who has access or how the site is set up, so give your password again. ' +
    `You are not asked again for ${CONFIRMED_MINUTES} minutes.`,
} as const;

/** A link on another site was followed: browsers send no cookie with `SameSite=Strict`. */
function isForeignNavigation({ req }: AppContext): boolean {
  const isNavigation = req.raw.headers.get('sec-fetch-mode') === 'navigate';
  return req.method === 'GET' && isNavigation && req.raw.headers.get('sec-fetch-site') === 'cross-site';
}

/** A page that opens the same address again, now from this site, so that the browser sends its cookie. */
function buildReload(site: Site, context: AppContext): ConsolePage {
  const content = site.content.read();
  const [, search] = splitTarget(context.req.url);
  return { kind: 'reload', siteName: content.site.name, href: buildSameAddress(context, search) };
}

/** The address of a request, with parameters that are encoded again. */
const buildSameAddress = ({ req }: AppContext, search: string) =>
  req.path + (search && `?${new URLSearchParams(search)}`);

/** After the sign-in, the same address is opened. A form was posted to the address of its view, which offers its text again. */
function redirectToSignIn({ req }: AppContext, search: string): Response {
  const next = req.path === CONSOLE_PATH && search === '' ? undefined : req.path + (search && `?${search}`);
  return buildConsoleRedirect(buildAddress(CONSOLE_SIGN_IN_PATH, { next }));
}

const REFUSALS = {
  origin: 'The form was not sent by a page of this console, so nothing was changed.',
  role: 'You are not allowed to change this. Nothing was changed. An operator who manages can allow it in Settings.',
  money:
    'You are not allowed to see amounts, and this view is about them. An operator who manages can allow it in Settings.',
  place:
    'The page of this form has moved, so nothing was changed. Open it again and choose the file once more.',
  token: 'The form is no longer valid, perhaps because you signed in again meanwhile. Nothing was changed.',
} as const;

function describeSizes(uploads: UploadFolder | null): string {
  const { report, site } = getMaxUploadMb(uploads);
  return (
    'What was sent is larger than the console accepts, so nothing was changed. An image has at most 20 MB, ' +
    `a report ${report} MB, an export of a site ${site} MB; import a larger one with ${nameCommand('import')} on the server.`
  );
}

/** `href`: a page that leads on; left out: the overview. */
function buildRefusal(site: Site, reason: keyof typeof REFUSALS | 'size', href?: string) {
  const content = site.content.read();
  const link =
    href === undefined
      ? { href: CONSOLE_PATH, text: 'Back to the overview' }
      : { href, text: 'Open the page of the form again' };
  return {
    kind: 'refused',
    siteName: content.site.name,
    title: reason === 'money' ? 'Not allowed' : 'Nothing was changed',
    message: reason === 'size' ? describeSizes(site.platform.uploads) : REFUSALS[reason],
    link,
  } as const;
}

function buildUnreadPage(site: Site, context: AppContext): ConsolePage {
  return {
    kind: 'refused',
    siteName: site.content.read().site.name,
    title: 'Not shown',
    message: 'The data of this page cannot be read at the moment. The log of the site says why.',
    link: { href: buildSameAddress(context, splitTarget(context.req.url)[1]), text: 'Try again' },
  };
}

function buildMissingPage(site: Site): ConsolePage {
  const content = site.content.read();
  const link = { href: CONSOLE_PATH, text: 'Back to the overview' };
  return {
    kind: 'refused',
    siteName: content.site.name,
    title: 'Not found',
    message: 'The console has no such page.',
    link,
  };
}
