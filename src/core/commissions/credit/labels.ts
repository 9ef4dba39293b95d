import { chooseLabel, countDaysBetween, listActiveUses } from '../../outbound/labels.ts';
import type { PartnerLabels } from '../../outbound/partner.schema.ts';
import type { CommissionKind, FactLabel } from '../ledger/commission-fact.ts';
import type { LabelCredit, LabelDay } from '../ledger/stored-money.schema.ts';
import { allocateAmount } from '../money.ts';

/** Counted clicks on links to one partner, by day, page and place. */
export interface PlacedClicks {
  readonly day: string;
  readonly page: string;
  readonly place: string;
  readonly clicks: number;
}

const WEIGHT_UNIT = 1_000_000;
/** A page that an id has left keeps its late orders until its part is smaller. */
const MIN_FORMER_PART = 0.01;
const REST_NAME = 'pages without an id of their own';

/**
 * Builds the weights of an id on a day: its clicks up to that day, each as much as orders of clicks of its age are still to be
 * expected. `own`: the partner's affiliate id, which stands for all pages without another one. Null for an id that is not the
 * site's.
 */
export function buildLabelDay(
  partner: { readonly key: string; readonly labels: PartnerLabels; readonly own: string | null },
  label: string,
  day: string,
  clicks: readonly PlacedClicks[],
): LabelDay | null {
  const { key, labels, own } = partner;
  const isOwn = label === own && !labels.uses.some(({ id }) => id === label);
  if (!isOwn && !labels.uses.some(({ id, since }) => id === label && since <= day)) return null;
  const use = listActiveUses(labels.uses, day).find(({ id }) => id === label);
  const sums = new Map<string, number>();
  const ages = new Map<string, number>();
  for (const { page, place, clicks: count, day: clicked } of clicks) {
    const age = ages.get(clicked) ?? countDaysBetween(clicked, day);
    ages.set(clicked, age);
    if (age < 0 || age > labels.longestDays) continue;
    if (chooseLabel(labels, page, place, clicked) !== (isOwn ? null : label)) continue;
    sums.set(page, (sums.get(page) ?? 0) + count * 2 ** (-age / labels.usualDays));
  }
  const total = [...sums.values()].reduce((sum, weight) => sum + weight, 0);
  const isKept = (page: string, weight: number) =>
    weight > 0 && (isOwn || use?.pages.includes(page) === true || weight >= MIN_FORMER_PART * total);
  const weighed = [...sums].flatMap(([page, weight]): [string, number][] =>
    isKept(page, weight) ? [[page, Math.max(1, Math.round(weight * WEIGHT_UNIT))]] : [],
  );
  const pages = weighed.length > 0 ? weighed : (use?.pages ?? []).map((page): [string, number] => [page, 0]);
  const [only] = use?.pages ?? [];
  return {
    partner: key,
    label,
    day,
    name: isOwn ? REST_NAME : (use?.name ?? ''),
    isOne: use?.pages.length === 1 && pages.length === 1 && pages[0]?.[0] === only,
    pages: pages.sort(([one], [other]) => (one < other ? -1 : 1)),
  };
}

/** What the credit of a commission depends on. */
interface LabelledSale {
  readonly partner: string;
  readonly kind: CommissionKind;
  readonly amount: number;
  readonly reversedAmount: number;
  /** ms since 1970. */
  readonly eventTime: number;
  readonly label?: FactLabel | undefined;
}

interface LabelEntry {
  readonly commission: LabelledSale;
  readonly journey: object | null;
  readonly isCounted: boolean;
  readonly reason: unknown;
  readonly labelled?: LabelCredit | undefined;
}

/** With fewer items of an id in a month, a share would be off by more than 16 points in one of three cases. */
const MIN_SHARED_ITEMS = 20;

const buildLabelKey = (partner: string, label: string, rest: string) =>
  JSON.stringify([partner, label, rest]);

/** The key of the weights of an id on a day. */
export const buildLabelDayKey = ({
  partner,
  label,
  day,
}: {
  readonly partner: string;
  readonly label: string;
  readonly day: string;
}) => buildLabelKey(partner, label, day);

/** What was sold by a commission, before it was taken back. */
const getWorth = ({ amount, reversedAmount }: LabelledSale) => amount + reversedAmount;

/**
 * Credits commissions without a click by their ids. A return takes the weights of the latest sale of the same item and id
 * before it, else those of all sales of the id in its month. `days`: weights by `buildLabelDayKey`. `getDay`: the local day of
 * a moment (ms since 1970). The same list when none has an id.
 */
