import { expect, it } from 'vitest';
import { judgeFormAge, listFormFlags } from './contact-message.ts';

const HOUR_MS = 3_600_000;

it.each([
  [2_999, /faster than a person/, true],
  [3_000, null, true],
  [24 * HOUR_MS, null, true],
  [24 * HOUR_MS + 1, /has expired/, false],
  [null, /has expired/, false],
])('judges a form that was issued %s ms ago', (ageMs, problem, isFresh) => {
  const judged = judgeFormAge(ageMs);
  expect(judged.isFresh).toBe(isFresh);
  if (problem === null) expect(judged.problem).toBeNull();
  else expect(judged.problem).toMatch(problem);
});

it('flags a form with a filled honeypot, beside the flags of its visitor', () => {
  expect(listFormFlags('', ['datacenter'])).toEqual(['datacenter']);
  expect(listFormFlags('x', ['datacenter'])).toEqual(['datacenter', 'bot']);
});
