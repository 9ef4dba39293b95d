import type { CommissionStatus } from '../../core/commissions/commission-fact.ts';

const STATUS_CLASSES: Readonly<Record<CommissionStatus, string>> = {
  pending: 'tag tag-pending',
  approved: 'tag tag-approved',
  paid: 'tag tag-approved',
  reversed: 'tag tag-reversed',
  unknown: 'tag tag-unknown',
};

/** The status of a commission as a word with the look of its money. */
export function StatusTag(props: { readonly status: CommissionStatus }) {
  return <span className={STATUS_CLASSES[props.status]}>{props.status}</span>;
}
