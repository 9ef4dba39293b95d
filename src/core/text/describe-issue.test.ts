import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeIssue, listIssues } from './describe-issue.schema.ts';

const schema = z.strictObject({
  price: z.number().positive().optional(),
  count: z.int().min(3).max(9).optional(),
  draft: z.boolean().optional(),
  tags: z.array(z.string()).min(1).max(2).optional(),
  name: z.string().min(1).max(4).optional(),
  logo: z.object({ src: z.string() }).optional(),
  samples: z.enum(['show', 'hide']).optional(),
  kind: z.literal('team').optional(),
  site: z.url().optional(),
  day: z.iso.date().optional(),
  code: z.string().regex(/^a/).optional(),
  cell: z.union([z.string(), z.number()]).optional(),
  names: z.partialRecord(z.enum(['click', 'id']), z.string()).optional(),
  prices: z.record(z.string().regex(/^[a-z]+$/), z.number()).optional(),
});

it.each<[object, string]>([
  [{ price: '$297' }, 'must be a number, such as 12; it is "$297"'],
  [{ price: -5 }, 'must be more than 0'],
  [{ count: 3.5 }, 'must be a whole number, such as 12; it is 3.5'],
  [{ count: 2 }, 'must be at least 3'],
  [{ count: 10 }, 'must be at most 9'],
  [{ draft: 'yes' }, 'must be true or false; it is "yes"'],
  [{ tags: 'CRM' }, 'must be a list; it is "CRM"'],
  [{ tags: [] }, 'must have at least 1 entry'],
  [{ tags: ['a', 'b', 'c'] }, 'must have at most 2 entries'],
  [{ name: '' }, 'is empty'],
  [{ name: null }, 'is empty'],
  [{ name: 'abcde' }, 'must have at most 4 characters'],
  [{ name: ['a'] }, 'must be text'],
  [{ logo: '../images/logo.svg' }, 'must be a group of fields; it is "../images/logo.svg"'],
  [{ logo: {} }, 'is missing'],
  [{ samples: 'none' }, 'must be one of show, hide'],
  [{ kind: 'group' }, 'must be team'],
  [{ site: 'example' }, 'must be an address such as https://www.example.com/page'],
  [{ day: '2026-02-30' }, 'must be a day of the calendar such as 2026-03-12'],
  [{ code: 'b' }, 'has a form that is not allowed here'],
  [{ cell: true }, 'has a form that is not allowed here'],
  [{ prices: { '1': 2 } }, 'has a name that is not allowed here'],
  [{ smaples: 'show' }, 'has the unknown field "smaples"; did you mean "samples"?'],
  [
    { favoriteColor: 'green' },
    expect.stringMatching(/unknown field "favoriteColor"; known are price, count, .*, names, prices$/),
  ],
  [{ names: { clik: 'a' } }, 'has the unknown field "clik"; did you mean "click"?'],
  [{ names: { sum: 'a' } }, 'has the unknown field "sum"; known are click, id'],
])('describes what is wrong with %j', (value, expected) => {
  const result = schema.safeParse(value, { error: describeIssue });
  expect(result.error && listIssues(result.error).map(({ message }) => message)).toEqual([expected]);
});

it('leaves the message of a schema as it is', () => {
  const own = z.string('must be a color');
  expect(own.safeParse(1, { error: describeIssue }).error?.issues[0]?.message).toBe('must be a color');
});
