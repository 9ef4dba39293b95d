import { DAY_MS } from '../clock.ts';
import type { Networks } from '../commissions/networks/network.schema.ts';
import { memoizeByKey } from '../text/memoize-by-key.ts';
import type { LabelUse, PartnerFile, PartnerLabels } from './partner.schema.ts';

/** The same day of the next month, or its last day. */
export function addMonth(date: string): string {
  const [year = 0, month = 1, of = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(of, last))).toISOString().slice(0, 10);
}

/** The use of each id on a day (`YYYY-MM-DD`). */
export function listActiveUses(uses: readonly LabelUse[], date: string): readonly LabelUse[] {
  const last = new Map<string, LabelUse>();
  for (const one of uses) if (one.since <= date) last.set(one.id, one);
  return [...last.values()];
}

/** Every id of a partner's file, each once. */
export const listLabels = ({ pool, uses }: PartnerLabels): readonly string[] => [
  ...new Set([...pool, ...uses.map((one) => one.id)]),
];

/**
 * Whether commissions find their pages by a label and need no id of the click in links: the network forbids such ids, or pages
 * have labels.
 */
export function isFoundByLabel(
  partner: Pick<PartnerFile, 'labels'> & { subId: object | null; terms: { network: string } },
  networks: Networks,
): boolean {
  const { subId, labels, terms } = partner;
  const isForbidden = networks.get(terms.network)?.link?.clickIds === 'forbidden';
  return subId === null && (isForbidden || labels?.uses.some(({ pages }) => pages.length > 0) === true);
}

/** What an operator does whose links to a partner carry no id of the click, by what its network takes. */
export function adviseClickId(
  { key, terms }: { readonly key: string; readonly terms: { readonly network: string } },
  networks: Networks,
): string {
  const { title = '', link } = networks.get(terms.network) ?? {};
  return link?.place === 'path'
    ? `${title} takes the click in the path of a link, which links of this site cannot carry.`
    : `Set subId in content/partners/${key}.yaml to ${link?.parameter ?? 'the parameter that the program reports'}.`;
}

const getIndex = memoizeByKey((_: PartnerLabels) => new Map<string, ReadonlyMap<string, string>>());
const MAX_DAYS = 800;

/**
 * The id that links of a page carry on a day, by the site's files alone: that of the placement, else that of the page; null
 * for that of the partner.
 */
export function chooseLabel(
  labels: PartnerLabels,
  page: string,
  placement: string,
  date: string,
): string | null {
  const index = getIndex(labels);
  let owners = index.get(date);
  if (owners === undefined) {
    if (index.size > MAX_DAYS) index.clear();
    owners = new Map(
      listActiveUses(labels.uses, date).flatMap((one) =>
        one.pages.map((path): [string, string] => [`${path} ${one.placement}`, one.id]),
      ),
    );
    index.set(date, owners);
  }
  const [, position] = placement.split(' / ');
  return (
    owners.get(`${page} ${placement}`) ??
    owners.get(`${page} ${position ?? ''}`) ??
    owners.get(`${page} `) ??
    null
  );
}

/** An id that could tell more elsewhere, or has no use yet. */
export interface LabelMove {
  readonly id: string;
  /** The pages that it has now. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly name: string;
}

/** Clicks of so many days decide which pages have an id of their own. */
export const MOVE_DAYS = 90;
/** An id moves to a page that has so many times the clicks of its own. */
const MOVE_FACTOR = 2;
/** Of the ids without a use, one of so many is for a group. */
const IDS_PER_GROUP = 4;

/**
 * Proposes uses for a day: ids without one go to the pages with the most clicks, the last of them to groups of the others;
 * an id of one page moves to a page of at least twice the clicks that has none of its own, if it has not moved for a month.
 * `clicks`: by page, those of the last 90 days.
 */
export function proposeMoves(
  labels: PartnerLabels,
  clicks: ReadonlyMap<string, number>,
  date: string,
): readonly LabelMove[] {
  const active = listActiveUses(labels.uses, date).filter(({ pages }) => pages.length > 0);
  const used = new Set(active.map((one) => one.id));
  const free = listLabels(labels).filter((one) => {
    const last = labels.uses.findLast((other) => other.id === one);
    return !used.has(one) && (last === undefined || addMonth(last.since) <= date);
  });
  const owned = new Set(active.flatMap(({ pages }) => pages));
  const sort = (pages: readonly string[]) =>
    pages.toSorted(
      (one, other) => (clicks.get(other) ?? 0) - (clicks.get(one) ?? 0) || (one < other ? -1 : 1),
    );
  const open = sort([...clicks].flatMap(([page, count]) => (count > 0 && !owned.has(page) ? [page] : [])));
  const grouped = sort(active.filter(({ pages }) => pages.length > 1).flatMap(({ pages }) => pages));
  const isEnough = open.length <= free.length;
  const singles = isEnough ? free.length : free.length - Math.max(1, Math.floor(free.length / IDS_PER_GROUP));
  const moves = free.slice(0, singles).flatMap((one, index): LabelMove[] => {
    const page = (open.length === 0 ? grouped : open)[index];
    return page === undefined ? [] : [{ id: one, from: [], to: [page], name: '' }];
  });
  for (const [index, one] of free.slice(singles).entries()) {
    const to = open.slice(singles).filter((_, place) => place % (free.length - singles) === index);
    if (to.length > 0) moves.push({ id: one, from: [], to, name: `group ${index + 1}` });
  }
  if (free.length > 0) return moves;
  const own = active
    .filter(
      ({ pages, placement, since }) => pages.length === 1 && placement === '' && addMonth(since) <= date,
    )
    .map((one) => ({ ...one, clicks: clicks.get(one.pages[0] ?? '') ?? 0 }))
    .sort((one, other) => one.clicks - other.clicks);
  const wanted = sort([...open, ...grouped]);
  return own.flatMap((one, index) => {
    const page = wanted[index] ?? '';
    const count = clicks.get(page) ?? 0;
    const isWorth = count > 0 && count >= MOVE_FACTOR * one.clicks;
    return isWorth ? [{ id: one.id, from: one.pages, to: [page], name: '' }] : [];
  });
}

/**
 * The uses that make moves from a day on: those of the ids, and those of groups that lose a page to them. Null where one of
 * these has changed in the month before.
 */
export function buildMovedUses(
  labels: PartnerLabels,
  moves: readonly LabelMove[],
  since: string,
): readonly LabelUse[] | null {
  const taken = new Set(moves.flatMap(({ to }) => to));
  const own = moves.map(
    ({ id: one, to, name }): LabelUse => ({ id: one, since, pages: [...to], name, placement: '' }),
  );
  const left = listActiveUses(labels.uses, since).flatMap((one): LabelUse[] => {
    const rest = one.pages.filter((page) => !taken.has(page));
    const isOwn = moves.some((move) => move.id === one.id);
    return isOwn || one.placement !== '' || rest.length === one.pages.length
      ? []
      : [{ ...one, since, pages: rest }];
  });
  const isAllowed = [...left, ...own].every((one) => {
    const last = labels.uses.findLast((other) => other.id === one.id);
    return last === undefined || addMonth(last.since) <= since;
  });
  return isAllowed ? [...left, ...own] : null;
}

/** The days from one to another, both `YYYY-MM-DD`, negative if the other is before it. */
export const countDaysBetween = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
