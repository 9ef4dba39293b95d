import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../../scripts/start/pinned-node.mjs';
import { splitMarkdown } from '../edit-yaml.ts';
import { parseYaml } from '../parse-yaml.ts';
import { buildField, type EditField, findFormSchema, listFieldEdits } from './plan-form.ts';

function listFields(field: EditField): EditField[] {
  const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : [];
  return [field, ...inner.flatMap(listFields)];
}

const SHIPPED = readdirSync(path.join(ROOT, 'content'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(yaml|md)$/.test(file) && findFormSchema(file) !== null,
);

it('the files of each kind have a form', () => {
  expect(SHIPPED.length).toBeGreaterThan(10);
});

it.each(SHIPPED)('the form of %s has each value, and changes nothing while no field is changed', (file) => {
  const whole = readFileSync(path.join(ROOT, 'content', file), 'utf8');
  const text = file.endsWith('.md') ? (splitMarkdown(whole)?.front ?? '') : whole;
  const parsed = parseYaml(text);
  const schema = findFormSchema(file);
  if (schema === null || 'problem' in parsed) throw new Error('it has no form');
  const form = buildField(schema, parsed.value, []);
  const fields = listFields(form);
  expect(new Set(fields.map((field) => field.name)).size).toBe(fields.length);
  expect(fields.filter(({ kind, isPresent }) => kind === 'other' && isPresent)).toEqual([]);
  const values = new Map(fields.map((field) => [field.name, 'value' in field ? field.value : '']));
  expect(listFieldEdits(form, (one) => values.get(one)?.replaceAll('\n', '\r\n') ?? null)).toEqual([]);
});
