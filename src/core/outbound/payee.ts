import { listLabels } from './labels.ts';
import { isPayeeLabel, type Partner } from './partner.ts';

/** What decides who is paid for the links of a partner: each value by its field, such as `destinations.pricing`. */
export type Payee = Readonly<Record<string, string>>;

/** A value that differs from what was confirmed; null: the field is missing. */
interface PayeeValue {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A partner for whose links somebody else may be paid than was confirmed. */
export interface PayeeChange {
  readonly partner: string;
  readonly name: string;
  readonly values: readonly PayeeValue[];
}

/** Lists the affiliate id, the labels that stand in its place, and every destination of a partner. */
export function describePayee({ affiliate, labels, destinations, regions = new Map() }: Partner): Payee {
  const places: [string, ReadonlyMap<string, string>][] = [['destinations', destinations]];
  for (const [region, addresses] of regions) places.push([`regions.${region}`, addresses]);
  return Object.fromEntries([
    ...(affiliate === null ? [] : [['affiliate', `${affiliate.parameter}=${affiliate.value}`]]),
    ...(isPayeeLabel(affiliate, labels)
      ? listLabels(labels).map((id) => [`labels.${id}`, `${labels.parameter}=${id}`])
      : []),
    ...places.flatMap(([place, addresses]) => [...addresses].map(([key, url]) => [`${place}.${key}`, url])),
  ]);
}

/** Compares a partner with what was confirmed of it (undefined: nothing); null when nothing differs. */
export function comparePayee(partner: Partner, confirmed: Payee = {}): PayeeChange | null {
  const current = describePayee(partner);
  const fields = [...new Set([...Object.keys(confirmed), ...Object.keys(current)])];
  const values = fields
    .map((field) => ({ field, before: confirmed[field] ?? null, after: current[field] ?? null }))
    .filter(({ before, after }) => before !== after);
  return values.length === 0 ? null : { partner: partner.key, name: partner.name, values };
}

/** A value with the one before it, for a line of text. */
export const describePayeeValue = ({ field, before, after }: PayeeValue): string =>
  `${field}: ${before ?? 'none'} → ${after ?? 'none'}`;