export function attributeLabels<Entry extends LabelEntry>(
  entries: readonly Entry[],
  days: ReadonlyMap<string, LabelDay>,
  getDay: (time: number) => string,
): readonly Entry[] {
  const find = ({ commission: { partner, label, eventTime } }: Entry) =>
    label === undefined
      ? undefined
      : days.get(buildLabelDayKey({ partner, label: label.id, day: getDay(eventTime) }));
  const items = new Map<string, number>();
  const months = new Map<string, Map<string, number>>();
  const sales = new Map<string, { readonly time: number; readonly weights: LabelDay }[]>();
  const labelled = entries.filter(
    ({ journey, commission }) => journey === null && commission.label !== undefined,
  );
  if (labelled.length === 0) return entries;
  for (const entry of labelled) {
    const { partner, label, eventTime, kind } = entry.commission;
    const weights = find(entry);
    const worth = getWorth(entry.commission);
    if (label === undefined || weights === undefined || !entry.isCounted || worth <= 0 || kind === 'lead')
      continue;
    const month = buildLabelKey(partner, label.id, weights.day.slice(0, 7));
    items.set(month, (items.get(month) ?? 0) + label.items);
    const sums = months.get(month) ?? new Map<string, number>();
    months.set(month, sums);
    for (const [page, part] of divide(worth, weights.pages)) sums.set(page, (sums.get(page) ?? 0) + part);
    if (label.item === '') continue;
    const key = buildLabelKey(partner, label.id, label.item);
    const sold = sales.get(key) ?? [];
    sales.set(key, sold);
    sold.push({ time: eventTime, weights });
  }
  for (const list of sales.values()) list.sort((one, other) => one.time - other.time);
  const credit = (entry: Entry): LabelCredit | null => {
    const { partner, label, eventTime } = entry.commission;
    const own = find(entry);
    if (label === undefined || own === undefined) return null;
    const isReturn = getWorth(entry.commission) < 0;
    const sold = isReturn ? (sales.get(buildLabelKey(partner, label.id, label.item)) ?? []) : [];
    const sale = sold.findLast(({ time }) => time <= eventTime)?.weights;
    const weights = sale ?? own;
    const month = buildLabelKey(partner, label.id, weights.day.slice(0, 7));
    const sums =
      isReturn && sale === undefined ? [...(months.get(month) ?? [])].filter(([, sum]) => sum > 0) : [];
    const isOne =
      sums.length > 0 ? sums.length === 1 && own.isOne && sums[0]?.[0] === own.pages[0]?.[0] : weights.isOne;
    const pages = sums.length > 0 ? sums : weights.pages;
    const isShared = pages.some(([, weight]) => weight > 0) && (items.get(month) ?? 0) >= MIN_SHARED_ITEMS;
    const how = isOne ? 'label' : isShared ? 'share' : 'group';
    return { how, label: label.id, name: weights.name, pages };
  };
  return entries.map((entry) => {
    const known = entry.journey === null && entry.commission.label !== undefined ? credit(entry) : null;
    return known === null ? entry : { ...entry, labelled: known, reason: null };
  });
}

/** Divides an amount among pages by their weights; a page without clicks is alone, or nothing is divided. */
function divide(
  amount: number,
  pages: LabelDay['pages'],
): readonly (readonly [page: string, part: number])[] {
  const [first] = pages;
  if (pages.length === 1 && first !== undefined) return [[first[0], amount]];
  if (!pages.some(([, weight]) => weight > 0)) return [];
  const parts = allocateAmount(
    amount,
    pages.map(([, weight]) => weight),
  );
  return pages.map(([page], index) => [page, parts[index] ?? 0]);
}

/** Builds the money of a page or an id that has none yet. `inGroup`: what stays with groups. */
const buildNoLabelMoney = () => ({ byLabel: 0, byShare: 0, inGroup: 0 });
/** Money without a click id, in minor units of one currency. */
export type LabelMoney = ReturnType<typeof buildNoLabelMoney>;

/** What an id of a partner has brought. `name`: of its group, empty where it names one page; `items`: that were sold. */
const newGroup = (partner: string, label: string, name: string) => ({
  ...buildNoLabelMoney(),
  partner,
  label,
  name,
  items: 0,
});

/**
 * Sums what commissions of one currency are credited with by their ids: by page, by id and name, and in all. `getAmount` says
 * what one counts as, in minor units.
 */
export function sumLabels<Entry extends LabelEntry>(
  entries: readonly Entry[],
  getAmount: (entry: Entry) => number,
) {
  const pages = new Map<string, LabelMoney>();
  const groups = new Map<string, ReturnType<typeof newGroup>>();
  const total = buildNoLabelMoney();
  for (const entry of entries) {
    const { labelled, commission } = entry;
    if (labelled === undefined) continue;
    const { how, label, name } = labelled;
    const { partner, kind } = commission;
    const key = buildLabelKey(partner, label, name);
    const group = groups.get(key) ?? newGroup(partner, label, name);
    groups.set(key, group);
    if (kind !== 'lead') group.items += commission.label?.items ?? 0;
    const amount = getAmount(entry);
    const field = how === 'label' ? 'byLabel' : how === 'share' ? 'byShare' : 'inGroup';
    group[field] += amount;
    total[field] += amount;
    if (how === 'group') continue;
    for (const [page, part] of divide(amount, labelled.pages)) {
      const money = pages.get(page) ?? buildNoLabelMoney();
      pages.set(page, money);
      money[field] += part;
    }
  }
  return { pages, groups: [...groups.values()], total };
}

/** What was sold by ids, by page or group: of each the products with the most money first. */
export function listLabelledItems<Entry extends LabelEntry>(
  entries: readonly Entry[],
  getAmount: (entry: Entry) => number,
) {
  const sums = new Map<
    string,
    { page: string | null; group: string; item: string; name: string; items: number; amount: number }
  >();
  for (const entry of entries) {
    const { labelled, commission } = entry;
    const { item = '', name = '', items = 0 } = commission.label ?? {};
    if (labelled === undefined || name + item === '' || commission.kind === 'lead') continue;
    const page = labelled.how === 'label' ? (labelled.pages[0]?.[0] ?? null) : null;
    const group = page === null ? labelled.name || labelled.label : '';
    const key = JSON.stringify([page, group, item, item === '' ? name : '']);
    const sum = sums.get(key) ?? { page, group, item, name, items: 0, amount: 0 };
    sums.set(key, sum);
    sum.items += items;
    sum.amount += getAmount(entry);
  }
  const places = Map.groupBy(sums.values(), ({ page, group }) => page ?? group);
  return [...places]
    .map(([place, list]) => ({ place, list, amount: list.reduce((sum, one) => sum + one.amount, 0) }))
    .sort((one, other) => other.amount - one.amount || (one.place < other.place ? -1 : 1))
    .flatMap(({ list }) => list.sort((one, other) => other.amount - one.amount));
}
