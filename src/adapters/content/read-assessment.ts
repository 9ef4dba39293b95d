import { type Assessment, assessmentSchema } from '../../core/assessment/assessment.schema.ts';
import { type AssessmentReferences, checkAssessment } from '../../core/assessment/assessment-checks.ts';
import { type Figures, fillFigures } from '../../core/pages/figures.ts';
import { ASSESSMENT_RENAMES, applyRenames } from '../../core/pages/renamed-keys.ts';
import type { ContentFolder } from './content-folder.ts';

const FILE = 'assessment.yaml';

/** Reads the assessment, checks what it names against the other files, and puts the figures in their places. */
export function readAssessment(
  folder: ContentFolder,
  found: AssessmentReferences,
  figures: Figures,
): Assessment | undefined {
  const assessment = folder.readFile(FILE, assessmentSchema, (raw, report) =>
    applyRenames(raw, ASSESSMENT_RENAMES, report),
  );
  if (assessment === undefined) return undefined;
  for (const { path, reason } of checkAssessment(assessment, found)) {
    const field = path.map((part) => (typeof part === 'number' ? part + 1 : part)).join('.');
    folder.problems.push({ file: FILE, field, reason });
  }
  return fillFigures(assessment, figures, (name) => {
    folder.problems.push({ file: FILE, field: '', reason: `there is no figure "{${name}}"` });
  });
}
