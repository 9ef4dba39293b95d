import { randomBytes } from 'node:crypto';
import { type ConsolePreferences, DEFAULT_PREFERENCES } from '../core/console/operator.ts';
import type { Content } from '../core/pages/content.ts';
import { createSharedLimiter } from '../server/http/rate-limiter.ts';
import { isLoopbackHost } from '../server/http/same-origin.ts';
import type { Log } from '../server/log.ts';
import { PeriodicJob } from '../server/periodic-job.ts';
import type { Platform } from '../server/platform.ts';
import type { Settings } from '../server/settings.ts';
import type { Operators } from '../stores/operators.ts';
import type { TemporaryValues } from '../stores/temporary-values.ts';
import { buildConsoleOrigin, createConsoleAdmission, getConsoleOrigin } from './access/admission.ts';
import { createPasskeyRoutes, PasskeyCeremonies } from './access/passkeys.ts';
import { PasswordHasher } from './access/passwords.ts';
import { OperatorSessions } from './access/sessions.ts';
import { createOperatorSetup } from './access/setup.ts';
import { createShareLinks } from './access/share-links.ts';
import { createSignIn, createSignOut, SignInLimits } from './access/sign-in.ts';
import type { AlertReader } from './alerts/read-alerts.ts';
import { type ConsoleApp, ConsoleNotices, createConsoleApp } from './app.ts';
import { createMoneyViews } from './console-money.ts';
import { createWorkCounts, createWorkReaders, type WorkSources } from './console-work.ts';
import { createSiteNames } from './create-site-names.ts';
import { createImports } from './import/run-imports.ts';
import { IssuedAddresses } from './settings/change.ts';
import { listSettingsFacts, SettingsReader } from './settings/read.ts';
import { ConsoleViews } from './views.ts';

/** How often imports are continued that an operator does not wait for any more. */
const JOB_MS = 5_000;
/** Requests without a session that one address may send: each costs a look into the store. */
const STRANGERS = { perSecond: 5, burst: 100, maxAddresses: 10_000 };

/** The console with its database. */
export interface Console {
  readonly app: ConsoleApp;
  /** What owners have chosen; the defaults while there is no operator. Rejects with `OperatorStoreError`. */
  readPreferences(): Promise<ConsolePreferences>;
  /** Continues imports that were interrupted, and removes temporary values that have expired. A failure is logged. */
  runDueJobs(): Promise<void>;
  /** Stops what runs in the background and closes the database. */
  close(): Promise<void>;
}

/**
 * Creates the console: who may use it, and the reader of every view. Its database is opened with the first use. Never
 * throws: a damaged database shows in the log, and the console responds with 503.
 */
export function createConsole(
  options: WorkSources & {
    readonly settings: Settings;
    readonly content: Content;
    readonly platform: Platform;
    readonly database: { readonly operators: Operators; readonly temporary: TemporaryValues };
    readonly log: Log;
    readonly alerts: Pick<AlertReader, 'readAlerts'>;
    /** The time by which expired sessions and links are removed; null: none is. */
    readonly readTrustedTime: () => Promise<number | null>;
    /** Returns why edits of the content are not shown yet. */
    readonly readContentWarnings: () => readonly string[];
  },
): Console {
  const { settings, content, platform, log } = options;
  const { clock } = platform;
  const siteName = content.site.name;
  const siteOrigin = getConsoleOrigin(settings);
  const isSecure = settings.siteUrl.startsWith('https:');
  const { now } = clock;
  const { operators, temporary } = options.database;
  const getStore = () => operators;
  const getTemporary = () => temporary;
  const sessions = new OperatorSessions({
    getStore,
    hasStore: () => operators.exists(),
    isSecure,
    now,
    readTrustedTime: options.readTrustedTime,
  });
  const readPreferences = async () =>
    (await sessions.hasOperator()) ? getStore().readPreferences() : DEFAULT_PREFERENCES;
  const limits = new SignInLimits({
    getStore: getTemporary,
    key: settings.FORM_KEY === '' ? randomBytes(32).toString('hex') : settings.FORM_KEY,
    now,
  });
  const hasher = new PasswordHasher(undefined, platform.passwordCost);
  const imports = createImports({ ...options, getTemporary });
  const readNames = createSiteNames(content, options.articles);
  const money = createMoneyViews({ ...options, clock, readPreferences, readNames });
  const views = new ConsoleViews({
    siteName,
    isSample: platform.isSample,
    timeZone: settings.TIME_ZONE,
    readers: {
      ...money.readers,
      ...createWorkReaders({ ...options, imports, readNames }),
      settings: new SettingsReader({
        getStore,
        sessions,
        hasher,
        limits,
        issued: new IssuedAddresses(getTemporary, now),
        log,
        digest: {
          byEnvironment: settings.DIGEST,
          hour: settings.DIGEST_HOUR,
          hasMail: settings.SMTP_URL !== '' || settings.SMTP_HOST !== '',
        },
        origin: buildConsoleOrigin(settings, settings.PORT),
        now,
        timeZone: settings.TIME_ZONE,
        facts: listSettingsFacts(settings),
        parseQuery: money.parseQuery,
      }),
    },
    parseQuery: money.parseQuery,
    readNames,
    readCounts: createWorkCounts(options),
  });
  const parts = {
    getStore,
    getTemporary,
    sessions,
    hasher,
    siteName,
    siteOrigin,
    isConfidential: (request: Request) => isSecure || isLoopbackHost(request.headers.get('host') ?? ''),
    now,
    log,
  };
  const app = createConsoleApp({
    sessions,
    views,
    notices: new ConsoleNotices(getTemporary, now),
    entrances: new Map([
      ['sign-in', createSignIn({ ...parts, limits })],
      ['sign-out', createSignOut(sessions, siteOrigin)],
      ['setup', createOperatorSetup(parts)],
      ['passkeys', createPasskeyRoutes({ ...parts, ceremonies: new PasskeyCeremonies(parts) })],
      ['share', createShareLinks({ ...parts, views })],
    ]),
    alwaysOpen: new Set(['setup']),
    isAdmitted: createConsoleAdmission({ host: settings.CONSOLE_HOST, networks: settings.CONSOLE_ADDRESSES }),
    limiter: createSharedLimiter(platform, 'console', STRANGERS),
    siteName,
    siteOrigin,
  });
  const continueImports = async () => {
    if (!sessions.hasStore()) return;
    await getTemporary().removeExpired(now());
    await imports.runner.runDue();
  };
  const job = new PeriodicJob(log, 'an import could not be continued', continueImports, JOB_MS);
  if (platform.hasTimers) job.start();
  return {
    app,
    readPreferences,
    runDueJobs: () => job.run(),
    async close() {
      await job.stop();
    },
  };
}
