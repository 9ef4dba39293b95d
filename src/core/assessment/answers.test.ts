import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readShippedAssessment } from '../../../test/support/shipped-content.ts';
import { chooseOption, hasAnswers, listUnanswered, NO_ANSWERS, parseAnswers } from './answers.ts';
import { parseAnswersFragment } from './answers-fragment.ts';

const { questions } = readShippedAssessment();
const question = (field: string) => {
  const found = questions.find((one) => one.field === field);
  if (found === undefined) throw new Error(field);
  return found;
};

describe('choosing', () => {
  it('replaces a single choice', () => {
    const one = chooseOption(NO_ANSWERS, question('businessType'), 'E-commerce Store');
    expect(chooseOption(one, question('businessType'), 'Other').businessType).toBe('Other');
  });

  it('switches several on and off, and keeps the order of the options', () => {
    const challenges = question('challenges');
    const costs = chooseOption(NO_ANSWERS, challenges, 'High costs of current tools');
    const both = chooseOption(costs, challenges, 'Lead generation and acquisition');
    expect(both.challenges).toEqual(['Lead generation and acquisition', 'High costs of current tools']);
    expect(chooseOption(both, challenges, 'High costs of current tools').challenges).toEqual([
      'Lead generation and acquisition',
    ]);
  });
});

describe('records', () => {
  it.each([
    [null],
    ['text'],
    [[]],
    [{ businessType: 'agency' }],
    [{ businessType: ['<b>'], challenges: {} }],
    [JSON.parse('{"__proto__":{"businessType":"Other"}}')],
  ])('%j holds no answers', (record) => {
    expect(parseAnswers(record, questions)).toEqual(NO_ANSWERS);
  });

  it('anything at all gives answers that are options, and never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const answers = parseAnswers(value, questions);
        expect(hasAnswers(answers)).toBe(listUnanswered(answers, questions).length < 4);
      }),
    );
  });

  it('a choice given twice counts once, the first in option order', () => {
    const answers = parseAnswers(
      { businessType: ['Other', 'E-commerce Store'], challenges: 'Integration between tools' },
      questions,
    );
    expect(answers.businessType).toBe('E-commerce Store');
    expect(answers.challenges).toEqual(['Integration between tools']);
  });
});

describe('fragments', () => {
  it.each([[''], ['#'], ['#questions'], ['#<img onerror=x>'], ['#%']])(
    '%j carries no answers',
    (fragment) => {
      expect(parseAnswersFragment(fragment, questions)).toBeNull();
    },
  );

  it('unknown keys are dropped, what is known stays', () => {
    expect(
      parseAnswersFragment('#businessType=agency&revenue=xx&challenges=leads,<b>,costs&evil=1', questions),
    ).toEqual({
      businessType: 'Digital Marketing Agency',
      revenue: '',
      challenges: ['Lead generation and acquisition', 'High costs of current tools'],
      budget: '',
    });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        parseAnswersFragment(`#businessType=${text}`, questions);
      }),
    );
  });
});
