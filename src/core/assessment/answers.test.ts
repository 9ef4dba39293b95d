import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { readSampleAssessment } from '../../../test/support/sample-content.ts';
import {
  chooseOption,
  hasAnswers,
  listUnanswered,
  NO_ANSWERS,
  parseAnswers,
  parseAnswersFragment,
} from './answers.ts';

const { questions } = readSampleAssessment();
const question = (field: string) => {
  const found = questions.find((one) => one.field === field);
  if (found === undefined) throw new Error(field);
  return found;
};

describe('choosing', () => {
  it('replaces a single choice', () => {
    const one = chooseOption(NO_ANSWERS, question('businessType'), 'ecommerce');
    expect(chooseOption(one, question('businessType'), 'other').businessType).toBe('other');
  });

  it('toggles one of several choices, and keeps the order of the options', () => {
    const challenges = question('challenges');
    const costs = chooseOption(NO_ANSWERS, challenges, 'costs');
    const both = chooseOption(costs, challenges, 'leads');
    expect(both.challenges).toEqual(['leads', 'costs']);
    expect(chooseOption(both, challenges, 'costs').challenges).toEqual(['leads']);
  });
});

describe('records', () => {
  it.each([
    [null],
    ['text'],
    [[]],
    [{ businessType: 'bakery' }],
    [{ businessType: ['<b>'], challenges: {} }],
    [JSON.parse('{"__proto__":{"businessType":"other"}}')],
  ])('%j holds no answers', (record) => expect(parseAnswers(record, questions)).toEqual(NO_ANSWERS));

  it('stored with labels are parsed to the keys of the options', () => {
    const record = {
      businessType: 'Digital Marketing Agency',
      revenue: 'Growing ($5K – $25K)',
      challenges: ['High costs of current tools', 'leads'],
      budget: '$300 - $500',
    };
    expect(parseAnswers(record, questions)).toEqual({
      businessType: 'agency',
      revenue: 'growing',
      challenges: ['leads', 'costs'],
      budget: '300-500',
    });
  });

  it('a key names its own option, also when another option has it as its label', () => {
    const [email, leads] = [
      { key: 'email', label: 'Leads' },
      { key: 'leads', label: 'Prospects' },
    ];
    const edited = [{ ...question('challenges'), options: [email, leads] }];
    expect(parseAnswers({ challenges: ['leads'] }, edited).challenges).toEqual(['leads']);
  });

  it('anything at all gives answers that are options, and never throws', () =>
    forAll(1, [fc.anything()], (value) => {
      const answers = parseAnswers(value, questions);
      expect(hasAnswers(answers)).toBe(listUnanswered(answers, questions).length < 4);
    }));

  it('a choice given twice counts once, the first in option order', () => {
    const answers = parseAnswers(
      { businessType: ['other', 'ecommerce'], challenges: 'integration' },
      questions,
    );
    expect(answers.businessType).toBe('ecommerce');
    expect(answers.challenges).toEqual(['integration']);
  });
});

describe('fragments', () => {
  it.each([[''], ['#'], ['#questions'], ['#<img onerror=x>'], ['#%']])('%j has no answers', (fragment) =>
    expect(parseAnswersFragment(fragment, questions)).toBeNull(),
  );

  it('unknown keys are dropped, what is known stays', () =>
    expect(
      parseAnswersFragment('#businessType=agency&revenue=xx&challenges=leads,<b>,costs&evil=1', questions),
    ).toEqual({ businessType: 'agency', revenue: '', challenges: ['leads', 'costs'], budget: '' }));

  it('never throws', () =>
    forAll(1, [fc.string({ unit: 'binary' })], (text) => {
      parseAnswersFragment(`#businessType=${text}`, questions);
    }));
});
