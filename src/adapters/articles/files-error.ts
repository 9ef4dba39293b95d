import type { FieldProblem } from '../../core/articles/front-matter.schema.ts';

/** One wrong article file and all that is wrong with it. */
export interface WrongFile {
  readonly file: string;
  readonly problems: readonly FieldProblem[];
}

/** Thrown when article files are wrong; the message names each file, field and reason. */
export class ArticleFilesError extends Error {
  readonly code = 'wrong-files';
  readonly wrong: readonly WrongFile[];
  constructor(wrong: readonly WrongFile[]) {
    const lines = wrong.flatMap(({ file, problems }) =>
      problems.map(({ field, reason }) => `  ${file}: ${field} ${reason}`),
    );
    super(
      `[articles:files] ${wrong.length === 1 ? 'one file is' : `${wrong.length} files are`} wrong\n${lines.join('\n')}`,
    );
    this.name = 'ArticleFilesError';
    this.wrong = wrong;
  }
}
