import { z } from 'zod';
import { findTokenCandidates } from '../commissions/ledger/click-token.ts';
import { addMonth, listActiveUses } from './labels.ts';

const day = z.iso.date();
const id = z
  .string()
  .regex(/^[\w.~-]{1,100}$/, 'only letters, digits, _ . ~ and -, at most 100 characters')
  .refine(
    (text) => findTokenCandidates(text).length === 0,
    'looks like a click id, and no id may name a visitor',
  );
const use = z.strictObject({
  id,
  /** The first day on which links carry it. */
  since: day,
  /** Addresses of pages; none ends the use. */
  pages: z
    .array(z.string().regex(/^\/[^\s?#]*$/, 'has to be the path of a page, such as /blog/desks'))
    .max(2_000),
  /** A name for a group. */
  name: z.string().trim().max(60).default(''),
  /** One place of links on these pages (`hero`, or `box / hero`); empty: all of them. */
  placement: z.string().trim().max(140).default(''),
});

/** What an id is given to, from a day on until its next use. */
export type LabelUse = z.output<typeof use>;

/**
 * Ids of a network (tracking ids, sub-ids, campaigns) that the site gives to pages, groups of pages and placements, so that
 * money without a click id finds them: `labels` of a partner's file.
 */
export const labelsSchema = z
  .strictObject({
    /** Left out: that of the network. */
    parameter: z
      .string()
      .regex(/^[A-Za-z_][\w.-]{0,39}$/, 'has to be the name of a parameter')
      .optional(),
    /** How many ids the account may have; left out: as many as the network's file says. */
    most: z.int().min(1).max(10_000).optional(),
    /** Ids that the site may give to pages. */
    pool: z.array(id).default([]),
    uses: z.array(use).default([]),
  })
  .superRefine(checkUses)
  // What the network's file says; see `readNetworks`.
  .transform((labels) => ({ ...labels, usualDays: 3, longestDays: 90 }));

export type PartnerLabels = z.output<typeof labelsSchema>;

function checkUses(
  { pool, uses }: { readonly pool: readonly string[]; readonly uses: readonly LabelUse[] },
  issues: z.RefinementCtx,
): void {
  const report = (path: (string | number)[], message: string) =>
    issues.addIssue({ code: 'custom', path, message });
  pool.forEach((one, index) => {
    if (pool.indexOf(one) < index) report(['pool', index], 'is in the pool twice');
  });
  for (const [index, one] of uses.entries()) {
    const before = uses.slice(0, index).findLast((other) => other.id === one.id);
    if (before !== undefined && one.since < addMonth(before.since))
      report(
        ['uses', index, 'since'],
        `${one.id} moves at most once a month: the next day is ${addMonth(before.since)}`,
      );
  }
  for (const date of new Set(uses.map(({ since }) => since))) {
    const owners = new Map<string, LabelUse>();
    for (const one of listActiveUses(uses, date))
      for (const page of one.pages) {
        const owner = owners.get(`${page} ${one.placement}`);
        // Reported once: on the first day of the second one.
        if (owner !== undefined && (one.since === date || owner.since === date))
          report(['uses', uses.indexOf(one), 'pages'], `${page} has ${owner.id} from ${date} on already`);
        owners.set(`${page} ${one.placement}`, one);
      }
  }
}
