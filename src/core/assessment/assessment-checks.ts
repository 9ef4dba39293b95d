import type { Partner } from '../outbound/partner.ts';
import type { TextPath } from '../pages/figures.ts';
import { ANSWER_CODES } from './answer-codes.ts';
import type { Assessment, Question } from './assessment.schema.ts';

/** One thing wrong, with the way to it in the file; list positions from 0. */
export interface RuleProblem {
  readonly path: TextPath;
  readonly reason: string;
}

/** What else the content folder holds, for the names that the assessment uses. */
export interface AssessmentReferences {
  /** By partner key. */
  readonly partners: ReadonlyMap<string, Pick<Partner, 'destinations'>>;
  /** Keys of partner files that have problems of their own. */
  readonly invalid: ReadonlySet<string>;
  readonly claims: { has(key: string): boolean };
}

const FIELDS: readonly Question['field'][] = ['businessType', 'revenue', 'challenges', 'budget'];

/** Checks what the schema cannot: the rules and texts of the file in itself, and its names against the other files. */
export function checkAssessment(assessment: Assessment, references: AssessmentReferences): RuleProblem[] {
  return [
    ...checkQuestions(assessment),
    ...assessment.questions.flatMap(checkCodes),
    ...checkOutcomes(assessment),
    ...checkTexts(assessment),
    ...checkReferences(assessment, references),
  ];
}

function checkReferences({ outcomes, copy }: Assessment, found: AssessmentReferences): RuleProblem[] {
  const problems: RuleProblem[] = [];
  outcomes.forEach(({ partner: key, partnerLink }, index) => {
    const partner = found.partners.get(key);
    const path = ['outcomes', index, partner === undefined ? 'partner' : 'partnerLink'];
    if (found.invalid.has(key)) return;
    if (partner === undefined) problems.push({ path, reason: `no partner is called "${key}"` });
    else if (!partner.destinations.has(partnerLink)) {
      problems.push({ path, reason: `partner "${key}" has no page "${partnerLink}"` });
    }
  });
  copy.intro.claims.forEach((key, index) => {
    if (found.claims.has(key)) return;
    problems.push({ path: ['copy', 'intro', 'claims', index], reason: `no claim is called "${key}"` });
  });
  return problems;
}

function checkQuestions({ questions }: Assessment): RuleProblem[] {
  const problems: RuleProblem[] = [];
  for (const field of FIELDS) {
    const times = questions.filter((question) => question.field === field).length;
    if (times !== 1)
      problems.push({ path: ['questions'], reason: `${field} is asked ${times} times, not once` });
  }
  questions.forEach(({ options, field, kind }, index) => {
    for (const part of ['key', 'label'] as const) {
      for (const value of listRepeated(options.map((option) => option[part]))) {
        problems.push({
          path: ['questions', index, 'options'],
          reason: `two options have the ${part} "${value}"`,
        });
      }
    }
    if ((kind === 'multiple') !== (field === 'challenges')) {
      problems.push({ path: ['questions', index, 'kind'], reason: `${field} cannot be ${kind}` });
    }
  });
  return problems;
}

function checkCodes({ field, options, retired }: Question, index: number): RuleProblem[] {
  const allowed = ANSWER_CODES[field];
  const check =
    (list: 'options' | 'retired') =>
    ({ code }: { code?: string | undefined }, position: number) =>
      code === undefined || allowed.includes(code)
        ? []
        : [
            {
              path: ['questions', index, list, position, 'code'],
              reason: `"${code}" is not a code of ${field}; use one of ${allowed.join(', ')}`,
            },
          ];
  return [...options.flatMap(check('options')), ...retired.flatMap(check('retired'))];
}

function checkOutcomes({ questions, outcomes, fallback }: Assessment): RuleProblem[] {
  const types = listKeys(questions, 'businessType');
  const problems: RuleProblem[] = [];
  for (const type of types) {
    const leads = outcomes.filter(({ businessTypes }) => businessTypes.includes(type)).map(({ key }) => key);
    if (leads.length === 1) continue;
    const where = leads.length === 0 ? 'no outcome' : leads.join(' and ');
    problems.push({
      path: ['outcomes'],
      reason: `business type "${type}" leads to ${where}, not to exactly one`,
    });
  }
  outcomes.forEach(({ businessTypes }, index) => {
    for (const type of businessTypes.filter((one) => !types.includes(one))) {
      problems.push({
        path: ['outcomes', index, 'businessTypes'],
        reason: `no option has the key "${type}"`,
      });
    }
    if (businessTypes.some((type) => types.includes(type))) return;
    problems.push({ path: ['outcomes', index], reason: 'no answer leads here' });
  });
  for (const key of listRepeated(outcomes.map((outcome) => outcome.key))) {
    problems.push({ path: ['outcomes'], reason: `two outcomes have the key "${key}"` });
  }
  if (!outcomes.some(({ key }) => key === fallback)) {
    problems.push({ path: ['fallback'], reason: `no outcome has the key "${fallback}"` });
  }
  return problems;
}

function checkTexts({ questions, outcomes, revenueNotes }: Assessment): RuleProblem[] {
  return [
    ...compareKeys(['revenueNotes'], revenueNotes, listKeys(questions, 'revenue')),
    ...outcomes.flatMap((outcome, index) => [
      ...compareKeys(
        ['outcomes', index, 'challenges'],
        outcome.challenges,
        listKeys(questions, 'challenges'),
      ),
      ...compareKeys(['outcomes', index, 'budgets'], outcome.budgets, listKeys(questions, 'budget')),
    ]),
  ];
}

function compareKeys(
  path: RuleProblem['path'],
  texts: Readonly<Record<string, string>>,
  wanted: readonly string[],
): RuleProblem[] {
  return [
    ...wanted
      .filter((key) => !Object.hasOwn(texts, key))
      .map((key) => ({ path, reason: `has no text for the option "${key}"` })),
    ...Object.keys(texts)
      .filter((key) => !wanted.includes(key))
      .map((key) => ({ path: [...path, key], reason: `no option has the key "${key}"` })),
  ];
}

function listKeys(questions: Assessment['questions'], field: string): string[] {
  return questions.find((question) => question.field === field)?.options.map(({ key }) => key) ?? [];
}

function listRepeated(values: readonly string[]): Set<string> {
  return new Set(values.filter((value, index) => values.indexOf(value) !== index));
}
