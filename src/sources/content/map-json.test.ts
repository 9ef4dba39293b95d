import { expect, it } from 'vitest';
import { parseMaps, stringifyMaps } from './map-json.ts';

it.each([
  ['texts, numbers and lists', { a: 'ü "\u2028"', b: [1.5, -1, [true, null]], c: {} }],
  [
    'maps in objects, lists and maps',
    { a: new Map([['b', new Map([['c', [new Map([[1, 'd']])]]])]]), e: [new Map()] },
  ],
  ['a map', new Map([['a', { b: new Map([['c', null]]) }]])],
  [
    'keys that look like others',
    { 'a.b': new Map([['__proto__', 1]]), maps: [['value']], value: [['a', 1]] },
  ],
])('returns %s', (_, value) => {
  expect(parseMaps(stringifyMaps(value))).toStrictEqual(value);
});

it('leaves out fields without a value', () => {
  expect(parseMaps(stringifyMaps({ a: undefined, b: 1 }))).toStrictEqual({ b: 1 });
});

it.each([
  ['a date', new Date(0)],
  ['a set', new Set()],
  ['a pattern', /a/],
  ['a function', () => 1],
  ['a number that JSON does not have', Number.NaN],
  ['an item without a value', [undefined]],
  ['an instance', new (class Example {})()],
])('refuses %s and names its place', (_, value) => {
  expect(() => stringifyMaps({ page: { field: value } })).toThrow(/page\.field/);
});
