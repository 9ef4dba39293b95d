import { listLabels } from '../core/outbound/labels.ts';
import { isPayeeLabel, type Partner } from '../core/outbound/partner.ts';
import { isNetworkFile } from './networks.ts';
import { hashText } from './parse-yaml.ts';

/** What decides who is paid for the links of a partner: each value by its field, such as `destinations.pricing`. */
export type Payee = Readonly<Record<string, string>>;

/** A value that differs from what was confirmed; null: the field is missing. */
interface PayeeValue {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A partner for whose links somebody else may be paid than was confirmed; `hash` stands for all of the values. */
export interface PayeeChange {
  /** Its key; `networks/acme`: the file of a network, of which the hosts, secrets and signature are confirmed. */
  readonly partner: string;
  readonly name: string;
  /** What has changed, as the beginning of a sentence. */
  readonly what: string;
  readonly values: readonly PayeeValue[];
  readonly hash: string;
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

/** Compares a partner with what was confirmed of it (undefined: nothing); null when nobody else is paid. */
export function findPayeeChange(partner: Partner, confirmed: Payee = {}): PayeeChange | null {
  const { key, name } = partner;
  const what = `Who is paid for links to ${name}`;
  return compareConfirmed({ partner: key, name, what }, describePayee(partner), confirmed);
}

/** Compares values with what was confirmed of them; null when they are the same. */
export function compareConfirmed(
  changed: Pick<PayeeChange, 'partner' | 'name' | 'what'>,
  current: Payee,
  confirmed: Payee,
): PayeeChange | null {
  const fields = [...new Set([...Object.keys(confirmed), ...Object.keys(current)])];
  const values = fields
    .map((field) => ({ field, before: confirmed[field] ?? null, after: current[field] ?? null }))
    .filter(({ before, after }) => before !== after);
  if (values.length === 0) return null;
  return { ...changed, values, hash: hashText(JSON.stringify([changed.partner, values])) };
}

/** A value with the one before it, for a line of text. */
export const describePayeeValue = ({ field, before, after }: PayeeValue): string =>
  `${field}: ${before ?? 'none'} → ${after ?? 'none'}`;

/** The file in which a change is, below the content folder. */
export const findPayeeFile = ({ partner }: PayeeChange): string =>
  `${isNetworkFile(partner) ? '' : 'partners/'}${partner}.yaml`;
