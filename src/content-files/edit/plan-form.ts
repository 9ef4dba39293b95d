import { diffArrays } from 'diff';
import { z } from 'zod';
import {
  buildField,
  type FieldSchema,
  findFieldAt,
  findSchema,
  formatAt,
  isObject,
  NAMED,
  parseTyped,
  setAt,
  takeAway,
} from '../../core/console/form-fields.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { editYaml, splitMarkdown, type YamlPath } from '../edit-yaml.ts';
import { type ContentKind, findKind } from '../kinds.ts';
import { parseYaml } from '../parse-yaml.ts';
import { diffValue } from './diff-value.ts';

const fieldSchema: z.ZodType<FieldSchema> = z.lazy(() =>
  z
    .object({
      // A number or a text: the form has one field for both.
      type: z.union([z.string(), z.array(z.string()).transform(() => 'string')]).optional(),
      format: z.string().optional(),
      names: z.enum(NAMED).optional(),
      title: z.string().optional(),
      description: z.string().optional(),
      const: z.unknown().optional(),
      enum: z.array(z.unknown()).optional(),
      anyOf: z.array(fieldSchema).optional(),
      oneOf: z.array(fieldSchema).optional(),
      properties: z.record(z.string(), fieldSchema).optional(),
      additionalProperties: z.union([fieldSchema, z.boolean()]).optional(),
      required: z.array(z.string()).optional(),
      items: fieldSchema.optional(),
      maxLength: z.number().optional(),
      minItems: z.number().optional(),
      maxItems: z.number().optional(),
      /** The first one is what is added, where nothing would be refused. */
      examples: z.array(z.unknown()).optional(),
      isMain: z.boolean().optional(),
    })
    .transform(({ oneOf, anyOf, additionalProperties, ...schema }) => ({
      ...schema,
      anyOf: anyOf ?? oneOf,
      additionalProperties: typeof additionalProperties === 'object' ? additionalProperties : undefined,
    })),
);

const known = new Map<ContentKind, FieldSchema | null>();

/** The schema of a content file as a form needs it; null for a file that is edited as text. */
export function findFormSchema(file: string): FieldSchema | null {
  const kind = findKind(file);
  if (kind === null || kind.schema === null) return null;
  const found = known.get(kind);
  if (found !== undefined) return found;
  const json = z.toJSONSchema(kind.schema, { io: 'input', unrepresentable: 'any' });
  const parsed = fieldSchema.safeParse(json).data ?? null;
  known.set(kind, parsed);
  return parsed;
}

/** Line breaks as they are compared: browsers send CRLF. */
const normalizeBreaks = (text: string) => text.replace(/\r\n?/g, '\n');

/** Of mixed breaks with more changed lines, those lines all get the usual break. */
const MAX_EDITS = 2_000;

/**
 * A text that a browser has sent, with the line breaks of the file. Where the file mixes them, a line that stays or is moved
 * keeps its own, and a line in the place of another one takes the break of that one. `newline` is for a file without any.
 */
export function restoreBreaks(sent: string, file: string, newline = '\n'): string {
  const next = normalizeBreaks(sent);
  const hasCrlf = file.includes('\r\n');
  const usual = hasCrlf ? '\r\n' : file.includes('\n') ? '\n' : newline;
  const isMixed = /\r(?!\n)/.test(file) || (hasCrlf && /(?<!\r)\n/.test(file));
  if (!isMixed) return usual === '\n' ? next : next.replaceAll('\n', usual);
  const [own, lines] = [file.match(LINE) ?? [], next.match(LINE) ?? []];
  const difference = diffArrays(own.map(normalizeBreaks), lines, { maxEditLength: MAX_EDITS });
  if (difference === undefined) return next.replaceAll('\n', usual);
  let at = 0;
  const parts = difference.map(({ added, removed, value }) => {
    const from = at;
    if (!added) at += value.length;
    return { added, removed, lines: added ? value : own.slice(from, at) };
  });
  const gone = Map.groupBy(
    parts.flatMap((part) => (part.removed ? part.lines : [])),
    normalizeBreaks,
  );
  const kept = parts.flatMap(({ added, removed, lines }, index) => {
    if (!added) return removed ? [] : lines;
    const { removed: isReplaced, lines: replaced = [] } = parts[index - 1] ?? {};
    return lines.map((line, number) => {
      const old = isReplaced ? replaced[replaced.length - lines.length + number] : undefined;
      return gone.get(line)?.shift() ?? line.replace('\n', /\r\n?|\n/.exec(old ?? '')?.[0] ?? usual);
    });
  });
  // Two characters that were not next to each other would be one break.
  return kept
    .map((line, index) => (line === '\n' && kept[index - 1]?.endsWith('\r') ? '\r\n' : line))
    .join('');
}

