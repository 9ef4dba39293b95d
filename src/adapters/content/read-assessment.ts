import { type Assessment, assessmentSchema } from '../../core/content/assessment.schema.ts';
import { checkReferences } from '../../core/content/assessment-checks.ts';
import type { Content } from '../../core/content/content.ts';
import { type Figures, fillFigures } from '../../core/content/figures.ts';
import type { ContentFolder } from './content-folder.ts';

const FILE = 'assessment.yaml';

/** Reads the assessment, checks what it names against the other files, and puts the figures in their places. */
export function readAssessment(
  folder: ContentFolder,
  found: Pick<Content, 'partners' | 'claims'>,
  figures: Figures,
): Assessment | undefined {
  const assessment = folder.readFile(FILE, assessmentSchema);
  if (assessment === undefined) return undefined;
  for (const { path, reason } of checkReferences(assessment, found)) {
    const field = path.map((part) => (typeof part === 'number' ? part + 1 : part)).join('.');
    folder.problems.push({ file: FILE, field, reason });
  }
  return fillFigures(assessment, figures, (name) => {
    folder.problems.push({ file: FILE, field: '', reason: `there is no figure "{${name}}"` });
  });
}
