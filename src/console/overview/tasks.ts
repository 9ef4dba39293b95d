import { getLocalDay } from '../../core/commissions/local-time.ts';
import { type ConsoleViewer, isAllowed } from '../../core/console/capabilities.ts';
import { isSnoozed, orderTasks, type Task, type TaskSnooze } from '../../core/console/task.ts';
import { SharedReads } from '../../stores/share-read.ts';
import { readCampaignTasks } from '../campaigns/read.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { listContentTasks, PAYEE_TASK } from '../content/tasks.ts';
import { listFailedDeliveries, listMessageTasks } from '../messages/read.ts';
import { readFallenPages } from '../pages/read.ts';
import { listPaymentTasks } from '../partners/overdue.ts';
import { readSchedule } from '../reports/payments.ts';
import { readSiteNames } from '../reports/site-pages.ts';
import { listRateTasks, readCurrencyState } from '../settings/rates.ts';
import { listUnmatchedTasks } from '../unmatched/read.ts';
import { readOverview } from './read.ts';

/** Finds the tasks of one subject. */
type TaskSource = (site: ConsoleSite) => Promise<readonly Task[]>;

/** A line for each subject. */
const TASK_SOURCES: readonly TaskSource[] = [
  listUnmatchedTasks,
  listMessageTasks,
  listFailedDeliveries,
  listContentTasks,
  readPaymentTasks,
  readRateTasks,
];

/**
 * Campaigns and pages by all events of months: what was found counts for as long as the alerts do, half a minute or until a
 * form of the console was handled.
 */
const monthTasks = new SharedReads<object, readonly Task[]>(new WeakMap());

/** Reads alerts, campaigns that lose money and pages whose clicks fell. */
async function readSlowTasks(site: ConsoleSite): Promise<readonly Task[]> {
  const alerts = await site.readAlerts();
  const slow = await monthTasks.read(alerts, site.platform.sharesWork, async () =>
    (await Promise.all([readCampaignTasks(site), readFallenPages(site)])).flat(),
  );
  return [...alerts, ...slow];
}

/** What is overdue, in the words of *Partners*. */
async function readPaymentTasks(site: ConsoleSite): Promise<readonly Task[]> {
  const scheduled = await readSchedule(site);
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  return listPaymentTasks(scheduled, readSiteNames(site).partners, today);
}

async function readRateTasks(site: ConsoleSite): Promise<readonly Task[]> {
  return listRateTasks(await readCurrencyState(site), site.clock.now());
}

/** A task with the day on which it returns, `YYYY-MM-DD` in the time zone of the site. */
export interface SnoozedTask extends Task {
  readonly returnDay: string;
}

/** What there is to do, in its order, and what the operator does not want to see yet, the next one to return first. */
export interface TodayTasks {
  readonly open: readonly Task[];
  readonly snoozed: readonly SnoozedTask[];
}

/** What there was to do when it was last read: every view counts it, and only the overview reads it. */
const lastRead = new WeakMap<ConsoleSite['periods'], readonly Task[]>();

/** Who is paid is for those who manage the site. */
const isOwn = (viewer: ConsoleViewer, { kind }: Task) => kind !== PAYEE_TASK || isAllowed(viewer, 'manage');

/** Counts what there is to do; 0 until it was read. */
export const countTasks = ({ periods }: ConsoleSite, viewer: ConsoleViewer): number =>
  (lastRead.get(periods) ?? []).filter((task) => isOwn(viewer, task)).length;

/** Reads what there is to do. Rejects with the errors of the stores. */
export async function readTasks(site: ConsoleSite): Promise<TodayTasks> {
  const [found, snoozes, { currency: main }, rates] = await Promise.all([
    Promise.all([readSlowTasks(site), ...TASK_SOURCES.map((list) => list(site))]),
    readSnoozes(site),
    site.periods.readCurrency({ currency: null }),
    site.periods.readNewestRates(),
  ]);
  const getValue = (amount: number, currency: string) =>
    currency === main ? amount : (rates.get(currency)?.convert(amount) ?? null);
  const now = site.clock.now();
  const { TIME_ZONE: timeZone } = site.settings;
  const tasks = orderTasks(found.flat(), getValue);
  const snoozed = snoozes.flatMap((snooze) => {
    const task = tasks.find(({ key }) => key === snooze.key);
    if (task === undefined || !isSnoozed(task, snooze, now)) return [];
    return [{ ...task, returnDay: getLocalDay(snooze.until, timeZone) }];
  });
  const hidden = new Set(snoozed.map(({ key }) => key));
  const open = tasks.filter(({ key }) => !hidden.has(key));
  lastRead.set(site.periods, open);
  return { open, snoozed };
}

/** Reads the overview with what there is to do; null behind a share link. */
export async function readOverviewWithTasks(site: ConsoleSite, request: ViewRequest) {
  const figures = await readOverview(site, request);
  if (request.viewer.kind !== 'operator') return { ...figures, tasks: null };
  const { open, snoozed } = await readTasks(site);
  const own = <One extends Task>(list: readonly One[]) => list.filter((task) => isOwn(request.viewer, task));
  return { ...figures, tasks: { open: own(open), snoozed: own(snoozed) } };
}

/** Without an operator there is no database of the console, and no one who snoozed anything. */
async function readSnoozes({
  sessions,
  operators: { accounts: operators },
}: ConsoleSite): Promise<readonly TaskSnooze[]> {
  return (await sessions.hasOperator()) ? operators.readSnoozes() : [];
}
