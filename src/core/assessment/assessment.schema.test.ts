import { describe, expect, it } from 'vitest';
import {
  readAssessmentFile,
  readSampleAssessment,
  readSampleClaims,
  readSamplePartners,
} from '../../../test/support/sample-content.ts';
import { type Assessment, assessmentSchema } from './assessment.schema.ts';
import { checkAssessment } from './assessment-checks.ts';

const shipped = assessmentSchema.parse(readAssessmentFile());
const references = {
  partners: readSamplePartners(),
  invalid: new Set<string>(),
  claims: readSampleClaims(),
  plans: new Set(['starter', 'unlimited']),
};

/** The problems of the shipped file after a change, as `path: reason`. */
function problemsAfter(change: (file: Assessment) => void): string {
  const file = structuredClone(shipped);
  change(file);
  const result = assessmentSchema.safeParse(file);
  const problems = result.success
    ? checkAssessment(result.data, references)
    : result.error.issues.map(({ path, message }) => ({ path, reason: message }));
  return problems.map(({ path, reason }) => `${path.join('.')}: ${reason}`).join('\n');
}

const first = <T>(list: readonly T[]): T => {
  const [one] = list;
  if (one === undefined) throw new Error('empty');
  return one;
};

describe('the shipped file', () => {
  it('asks the four questions with the options of the specification', () => {
    expect(shipped.questions.map(({ field }) => field)).toEqual(
      'businessType revenue challenges budget'.split(' '),
    );
    expect(shipped.questions.map(({ options }) => options.map(({ label }) => label).join('; '))).toEqual([
      'Digital Marketing Agency; E-commerce Store; Course Creator/Coach; Local Service Business; SaaS/Tech Company; Consultant/Freelancer; Other',
      'Just starting (Under $5K); Growing ($5K - $25K); Scaling ($25K - $100K); Established ($100K+)',
      'Lead generation and acquisition; Email marketing and automation; Client/customer management; Sales funnel optimization; Integration between tools; High costs of current tools',
      'Under $100; $100 - $300; $300 - $500; $500 - $1,000; $1,000+',
    ]);
  });

  it('names only partners, pages and claims that there are', () =>
    expect(checkAssessment(shipped, references)).toEqual([]));

  it('names its figures, and all of them are found', () => {
    expect(JSON.stringify(readSampleAssessment())).not.toMatch(/\{[a-z]+:/);
    expect(JSON.stringify(shipped.outcomes)).not.toMatch(/\$\d/);
  });

  it('speaks the buttons and lines of the specification', () => {
    const { copy } = shipped;
    expect(copy.intro.start).toBe('Start My Assessment');
    expect(copy.intro.headline).toContain('3 minutes');
    expect(copy.intro.lead).toContain('2 minutes');
    expect(copy.step).toMatchObject({ progress: 'Step {step} of {steps}', back: 'Back', next: 'Continue' });
    expect(copy.results).toMatchObject({
      compare: 'See Full Platform Comparison',
      expert: 'Talk to an Expert',
      retake: 'Retake Assessment',
    });
    expect(shipped.questions[2]?.hint).toBe('Select at least one option to continue');
  });

  it('marks its sample testimonials', () => {
    const { testimonials } = shipped.copy.intro;
    expect(testimonials.map(({ sample, name }) => [sample, name.slice(0, 7)])).toEqual(
      Array(3).fill([true, 'Sample ']),
    );
  });
});

describe('a file is refused when', () => {
  it.each<[string, (file: Assessment) => void, string]>([
    [
      'a business type leads nowhere',
      (f) => first(f.outcomes).businessTypes.splice(0, 1, 'x'),
      '"agency" leads to no outcome',
    ],
    [
      'a business type leads to two',
      (f) => first(f.outcomes).businessTypes.push('creator'),
      '"creator" leads to highlevel and kit',
    ],
    [
      'an outcome cannot be reached',
      (f) => first(f.outcomes).businessTypes.splice(0, 1, 'x'),
      'outcomes.0: no answer leads here',
    ],
    [
      'an outcome names no option',
      (f) => first(f.outcomes).businessTypes.push('x'),
      'no option has the key "x"',
    ],
    [
      'the fallback is missing',
      (f) => Object.assign(f, { fallback: 'x' }),
      'fallback: no outcome has the key "x"',
    ],
    [
      'a question is asked twice',
      (f) => Object.assign(f.questions[1] ?? {}, { field: 'budget' }),
      'revenue is asked 0 times',
    ],
    [
      'an option key is used twice',
      (f) => Object.assign(f.questions[0]?.options[1] ?? {}, { key: 'agency' }),
      'two options have the key "agency"',
    ],
    [
      'a challenge has no answer',
      (f) => Reflect.deleteProperty(first(f.outcomes).challenges, 'leads'),
      'has no text for the option "leads"',
    ],
    [
      'a budget text is for no option',
      (f) => Object.assign(first(f.outcomes).budgets, { x: 'y' }),
      'budgets.x: no option has the key',
    ],
    [
      'the budget takes several answers',
      (f) => Object.assign(f.questions[3] ?? {}, { kind: 'multiple' }),
      'budget cannot be multiple',
    ],
    [
      'a code has other signs than a link shows as they are',
      (f) => Object.assign(f.questions[3]?.options[0] ?? {}, { code: 'Budget tiny' }),
      'questions.3.options.0.code: must be lower-case letters, digits, hyphens and underscores',
    ],
    [
      'a question whose unknown answer is not sent names a code for it',
      (f) => Object.assign(f.questions[1] ?? {}, { unknown: 'revenue_unknown' }),
      'questions.1.unknown: revenue that is unknown is not sent to partners',
    ],
    [
      'an outcome says what it pays',
      (f) => Object.assign(first(f.outcomes), { commission: 40 }),
      'commission',
    ],
    [
      'an outcome key is used twice',
      (f) => Object.assign(f.outcomes[1] ?? {}, { key: 'kit' }),
      'two outcomes have the key "kit"',
    ],
  ])('%s', (_, change, reason) => expect(problemsAfter(change)).toContain(reason));
});

it.each<[string, (file: Assessment) => void, string]>([
  ['a partner', (f) => Object.assign(first(f.outcomes), { partner: 'x' }), 'no partner is called "x"'],
  ['a page', (f) => Object.assign(first(f.outcomes), { partnerLink: 'x' }), 'has no page "x"'],
  [
    'the plan of a reason',
    (f) => Object.assign(first(f.outcomes).reasons[1] ?? {}, { plan: 'x' }),
    'outcomes.0.reasons.1.plan: no plan is called "x"',
  ],
  [
    'the plan of a budget',
    (f) => Object.assign(first(f.outcomes).budgets['under-100'] ?? {}, { plan: 'x' }),
    'outcomes.0.budgets.under-100.plan: no plan is called "x"',
  ],
  ['a claim', (f) => f.copy.intro.claims.push('x'), 'no claim is called "x"'],
])('%s that is not there is reported', (_, change, reason) => {
  expect(problemsAfter(change)).toContain(reason);
});
