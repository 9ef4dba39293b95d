import { expect, it } from 'vitest';
import { parseStatus, removePersonalFields } from './message-fields.ts';

it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
  'takes the word %s, which every object has, for an unknown status',
  (word) => {
    expect(parseStatus(word, { statuses: {} })).toBe('unknown');
    expect(parseStatus(` ${word.toUpperCase()} `, { statuses: {} })).toBe('unknown');
  },
);

it('takes a word as the file of the partner says', () => {
  const statuses = { constructor: 'paid', approved: 'pending' } as const;
  expect(['Constructor', 'APPROVED', 'declined', ''].map((word) => parseStatus(word, { statuses }))).toEqual(
    'paid pending reversed pending'.split(' '),
  );
});

it('removes personal fields of a form too', () => {
  const fields = { 'data[first_name]': 'Jane', 'data[customer][phone]': '1', 'data[plan]': 'pro' };
  expect(Object.values(removePersonalFields(fields) as object)).toEqual(['[removed]', '[removed]', 'pro']);
});
