import { type ComponentType, createElement, type ReactNode } from 'react';
import { addDays, getLocalDay } from '../core/commissions/local-time.ts';
import { type Capability, type ConsoleViewer, isAllowed } from '../core/console/capabilities.ts';
import {
  CONSOLE_DOORS,
  CONSOLE_VIEWS,
  type ConsoleViewKey,
  type ConsoleViewPath,
  findConsoleView,
  findTab,
} from '../core/console/console-view.ts';
import { findOnlySite } from '../server/outbound/beside.ts';
import { hideMoney } from './access/hide-money.ts';
import { ACTION_GROUPS, type FormAction } from './actions.ts';
import { ACTIVITY_COLUMNS, readAllActivity } from './activity/read.ts';
import { WeekView } from './activity/view.tsx';
import { readWeek } from './activity/week.ts';
import { CAMPAIGN_COLUMNS, readCampaigns, readCampaignTable } from './campaigns/read.ts';
import { CampaignsView } from './campaigns/view.tsx';
import { COMMISSION_COLUMNS, readCommissionPages, readCommissions } from './commissions/read.ts';
import { CommissionsView } from './commissions/view.tsx';
import type { ConsoleFrame, ConsoleNotice, ConsolePage, ViewProps } from './console-page.ts';
import type { ConsoleSite, ViewRequest } from './console-site.ts';
import { FileEditor } from './content/edit-view.tsx';
import { CONTENT_COLUMNS, readContentLines, readContentView } from './content/read.ts';
import { readBrand } from './content/read-file.ts';
import { ContentView } from './content/view.tsx';
import { nameContentFile } from './content/written-files.ts';
import { FormContext } from './frame/forms.tsx';
import { MoveInBlock } from './import/move-in-view.tsx';
import { readCostPage, readImportPage, readMoveInPage } from './import/read.ts';
import { ConnectionsPage, CostsView } from './import/view.tsx';
import { MESSAGE_COLUMNS, readAllMessages, readMessages } from './messages/read.ts';
import { MessagesView } from './messages/view.tsx';
import { DUE_COLUMNS, readDueTable, readMoney } from './money/read.ts';
import { MoneyView } from './money/view.tsx';
import { MONTH_COLUMNS, readOverviewTable } from './overview/read.ts';
import { countTasks, readOverviewWithTasks } from './overview/tasks.ts';
import { OverviewView } from './overview/view.tsx';
import { PAGE_COLUMNS, readPages, readPageTable } from './pages/read.ts';
import { PagesView } from './pages/view.tsx';
import { parseQuery } from './parse-query.ts';
import { readPartnersPage, readPartnerTable } from './partners/read.ts';
import { PartnersView } from './partners/view.tsx';
import { buildConsoleAddress } from './reports/addresses.ts';
import { buildPagedTable, buildTable, type Column, type ExportTable } from './reports/columns.ts';
import { type ConsoleQuery, DEFAULT_QUERY } from './reports/query.ts';
import { readSiteNames, readTitles } from './reports/site-pages.ts';
import { JOURNEY_VIEWS, readWithoutJourney } from './reports/without-journey.ts';
import { readSettingsPage } from './settings/read.ts';
import { SettingsPage } from './settings/view.tsx';
import { readSources, readSourceTable, SOURCE_COLUMNS } from './sources/read.ts';
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
  overview: view(readOverviewWithTasks, OverviewView, table(readOverviewTable, MONTH_COLUMNS)),
  week: view(readWeek, WeekView, table(readAllActivity, ACTIVITY_COLUMNS)),
  money: view(readMoney, MoneyView, table(readDueTable, DUE_COLUMNS)),
  commissions: view(readCommissions, CommissionsView, paged(readCommissionPages, COMMISSION_COLUMNS)),
  unmatched: view(readUnmatched, UnmatchedView, paged(readWaitingPages, UNMATCHED_COLUMNS)),
  pages: view(readPages, PagesView, table(readPageTable, PAGE_COLUMNS)),
  sources: view(readSources, SourcesView, table(readSourceTable, SOURCE_COLUMNS)),
  campaigns: view(readCampaigns, CampaignsView, table(readCampaignTable, CAMPAIGN_COLUMNS)),
  partners: view(readPartnersPage, PartnersView, { readTable: readPartnerTable }),
  content: view(readContentView, ContentView, table(readContentLines, CONTENT_COLUMNS)),
  messages: view(readMessages, MessagesView, table(readAllMessages, MESSAGE_COLUMNS)),
  settings: view(readSettingsPage, SettingsPage),
};

