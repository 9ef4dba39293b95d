import type { Assessment } from './assessment.schema.ts';

/** One thing wrong, with the way to it in the file; list positions from 0. */
export interface RuleProblem {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/** What else the content folder holds, for the names that the assessment uses. */
export interface AssessmentReferences {
  /** Page keys of each partner, by partner key. */
  readonly partners: ReadonlyMap<string, { readonly destinations: ReadonlyMap<string, string> }>;
  readonly claims: { has(key: string): boolean };
}

const FIELDS = ['businessType', 'revenue', 'challenges', 'budget'];

/** Checks the file in itself: one outcome for each business type, none unreachable, no answer without its words. */
export function checkRules(assessment: Assessment): RuleProblem[] {
  return [...checkQuestions(assessment), ...checkOutcomes(assessment), ...checkTexts(assessment)];
}

/** Checks the names of partners, their pages and claims against the other files. */
export function checkReferences({ outcomes, copy }: Assessment, found: AssessmentReferences): RuleProblem[] {
  const problems: RuleProblem[] = [];
  outcomes.forEach(({ partner: key, link }, index) => {
    const partner = found.partners.get(key);
    const path = ['outcomes', index, partner === undefined ? 'partner' : 'link'];
    if (partner === undefined) problems.push({ path, reason: `no partner is called "${key}"` });
    else if ('page' in link && !partner.destinations.has(link.page)) {
      problems.push({ path, reason: `partner "${key}" has no page "${link.page}"` });
    } else if ('path' in link && link.path !== `/${key}-trial`) {
      problems.push({ path, reason: `the trial of partner "${key}" is at /${key}-trial` });
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