/** A line with its break. */
const LINE = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g;

/** The fields of a form as they were sent. */
export type WrittenFields = Readonly<Record<string, string>>;

/** A text with what a form has changed in it. */
interface FormPlan {
  readonly text: string;
}

/** Why a form cannot be taken over, without its period, with the way to the field. */
export interface FormRefusal {
  readonly problem: string;
  readonly path: YamlPath;
}

const INCOMPLETE: FormRefusal = { problem: 'The form is incomplete', path: [] };

/** Takes over the fields of a form. `base` is the text that the form was built from, `current` the one in the folder. */
export function planForm(
  file: string,
  { base, current }: { readonly base: string; readonly current: string },
  form: WrittenFields,
): FormPlan | FormRefusal {
  const whole = form['text'] ?? null;
  if (whole !== null) return { text: restoreBreaks(whole, current) };
  const parts = file.endsWith('.md') ? splitMarkdown(base) : null;
  const edited = planValues(file, parts?.front ?? base, form);
  if ('problem' in edited || parts === null) return edited;
  const body =
    form['body'] === undefined ? parts.body : restoreBreaks(form['body'].trim(), parts.body, parts.newline);
  return { text: parts.join(edited.text, body) };
}

/** Makes the values of a file those of a form: no byte of what is the same is changed. */
function planValues(file: string, yaml: string, form: WrittenFields): FormPlan | FormRefusal {
  const parsed = parseYaml(yaml);
  // What is no YAML, or has no schema, has no fields.
  if ('problem' in parsed || findFormSchema(file) === null)
    return form['front'] === undefined ? { text: yaml } : INCOMPLETE;
  // As JSON, like what was sent: what it cannot tell apart is the same.
  const before: unknown = JSON.parse(JSON.stringify(parsed.value ?? {}));
  const front = form['front'] === undefined ? before : parseJson(form['front']);
  if (!isObject(front)) return INCOMPLETE;
  const sent = setNamed(file, front, form);
  const findOrder = (path: YamlPath) => listFieldKeys(file, sent, path);
  // What is new as a whole has its fields in the order of the schema too, in whatever order they were written.
  const sort = (value: unknown, path: YamlPath): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => sort(item, [...path, index]));
    if (!isObject(value)) return value;
    const keys = [...findOrder(path).filter((key) => Object.hasOwn(value, key)), ...Object.keys(value)];
    return Object.fromEntries(keys.map((key) => [key, sort(value[key], [...path, key])]));
  };
  return editYaml(yaml, diffValue(before, sort(sent, []), findOrder));
}

/** Sets the fields that have the JSON of their path as their name, such as the title of an article. */
function setNamed(file: string, front: unknown, form: WrittenFields): unknown {
  const named = Object.entries(form).filter(([name]) => name.startsWith('['));
  if (named.length === 0) return front;
  const root = buildField(findFormSchema(file) ?? {}, front, []);
  return named.reduce((value, [name, sent]) => {
    const path = pathSchema.safeParse(parseJson(name)).data ?? [];
    const field = findFieldAt(root, formatAt(path));
    if (field.name !== name || !('value' in field)) return value;
    const text = normalizeBreaks(sent);
    // What is not changed keeps its value, also one that would be read as another.
    if (text === normalizeBreaks(field.value)) return value;
    const isKept = field.kind === 'text' && field.isRequired && text.trim() === '';
    const next = isKept ? '' : parseTyped(field, text);
    return next === undefined ? takeAway(value, field.path, root) : setAt(value, field.path, next);
  }, front);
}

const pathSchema = z.array(z.union([z.string(), z.number()]));

/** The keys of the mapping at a path of a file, in the order of its schema. */
export const listFieldKeys = (file: string, value: unknown, path: YamlPath): readonly string[] =>
  Object.keys(findSchema(findFormSchema(file) ?? {}, value, path)?.schema.properties ?? {});
