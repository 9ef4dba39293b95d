import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { Content } from '../../core/pages/content.ts';
import { buildPlanCalendar, findPlan } from '../../core/pages/trial-plan.ts';
import { AUDIT_SHEET_PATH, TRIAL_PLAN_PATH } from '../../core/paths.ts';
import { formatDollars } from '../../core/savings/parse-amount.ts';
import { buildCsvLine } from '../../core/text/csv.ts';
import type { Route } from '../http/route.ts';

const COLUMNS = [
  'Tool',
  'Example cost per month',
  'Your cost per month',
  'Job in one sentence',
  'Users last month',
  'Data only this tool has',
  'Connections to other tools',
  'Renewal date',
  'Notice period',
  'Mark (keep, merge, drop, ask)',
];

/** Creates the files that readers take away without an address: the audit sheet and the trial plan. */
export function createTakeawayRoutes(
  read: () => Content,
  clock: Clock,
  settings: { readonly siteUrl: string },
): readonly Route[] {
  const routes: Route[] = [
    {
      method: 'GET',
      path: AUDIT_SHEET_PATH,
      isShared: true,
      handle: () =>
        respond(buildSheet(read()), 'text/csv; charset=utf-8', 'audit-sheet.csv', 'public, max-age=3600'),
    },
  ];
  if (findPlan(read().pages.values()) === null) return routes;
  return [
    ...routes,
    {
      method: 'GET',
      path: TRIAL_PLAN_PATH,
      handle: () => {
        const stages = findPlan(read().pages.values()) ?? [];
        const tomorrow = Math.floor(clock.now() / DAY_MS) * DAY_MS + DAY_MS;
        const calendar = buildPlanCalendar(stages, tomorrow, new URL(settings.siteUrl).host);
        return respond(calendar, 'text/calendar; charset=utf-8', 'trial-plan.ics', 'no-store');
      },
    },
  ];
}

/** A row for each tool of the example stack, with its cost as an example, and empty rows for others. */
function buildSheet({ savings }: Content): string {
  const empty = COLUMNS.slice(2).map(() => '');
  const rows = savings.stack.map(({ name, monthlyCents }) => [name, formatDollars(monthlyCents), ...empty]);
  const blank = Array.from({ length: 6 }, () => COLUMNS.map(() => ''));
  // A byte order mark, so that Excel reads the file as UTF-8.
  return `\uFEFF${[COLUMNS, ...rows, ...blank].map(buildCsvLine).join('')}`;
}

function respond(body: string, contentType: string, name: string, cacheControl: string): Response {
  const headers = {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': cacheControl,
  };
  return new Response(body, { headers });
}
