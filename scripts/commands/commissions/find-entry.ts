import type { LedgerEntry } from '../../../src/core/commissions/build-ledger.ts';

/** A failure that the operator can do something about. */
export class CommandError extends Error {}

/** Finds a commission by the id of its network. Throws `CommandError` when none has it, or several partners have it. */
export function findEntry(
  entries: readonly LedgerEntry[],
  id: string,
  partnerKey: string | undefined,
): LedgerEntry {
  const found = entries.filter(
    ({ commission: { nativeId, partner } }) =>
      nativeId === id && (partnerKey === undefined || partner === partnerKey),
  );
  const [entry] = found;
  if (entry === undefined) throw new CommandError(`There is no commission "${id}".`);
  if (found.length > 1) {
    const partners = found.map(({ commission }) => commission.partner).join(', ');
    throw new CommandError(`Several partners have a commission "${id}": add --partner (${partners}).`);
  }
  return entry;
}
