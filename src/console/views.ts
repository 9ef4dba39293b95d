import { type ComponentType, createElement, type ReactNode } from 'react';
import { type Capability, type ConsoleViewer, isAllowed } from '../core/console/capabilities.ts';
import {
  CONSOLE_DOORS,
  CONSOLE_VIEWS,
  type ConsoleViewKey,
  type ConsoleViewPath,
  findConsoleView,
  findTab,
} from '../core/console/console-view.ts';
import { hideMoney } from './access/hide-money.ts';
import { ACTION_GROUPS, type FormAction } from './actions.ts';
import { ACTIVITY_COLUMNS, readActivity, readAllActivity } from './activity/read.ts';
import { ActivityView } from './activity/view.tsx';
import { readAnswerTable, readAssessment } from './assessment/read.ts';
import { AssessmentResultsView } from './assessment/view.tsx';
import { CAMPAIGN_COLUMNS, readCampaigns, readJudgedCampaigns } from './campaigns/read.ts';
import { CampaignsView } from './campaigns/view.tsx';
import { COMMISSION_COLUMNS, readCommissionPages, readCommissions } from './commissions/read.ts';
import { CommissionsView } from './commissions/view.tsx';
import type { ConsoleFrame, ConsoleNotice, ConsolePage, ViewProps } from './console-page.ts';
import type { ConsoleSite, ViewRequest } from './console-site.ts';
import { CONTENT_COLUMNS, countAttention, readContentLines, readContentView } from './content/read.ts';
import { ContentView } from './content/view.tsx';
import { nameContentFile } from './content/written-files.ts';
import { FormContext } from './frame/forms.tsx';
import { readImportPage } from './import/read.ts';
import { ImportPage } from './import/view.tsx';
import { MESSAGE_COLUMNS, readAllMessages, readMessages } from './messages/read.ts';
import { MessagesView } from './messages/view.tsx';
import { BUCKET_COLUMNS, readMoneyBuckets } from './overview/read.ts';
import { countTasks, readOverviewWithTasks } from './overview/tasks.ts';
import { OverviewView } from './overview/view.tsx';
import { readPages, readPageTable } from './pages/read.ts';
import { PagesView } from './pages/view.tsx';
import { parseQuery } from './parse-query.ts';
import { EXPECTED_COLUMNS, readExpected, readExpectedRows } from './partners/outlook.ts';
import { ExpectedView } from './partners/outlook-view.tsx';
import { readPartnersPage, readPartnerTable } from './partners/read.ts';
import { PartnersView } from './partners/view.tsx';
import { PLACEMENT_COLUMNS, readAllPlacements, readPlacements } from './placements/read.ts';
import { PlacementsView } from './placements/view.tsx';
import { buildConsoleAddress } from './reports/addresses.ts';
import { buildPagedTable, buildTable, type Column, type ExportTable } from './reports/columns.ts';
import type { ConsoleQuery } from './reports/query.ts';
import { readSiteNames } from './reports/site-pages.ts';
import { JOURNEY_VIEWS, readWithoutJourney } from './reports/without-journey.ts';
import { readSettingsPage } from './settings/read.ts';
import { SettingsPage } from './settings/view.tsx';
import { readAllSources, readSources, SOURCE_COLUMNS } from './sources/read.ts';
import { SourcesView } from './sources/view.tsx';
import { readUnmatched, readWaitingPages, UNMATCHED_COLUMNS } from './unmatched/read.ts';
import { UnmatchedView } from './unmatched/view.tsx';

type Read<Result> = (site: ConsoleSite, request: ViewRequest) => Promise<Result>;

interface ViewParts {
  /** Reads the whole table. */
  readonly readTable?: Read<ExportTable>;
}

interface View extends ViewParts {
  /** Reads what the view shows; null when there is no such page (an unknown commission, for example). */
  readonly read: Read<ReactNode>;
}

/** Every view: what reads its figures, what shows them, its table as an export, its forms. */
export const VIEWS: Readonly<Record<ConsoleViewKey, View>> = {
  overview: view(readOverviewWithTasks, OverviewView, table(readMoneyBuckets, BUCKET_COLUMNS)),
  pages: view(readPages, PagesView, { readTable: readPageTable }),
  placements: view(readPlacements, PlacementsView, table(readAllPlacements, PLACEMENT_COLUMNS)),
  campaigns: view(readCampaigns, CampaignsView, table(readJudgedCampaigns, CAMPAIGN_COLUMNS)),
  sources: view(readSources, SourcesView, table(readAllSources, SOURCE_COLUMNS)),
  assessment: view(readAssessment, AssessmentResultsView, { readTable: readAnswerTable }),
  commissions: view(readCommissions, CommissionsView, paged(readCommissionPages, COMMISSION_COLUMNS)),
  unmatched: view(readUnmatched, UnmatchedView, paged(readWaitingPages, UNMATCHED_COLUMNS)),
  expected: view(readExpected, ExpectedView, table(readExpectedRows, EXPECTED_COLUMNS)),
  partners: view(readPartnersPage, PartnersView, { readTable: readPartnerTable }),
  content: view(readContentView, ContentView, table(readContentLines, CONTENT_COLUMNS)),
  messages: view(readMessages, MessagesView, table(readAllMessages, MESSAGE_COLUMNS)),
  import: view(readImportPage, ImportPage),
  activity: view(readActivity, ActivityView, table(readAllActivity, ACTIVITY_COLUMNS)),
  settings: view(readSettingsPage, SettingsPage),
};

