import type { z } from 'zod';
import { findNearest } from './words.ts';

/** What a field must be, by the type that the schema expects. */
const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number, such as 12',
  int: 'a whole number, such as 12',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of fields',
  record: 'a group of fields',
};

const FORMATS: Readonly<Record<string, string>> = {
  url: 'must be an address such as https://www.example.com/page',
  date: 'must be a day of the calendar such as 2026-03-12',
  email: 'must be an email address',
};

/** Describes an issue of a schema without an own message, for the people who write content files and settings. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, issue.input);
    case 'invalid_value':
      return describeChoice(issue.values.map(String), issue.input);
    case 'too_small':
      return describeLimit(issue.origin, Number(issue.minimum), issue.inclusive ? 'at least' : 'more than');
    case 'too_big':
      return describeLimit(issue.origin, Number(issue.maximum), issue.inclusive ? 'at most' : 'less than');
    case 'unrecognized_keys':
      return issue.keys.map((key) => describeKey(key, readFields(issue.inst))).join('; ');
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has a form that is not allowed here';
    case 'invalid_key':
      return 'has a name that is not allowed here';
    case 'invalid_union':
      return 'has a form that is not allowed here';
    default:
      return undefined;
  }
}

/** Leaves out what is reported of a value after its type, such as the length of a text that should be a list. */
export function listIssues({ issues }: z.ZodError): readonly z.core.$ZodIssue[] {
  const mistyped = new Set<string>();
  return issues.filter(({ code, path }) => {
    const field = path.join('.');
    if (mistyped.has(field)) return false;
    if (code === 'invalid_type') mistyped.add(field);
    return true;
  });
}

function describeType(expected: string, input: unknown): string {
  if (input === undefined) return 'is missing';
  if (input === null) return 'is empty';
  const given =
    typeof input === 'string' || typeof input === 'number' ? `; it is ${JSON.stringify(input)}` : '';
  return `must be ${EXPECTED[expected] ?? expected}${given}`;
}

function describeLimit(origin: string, limit: number, bound: string): string {
  if (origin === 'string' && bound === 'at least' && limit === 1) return 'is empty';
  const units: Readonly<Record<string, [one: string, many: string]>> = {
    string: ['character', 'characters'],
    array: ['entry', 'entries'],
  };
  const unit = units[origin];
  if (unit === undefined) return `must be ${bound} ${limit}`;
  return `must have ${bound} ${limit} ${limit === 1 ? unit[0] : unit[1]}`;
}

function describeChoice(known: readonly string[], input: unknown): string {
  const nearest = typeof input === 'string' ? findNearest(input, known) : null;
  const hint = nearest === null ? '' : `; did you mean "${nearest}"?`;
  return `must be ${known.length > 1 ? 'one of ' : ''}${known.join(', ')}${hint}`;
}

function describeKey(key: string, known: readonly string[]): string {
  const nearest = findNearest(key, known);
  const hint = nearest === null ? `; known are ${known.join(', ')}` : `; did you mean "${nearest}"?`;
  return `has the unknown field "${key}"${known.length === 0 ? '' : hint}`;
}

function readFields(schema: unknown): string[] {
  const { shape, keyType } = Object(Object(Object(schema)._zod).def);
  return Object.keys(Object(shape ?? Object(Object(keyType)._zod).def?.entries));
}