const connections = view(readImportPage, ConnectionsPage);
/** Pages below a view that are none of its tabs, by their path. */
const DETAILS: Readonly<Record<string, View>> = {
  'partners/import': connections,
  'partners/networks': connections,
  'partners/new-network': connections,
  'campaigns/costs': view(readCostPage, CostsView),
  'settings/move-in': view(readMoveInPage, MoveInBlock),
  'settings/brand': view(readBrand, FileEditor),
};

/** The page at a path: a view, or a page below one. */
export const findView = ({ view, rest }: ConsoleViewPath): View =>
  DETAILS[[view, ...rest.slice(0, 1)].join('/')] ?? VIEWS[view];

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
  const asked = new URLSearchParams(parameters);
  // The last day of a week is no range.
  if (view === 'week') asked.delete('to');
  const { query, problems, currencies } = await parseQuery(site, asked);
  // The overview reads what its door counts.
  const shown = await findView(target).read(site, { ...target, query });
  const hasJourneys = JOURNEY_VIEWS.includes(view) && rest.length === 0;
  const [navigation, reportingCurrency, foreign, withoutJourney, folding, titles, clicked] =
    await Promise.all([
      share === null ? buildNavigation(site, target, query) : [],
      site.periods.readReportingCurrency(),
      readForeign(site, target, query),
      hasJourneys ? readWithoutJourney(site, query) : null,
      site.money.commissions.fold.readState(),
      readTitles(site),
      currencies.length > 0 ||
        site.money.rollups.readByKey({ dimension: 'partner' }).then(
          ({ length }) => length > 0,
          () => true,
        ),
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
    hasRange: clicked,
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
    names: { ...readSiteNames(site), pages: titles },
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
  const days = findDecidingDays(view, rest);
  if (days !== null) {
    const to = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
    const recent = { ...DEFAULT_QUERY, from: addDays(to, 1 - days), to };
    return { ...(await site.periods.readForeignMoney(recent)), converted: [] };
  }
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
  const { visitors } = site;
  const here = findTab(current, rest);
  // Pages of the content can be opened still: partners are files of it.
  const hasContent = findOnlySite(site) === null;
  const sent = await visitors.messages.count();
  // Everything else that waits is a task.
  const counts = new Map([
    ['Overview', countTasks(site, viewer)],
    ['Messages', sent.new],
  ]);
  return CONSOLE_DOORS.map(({ name, group, tabs }) => ({
    name,
    group,
    count: counts.get(name) ?? 0,
    tabs: tabs
      .filter(({ view }) => isReadable(view, viewer) && (view !== 'content' || hasContent))
      .map((tab) => {
        const hasPeriod =
          tab.rest === undefined && CONSOLE_VIEWS.some((one) => one.key === tab.view && one.hasPeriod);
        return {
          ...tab,
          href: buildConsoleAddress(tab.view, hasPeriod ? { ...query, sort: null } : {}, {
            rest: tab.rest === undefined ? [] : [tab.rest],
          }),
          isHere: tab === here,
        };
      }),
  })).filter(({ tabs }) => tabs.length > 0);
}

/** Pages of the content that put what waits into the order of money: all pieces that of a year, the others of 30 days. */
const LISTS: ReadonlyMap<string, number> = new Map([
  ['', 365],
  ['links', 30],
  ['missing', 30],
]);

/** The last days whose money decides on a page, whatever period is chosen; null where none does. */
export function findDecidingDays(view: string, rest: readonly string[]): number | null {
  if (view !== 'content') return null;
  const path = rest.join('/');
  return LISTS.get(path) ?? (/\.(?:yaml|md)$/.test(path) ? 30 : null);
}