function view<Model>(
  read: Read<Model | null>,
  Component: ComponentType<ViewProps<Model>>,
  parts: ViewParts = {},
): View {
  return {
    ...parts,
    async read(site, request) {
      const model = await read(site, request);
      return model === null ? null : createElement(Component, { model });
    },
  };
}

function table<Row>(
  read: Read<{ readonly rows: readonly Row[] }>,
  columns: readonly Column<Row>[],
): ViewParts {
  return { readTable: async (site, request) => buildTable((await read(site, request)).rows, columns) };
}

function paged<Row>(
  read: (site: ConsoleSite, request: ViewRequest) => AsyncIterable<readonly Row[]>,
  columns: readonly Column<Row>[],
): ViewParts {
  return { readTable: async (site, request) => buildPagedTable(read(site, request), columns) };
}

/** Where a view is, and whose request it is. */
export interface ViewTarget extends Omit<ViewRequest, 'query'> {
  readonly view: ConsoleViewKey;
}

/** The view whose table a path exports (`['pages.csv']`); null without one. */
export function findExport(parts: readonly string[]): ConsoleViewPath | null {
  const last = parts.at(-1) ?? '';
  if (!last.endsWith('.csv')) return null;
  const named = [...parts.slice(0, -1), last.slice(0, -'.csv'.length)];
  const found = findConsoleView(named.join('/') === 'overview' ? [] : named);
  return found === null || VIEWS[found.view].readTable === undefined ? null : found;
}

/** Whether a viewer may open a view and its export. */
export function isReadable(view: ConsoleViewKey, viewer: ConsoleViewer): boolean {
  const isMoney = CONSOLE_VIEWS.some(({ key, showsMoney }) => key === view && showsMoney);
  return !isMoney || isAllowed(viewer, 'money');
}

/** The forms of a view that are taken from a viewer. */
export function listActions(view: ConsoleViewKey, viewer: ConsoleViewer): ReadonlySet<string> {
  const names = new Set<string>();
  if (viewer.kind !== 'operator' || !isReadable(view, viewer)) return names;
  for (const { actions } of ACTION_GROUPS.filter((group) => group.view === view))
    for (const [name, { needs }] of Object.entries(actions)) {
      const all: readonly Capability[] =
        needs === 'every operator' ? [] : needs === 'by state' ? ['content'] : needs;
      if (all.every((one) => isAllowed(viewer, one))) names.add(name);
    }
  return names;
}

/** The site as a viewer may see it. */
export const showTo = (viewer: ConsoleViewer, site: ConsoleSite) =>
  isAllowed(viewer, 'money') ? site : hideMoney(site);

/**
 * Reads a view with its frame; null when there is no such page. `share`: when the share link ends and where it exports
 * the table; null for operators.
 */
export async function readView(
  wholeSite: ConsoleSite,
  target: ViewTarget,
  notice: ConsoleNotice | null,
  share: { readonly until: number; readonly exportHref: string } | null,
): Promise<ConsolePage | null> {
  const { view, rest, parameters, viewer, formToken } = target;
  if (!isReadable(view, viewer)) return null;
  const site = showTo(viewer, wholeSite);
  const { query, problems, currencies } = await parseQuery(site, parameters);
  // The overview reads what its door counts.
  const shown = await VIEWS[view].read(site, { ...target, query });
  const hasJourneys = JOURNEY_VIEWS.includes(view) && rest.length === 0;
  const [navigation, reportingCurrency, foreign, withoutJourney, folding] = await Promise.all([
    share === null ? buildNavigation(site, target, query) : [],
    site.periods.readReportingCurrency(),
    readForeign(site, target, query),
    hasJourneys ? readWithoutJourney(site, query) : null,
    site.money.commissions.fold.readState(),
  ]);
  if (shown === null) return null;
  const exportHref = share?.exportHref ?? buildConsoleAddress(view, {}, { suffix: '.csv' });
  const frame: ConsoleFrame = {
    view,
    rest,
    viewer,
    formToken,
    navigation,
    query,
    currencies,
    problems,
    notice,
    reportingCurrency,
    foreign,
    withoutJourney,
    folding,
    siteName: site.content.read().site.name,
    isSample: site.platform.isSample,
    isLookingAround: site.isLookingAround,
    timeZone: site.settings.TIME_ZONE,
    title: findTitle(site, view, rest),
    names: readSiteNames(site),
    parameters: parameters.toString(),
    exportHref: VIEWS[view].readTable === undefined ? null : exportHref,
    sharedUntil: share?.until ?? null,
  };
  // A view may show a form of another one, such as the links of a partner.
  const actions = new Set(ACTION_GROUPS.flatMap((group) => [...listActions(group.view, viewer)]));
  const number = site.newId();
  const made = ACTION_GROUPS.flatMap((group) => Object.entries<FormAction>(group.actions));
  const once = new Map(made.flatMap(([name, action]) => (action.isOnce ? [[name, number]] : [])));
  const content = createElement(FormContext, { value: { token: formToken, actions, once } }, shown);
  return { kind: 'view', frame, content };
}

