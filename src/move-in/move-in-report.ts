import { z } from 'zod';
import type { MoveInNote } from './former-item.ts';
import { partnerDecisionSchema } from './merchants.ts';
import type { PreparedMoveIn } from './move-site.ts';

/** Writes the counts of an import for the operator. */
export function formatSummary({ counts, files, notes }: PreparedMoveIn): string {
  const count = (outcome: string) => files.filter((file) => file.outcome === outcome).length;
  const lines = [
    `Read: ${counts.items} items; ${counts.linksRead} links and ${counts.imagesRead} images in texts.`,
    `Articles: ${counts.posts} posts and ${counts.pages} pages, ${counts.drafts} of them drafts; ` +
      `${counts.linksWritten} links and ${counts.imagesWritten} images in texts.`,
    `Paid links: ${counts.partnerLinks} through partners, ${counts.sponsoredLinks} marked as sponsored.`,
    `Images: ${counts.imagesElsewhere} stay on their host, ${counts.imagesHidden} will not be shown.`,
    `Redirects: ${counts.redirects}. Image files: ${counts.files}. Product boxes: ${counts.productBoxes}. Blocks that stay HTML: ${counts.htmlBlocks}.`,
    `Files: ${count('created')} new, ${count('updated')} changed, ${count('unchanged')} as before, ` +
      `${count('edited') + count('removed')} left as edited` +
      (count('cleared') > 0 ? `, ${count('cleared')} of the sample removed.` : '.'),
    `Changed: ${countNotes(notes, 'changed')}. Lost: ${countNotes(notes, 'lost')}. Not understood: ${countNotes(notes, 'not understood')}.`,
  ];
  return `${lines.join('\n')}\n`;
}

const countNotes = (notes: PreparedMoveIn['notes'], kind: string) =>
  notes.filter((note) => note.kind === kind).length;

/**
 * Lists what an import read, wrote, changed and did not understand, each with its place, and each file, line by line: the
 * report of a large site has hundreds of thousands.
 */
export function* listReport(prepared: PreparedMoveIn): Generator<string> {
  const { notes, files, refusals } = prepared;
  const ofKind = (kind: MoveInNote['kind']) => notes.filter((note) => note.kind === kind);
  const formatNote = ({ place, text }: MoveInNote) => `${place}: ${text}`;
  yield formatSummary(prepared);
  yield* listLines('Why nothing was written', refusals, (reason) => reason);
  yield* listLines('Lost', ofKind('lost'), formatNote);
  yield* listLines('Not understood', ofKind('not understood'), formatNote);
  yield* listLines('Changed', ofKind('changed'), formatNote);
  yield* listLines('Suggestions', ofKind('suggestion'), formatNote);
  yield* listLines('Files', files, ({ file, outcome }) => `${file}: ${outcome}`);
}

function* listLines<Row>(
  title: string,
  rows: readonly Row[],
  format: (row: Row) => string,
): Generator<string> {
  if (rows.length > 0) yield `\n${title} (${rows.length})\n`;
  for (const row of rows) yield `- ${format(row).replace(/\s+/g, ' ')}\n`;
}

/** What an uploaded export would bring. */
export const moveInPreviewSchema = z.strictObject({
  posts: z.number(),
  pages: z.number(),
  drafts: z.number(),
  redirects: z.number(),
  changed: z.number(),
  lost: z.number(),
  unknown: z.number(),
  /** Files of the sample that the import takes out unless they are to stay. */
  sample: z.number().default(0),
  /** Images that stay on the former host, and images that the site will not show. */
  imagesElsewhere: z.number().default(0),
  imagesHidden: z.number().default(0),
  /** The first of what is lost or not understood. */
  examples: z.array(z.string()),
  refusals: z.array(z.string()),
  /** Products of boxes that the operator is asked to name. */
  nameless: z
    .array(z.strictObject({ number: z.string(), name: z.string(), uses: z.number(), example: z.string() }))
    .default([]),
  groups: z.array(
    z.strictObject({ proposal: partnerDecisionSchema, links: z.number(), example: z.string() }),
  ),
});
/** What an uploaded export would bring. */
export type MoveInPreview = z.infer<typeof moveInPreviewSchema>;

const MAX_EXAMPLES = 100;

/** Builds what the console shows of an upload before it is moved in. */
export function buildPreview({
  counts,
  notes,
  groups,
  refusals,
  sample,
  nameless,
}: PreparedMoveIn): MoveInPreview {
  const count = (kind: string) => notes.filter((note) => note.kind === kind).length;
  const open = notes.filter(({ kind }) => kind === 'lost' || kind === 'not understood');
  return {
    posts: counts.posts,
    pages: counts.pages,
    drafts: counts.drafts,
    redirects: counts.redirects,
    changed: count('changed'),
    lost: count('lost'),
    unknown: count('not understood'),
    sample,
    nameless: [...nameless],
    imagesElsewhere: counts.imagesElsewhere,
    imagesHidden: counts.imagesHidden,
    examples: open.slice(0, MAX_EXAMPLES).map(({ place, text }) => `${place}: ${text}`),
    refusals: [...refusals],
    groups: groups.map(({ proposal, targets }) => ({
      proposal,
      links: [...targets.values()].reduce((sum, uses) => sum + uses, 0),
      example: [...targets.keys()][0] ?? '',
    })),
  };
}
