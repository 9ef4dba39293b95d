import { DAY_MS } from '../clock.ts';
import { memoizeByKey } from '../text/memoize-by-key.ts';
import type { LabelUse, PartnerLabels } from './labels.schema.ts';

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

/** The days from one to another, both `YYYY-MM-DD`, negative if the other is before it. */
export const countDaysBetween = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
