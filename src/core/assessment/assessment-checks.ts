import type { Partner } from '../outbound/partner.ts';
import type { Claim } from '../pages/claims/claim.schema.ts';
import type { TextPath } from '../pages/claims/placeholders.ts';
import type { Assessment, Question } from './assessment.schema.ts';

/** One thing wrong, with the way to it in the file; list positions from 0. */
export interface RuleProblem {
  readonly path: TextPath;
  readonly reason: string;
}

/** What else the content folder holds, for the names that the assessment uses. */
export interface AssessmentReferences {
  /** By partner key. */
  readonly partners: ReadonlyMap<string, Partner>;
  /** Keys of partner files that have problems of their own. */
  readonly invalid: ReadonlySet<string>;
  readonly claims: ReadonlyMap<string, Claim>;
  /** Keys of the plans. */
  readonly plans: ReadonlySet<string>;
}

type Problems = Generator<RuleProblem>;

const FIELDS: readonly Question['field'][] = ['businessType', 'revenue', 'challenges', 'budget'];

/** Checks what the schema cannot: the rules and texts of the file in itself, and its names against the other files. */
export function checkAssessment(assessment: Assessment, references: AssessmentReferences): RuleProblem[] {
  return [
    ...checkQuestions(assessment),
    ...checkCodes(assessment),
    ...checkOutcomes(assessment),
    ...checkTexts(assessment),
    ...checkReferences(assessment, references),
  ];
}

function* checkReferences({ draft, outcomes, copy }: Assessment, found: AssessmentReferences): Problems {
  for (const [index, { partner: key, partnerLink }] of outcomes.entries()) {
    const partner = found.partners.get(key);
    // Nobody sees where a draft leads; that of a new site names a partner that it does not have.
    if (found.invalid.has(key) || draft) continue;
    if (partner === undefined) {
      yield { path: ['outcomes', index, 'partner'], reason: `no partner is called "${key}"` };
    } else if (!partner.destinations.has(partnerLink)) {
      const reason = `partner "${key}" has no page "${partnerLink}"`;
      yield { path: ['outcomes', index, 'partnerLink'], reason };
    }
  }
  for (const [index, { reasons, budgets }] of outcomes.entries()) {
    const texts = [
      ...reasons.map(({ plan }, at) => ({ plan, path: ['reasons', at] })),
      ...Object.entries(budgets).map(([budget, { plan }]) => ({ plan, path: ['budgets', budget] })),
    ];
    for (const { plan, path } of texts) {
      if (plan === undefined || found.plans.has(plan)) continue;
      yield { path: ['outcomes', index, ...path, 'plan'], reason: `no plan is called "${plan}"` };
    }
  }
  for (const [index, { claims }] of outcomes.entries()) {
    for (const [at, name] of claims.entries()) {
      if (found.claims.get(name)?.fact !== undefined) continue;
      const reason = `no claim is called "${name}" and has a fact`;
      yield { path: ['outcomes', index, 'claims', at], reason };
    }
  }
  for (const [index, key] of copy.intro.claims.entries()) {
    if (found.claims.has(key)) continue;
    yield { path: ['copy', 'intro', 'claims', index], reason: `no claim is called "${key}"` };
  }
}

function* checkQuestions({ questions }: Assessment): Problems {
  for (const field of FIELDS) {
    const times = questions.filter((question) => question.field === field).length;
    if (times !== 1) yield { path: ['questions'], reason: `${field} is asked ${times} times, not once` };
  }
  for (const [index, { options, field, kind }] of questions.entries()) {
    for (const part of ['key', 'label'] as const) {
      for (const value of listRepeated(options.map((option) => option[part]))) {
        yield { path: ['questions', index, 'options'], reason: `two options have the ${part} "${value}"` };
      }
    }
    if ((kind === 'multiple') !== (field === 'challenges')) {
      yield { path: ['questions', index, 'kind'], reason: `${field} cannot be ${kind}` };
    }
  }
}

function* checkCodes({ questions }: Assessment): Problems {
  for (const [index, { field, unknown }] of questions.entries()) {
    if (unknown === undefined || field === 'businessType' || field === 'budget') continue;
    yield {
      path: ['questions', index, 'unknown'],
      reason: `${field} that is unknown is not sent to partners`,
    };
  }
}

function* checkOutcomes({ questions, outcomes, fallback }: Assessment): Problems {
  const types = listKeys(questions, 'businessType');
  for (const type of types) {
    const leads = outcomes.filter(({ businessTypes }) => businessTypes.includes(type)).map(({ key }) => key);
    if (leads.length === 1) continue;
    const where = leads.length === 0 ? 'no outcome' : leads.join(' and ');
    const reason = `business type "${type}" leads to ${where}, not to exactly one`;
    yield { path: ['outcomes'], reason };
  }
  for (const [index, { businessTypes }] of outcomes.entries()) {
    for (const type of businessTypes.filter((one) => !types.includes(one))) {
      yield { path: ['outcomes', index, 'businessTypes'], reason: `no option has the key "${type}"` };
    }
    if (businessTypes.some((type) => types.includes(type))) continue;
    yield { path: ['outcomes', index], reason: 'no answer leads here' };
  }
  for (const key of listRepeated(outcomes.map((outcome) => outcome.key))) {
    yield { path: ['outcomes'], reason: `two outcomes have the key "${key}"` };
  }
  if (!outcomes.some(({ key }) => key === fallback)) {
    yield { path: ['fallback'], reason: `no outcome has the key "${fallback}"` };
  }
}

function* checkTexts({ questions, outcomes, revenueNotes }: Assessment): Problems {
  yield* compareKeys(['revenueNotes'], revenueNotes, listKeys(questions, 'revenue'));
  for (const [index, { challenges, budgets }] of outcomes.entries()) {
    yield* compareKeys(['outcomes', index, 'challenges'], challenges, listKeys(questions, 'challenges'));
    yield* compareKeys(['outcomes', index, 'budgets'], budgets, listKeys(questions, 'budget'));
  }
}

function* compareKeys(
  path: TextPath,
  texts: Readonly<Record<string, unknown>>,
  wanted: readonly string[],
): Problems {
  for (const key of wanted) {
    if (!Object.hasOwn(texts, key)) yield { path, reason: `has no text for the option "${key}"` };
  }
  for (const key of Object.keys(texts)) {
    if (!wanted.includes(key)) yield { path: [...path, key], reason: `no option has the key "${key}"` };
  }
}

function listKeys(questions: Assessment['questions'], field: string): string[] {
  return questions.find((question) => question.field === field)?.options.map(({ key }) => key) ?? [];
}

function listRepeated(values: readonly string[]): Set<string> {
  return new Set(values.filter((value, index) => values.indexOf(value) !== index));
}
