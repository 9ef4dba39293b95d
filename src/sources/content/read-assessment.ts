import { type Assessment, assessmentSchema } from '../../core/assessment/assessment.schema.ts';
import { type AssessmentReferences, checkAssessment } from '../../core/assessment/assessment-checks.ts';
import { describeField } from '../../core/pages/describe-field.ts';
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
    folder.problems.push({ file: FILE, field: describeField(assessment, path), reason });
  }
  return fillFigures(assessment, figures, (name, at) => {
    const field = describeField(assessment, at);
    folder.problems.push({ file: FILE, field, reason: `there is no figure "{${name}}"` });
  });
}
