import type { PreparedImport } from './import-site.ts';

/** Writes the counts of an import for the operator. */
export function formatSummary({ counts, files, notes }: PreparedImport): string {
  const count = (outcome: string) => files.filter((file) => file.outcome === outcome).length;
  const lines = [
    `Read: ${counts.items} items; ${counts.linksRead} links and ${counts.imagesRead} images in texts.`,
    `Articles: ${counts.posts} posts and ${counts.pages} pages, ${counts.drafts} of them drafts; ${counts.linksWritten} links and ${counts.imagesWritten} images in texts.`,
    `Paid links: ${counts.partnerLinks} through partners, ${counts.sponsoredLinks} marked as sponsored.`,
    `Redirects: ${counts.redirects}. Image files: ${counts.files}. Blocks that stay HTML: ${counts.htmlBlocks}.`,
    `Files: ${count('created')} new, ${count('updated')} changed, ${count('unchanged')} as before, ${count('edited') + count('removed')} left as edited.`,
    `Changed: ${countNotes(notes, 'changed')}. Lost: ${countNotes(notes, 'lost')}. Not understood: ${countNotes(notes, 'not understood')}.`,
  ];
  return `${lines.join('\n')}\n`;
}

const countNotes = (notes: PreparedImport['notes'], kind: string) =>
  notes.filter((note) => note.kind === kind).length;

/** Writes what an import read, wrote, changed and did not understand, each with its place, and each file. */
export function formatReport(prepared: PreparedImport): string {
  const { notes, files, refusals } = prepared;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : ['', `${title} (${lines.length})`, ...lines.map((line) => `- ${line.replace(/\s+/g, ' ')}`)];
  const ofKind = (kind: string) =>
    notes.filter((note) => note.kind === kind).map(({ place, text }) => `${place}: ${text}`);
  return [
    formatSummary(prepared).trimEnd(),
    ...list('Why nothing was written', refusals),
    ...list('Lost', ofKind('lost')),
    ...list('Not understood', ofKind('not understood')),
    ...list('Changed', ofKind('changed')),
    ...list('Suggestions', ofKind('suggestion')),
    ...list(
      'Files',
      files.map(({ file, outcome }) => `${file}: ${outcome}`),
    ),
    '',
  ].join('\n');
}
