import { expect, it } from 'vitest';
import { listScriptNames } from '../scripts/build/script-names.ts';

const { always, islands } = listScriptNames();

it('finds the classes of every island that hydrates, those of its parts included', () => {
  expect(Object.keys(islands).sort()).toEqual([
    'ArticleList',
    'AssessmentIsland',
    'InteractiveChart',
    'SavingsCalculator',
  ]);
  expect(islands['SavingsCalculator']).toEqual(expect.arrayContaining(['.text-danger', '.sm:p-9', 'input']));
  expect(islands['AssessmentIsland']).toEqual(expect.arrayContaining(['.reasons', '.rule-table', 'table']));
});

it('finds the elements and classes that browser scripts create', () => {
  expect(always).toEqual(expect.arrayContaining(['iframe', '.button']));
});