/** The name of a view, of the tab at a path below it, or of the piece that is open. */
function findTitle(site: ConsoleSite, view: ConsoleViewKey, rest: readonly string[]): string {
  const file = rest.join('/');
  if (view === 'content' && /\.(?:yaml|md)$/.test(file)) return nameContentFile(site, file);
  const tab = rest.length === 1 ? findTab(view, rest) : undefined;
  return (tab?.rest && tab.name) || (CONSOLE_VIEWS.find(({ key }) => key === view)?.name ?? '');
}

/** Views that list each currency by itself while none is chosen and nothing is converted. */
const LISTS_CURRENCIES: readonly ConsoleViewKey[] = ['commissions', 'partners'];

/** Reads the money that is not in the currency of the totals; null where a view has no totals of a period. */
async function readForeign(site: ConsoleSite, { view, rest, parameters }: ViewTarget, query: ConsoleQuery) {
  const hasPeriod = CONSOLE_VIEWS.some((one) => one.key === view && one.hasPeriod) && rest.length === 0;
  // A search finds commissions of all time.
  if (!hasPeriod || (view === 'commissions' && (parameters.get('q') ?? '').trim() !== '')) return null;
  const foreign = await site.periods.readForeignMoney(query);
  const isEach = LISTS_CURRENCIES.includes(view) && query.currency === null && !foreign.isConverted;
  return isEach ? null : foreign;
}

/** Reads the whole table of a view, named after it and the currencies that are not in it; null when it has none. */
export async function exportView(
  wholeSite: ConsoleSite,
  target: ViewTarget,
): Promise<(ExportTable & { readonly name: string }) | null> {
  if (!isReadable(target.view, target.viewer)) return null;
  const site = showTo(target.viewer, wholeSite);
  const { query } = await parseQuery(site, target.parameters);
  const table = (await VIEWS[target.view].readTable?.(site, { ...target, query })) ?? null;
  if (table === null) return null;
  const isEach = LISTS_CURRENCIES.includes(target.view);
  const missing = isEach ? [] : ((await readForeign(site, target, query))?.missing ?? []);
  const without = missing.length === 0 ? [] : ['without', ...missing.map(({ currency }) => currency)];
  return { ...table, name: [target.view, ...without].join('-').toLowerCase() };
}

/** The doors, with the period and the filters of the view in their tabs, and what waits there for the operator. */
async function buildNavigation(
  site: ConsoleSite,
  target: ViewTarget,
  query: ConsoleQuery,
): Promise<ConsoleFrame['navigation']> {
  const { view: current, rest, viewer } = target;
  const { money, visitors, content } = site;
  const here = findTab(current, rest);
  // What needs attention takes longer to count than most views take.
  const isContent = current === 'content' && rest.join() === (here?.rest ?? '');
  const [waiting, sent, attention] = await Promise.all([
    money.commissions.table.count({ isWaiting: true }),
    visitors.messages.count(),
    isContent ? countAttention(site, { ...target, query }) : 0,
  ]);
  const counts: Readonly<Record<string, number>> = {
    ...countTasks(site, viewer),
    unmatched: waiting,
    messages: sent.new,
    attention,
  };
  const hasAssessment = !content.read().assessment.draft;
  return CONSOLE_DOORS.map(({ name, tabs }) => ({
    name,
    tabs: tabs
      .filter(({ view }) => isReadable(view, viewer) && (view !== 'assessment' || hasAssessment))
      .map((tab) => {
        const hasPeriod =
          tab.rest === undefined && CONSOLE_VIEWS.some((one) => one.key === tab.view && one.hasPeriod);
        return {
          ...tab,
          href: buildConsoleAddress(tab.view, hasPeriod ? { ...query, sort: null } : {}, {
            rest: tab.rest === undefined ? [] : [tab.rest],
          }),
          count: counts[tab.rest ?? tab.view] ?? 0,
          isHere: tab === here,
        };
      }),
  })).filter(({ tabs }) => tabs.length > 0);
}
