/** One thing wrong with a content file, in the operator's terms. */
export interface ContentProblem {
  /** Path below the content folder, for example `pages/template.yaml`. */
  readonly file: string;
  /** Field, dotted, with list positions from 1; empty for the file itself. */
  readonly field: string;
  readonly reason: string;
}

/** Everything that is wrong with the content, at once. Thrown when content is read. */
export class ContentError extends Error {
  readonly problems: readonly ContentProblem[];
  constructor(problems: readonly ContentProblem[]) {
    super(
      [
        `[content] ${problems.length} problem${problems.length === 1 ? '' : 's'}:`,
        ...problems.map(formatProblem),
      ].join('\n'),
    );
    this.name = 'ContentError';
    this.problems = problems;
  }
}

function formatProblem({ file, field, reason }: ContentProblem): string {
  return `  content/${file}${field === '' ? '' : `, ${field}`}: ${reason}`;
}
