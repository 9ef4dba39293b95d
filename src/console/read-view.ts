import {
  CONSOLE_VIEWS,
  type ConsoleViewKey,
  type ConsoleViewPath,
  findConsoleView,
} from '../core/console/console-view.ts';
import { type ConsoleViewer, isOwner } from '../core/console/operator.ts';
import type { ConsoleFrame, ConsoleLink, ConsoleNotice, ConsolePage } from './console-page.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from './console-site.ts';
import { buildConsoleAddress } from './figures/addresses.ts';
import type { ExportTable } from './figures/columns.ts';
import type { ConsoleQuery } from './figures/query.ts';
import { readSiteNames } from './figures/site-pages.ts';
import { parseQuery } from './parse-query.ts';
import { listWaiting } from './unmatched/read.ts';
import { VIEWS } from './views.ts';

/** Where a view is, and whose request it is. Who may see a view was decided before. */
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

/** Whether a viewer may post forms to a view. */
export function isPostable(view: ConsoleViewKey, viewer: ConsoleViewer): boolean {
  const { post, isOpenToViewers = false } = VIEWS[view];
  return post !== undefined && viewer.kind === 'operator' && (isOwner(viewer) || isOpenToViewers);
}

/**
 * Reads a view with its frame; null when there is no such page. `share`: when the share link ends and where it exports
 * the table; null for operators.
 */
export async function readView(
  site: ConsoleSite,
  target: ViewTarget,
  notice: ConsoleNotice | null,
  share: { readonly until: number; readonly exportHref: string } | null,
): Promise<ConsolePage | null> {
  const { view, rest, parameters, viewer, formToken } = target;
  const { query, problems, currencies } = await parseQuery(site, parameters);
  const [show, navigation] = await Promise.all([
    VIEWS[view].read(site, { ...target, query }),
    share === null ? buildNavigation(site, query) : [],
  ]);
  if (show === null) return null;
  const exportHref = share?.exportHref ?? buildConsoleAddress(view, {}, { suffix: '.csv' });
  const frame: ConsoleFrame = {
    ...{ view, rest, viewer, formToken, navigation, query, currencies, problems, notice },
    siteName: site.content.site.name,
    isSample: site.platform.isSample,
    timeZone: site.settings.TIME_ZONE,
    title: CONSOLE_VIEWS.find(({ key }) => key === view)?.name ?? '',
    names: readSiteNames(site),
    parameters: parameters.toString(),
    exportHref: VIEWS[view].readTable === undefined ? null : exportHref,
    sharedUntil: share?.until ?? null,
  };
  return { kind: 'view', frame, content: show(frame) };
}

/** Reads the whole table of a view; null when it has none. */
export async function exportView(site: ConsoleSite, target: ViewTarget): Promise<ExportTable | null> {
  const { query } = await parseQuery(site, target.parameters);
  return (await VIEWS[target.view].readTable?.(site, { ...target, query })) ?? null;
}

/** Hands a posted form to its view; null when the view takes none. */
export async function postToView(
  site: ConsoleSite,
  form: FormData,
  target: ViewTarget,
): Promise<ActionOutcome | null> {
  const { query } = await parseQuery(site, target.parameters);
  return (await VIEWS[target.view].post?.(site, form, { ...target, query })) ?? null;
}

/** The views of the same period and with the same filters, with what waits in them for the operator. */
async function buildNavigation(
  { commissions, messages }: ConsoleSite,
  query: ConsoleQuery,
): Promise<readonly ConsoleLink[]> {
  const [entries, sent] = await Promise.all([commissions.readEntries(), messages.count()]);
  const counts: Partial<Record<ConsoleViewKey, number>> = {
    unmatched: listWaiting(entries).length,
    messages: sent.new,
  };
  return CONSOLE_VIEWS.map(({ key, name, hasPeriod }) => ({
    view: key,
    name,
    href: buildConsoleAddress(key, hasPeriod ? { ...query, sort: null } : {}),
    count: counts[key] ?? null,
  }));
}
