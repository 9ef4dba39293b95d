import path from 'node:path';
import { z } from 'zod';
import { pageSchema } from '../core/pages/page.schema.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { writeWhole } from '../stores/disk.ts';
import { defineCommand } from './command.ts';
import type { CommandSite } from './site.ts';

const FILE = 'page.schema.json';

const RUN = nameCommand('page-schema');

const USAGE = `Usage:
  ${RUN}

Writes ${FILE} into CONTENT_DIR (./content), with which editors check and complete page documents.`;

/** `signpost page-schema`: writes the JSON Schema of pages. */
export const command = defineCommand({
  usage: USAGE,
  options: {},
  words: [0, 0],
  run(_line, io, site: CommandSite) {
    const file = path.join(site.readSettings('CONTENT_DIR').CONTENT_DIR, FILE);
    writeWhole(file, buildPageJsonSchema());
    io.stdout.write(`Wrote ${file}.\n`);
  },
});

let built: string | undefined;

/** The JSON Schema of `content/pages/*.yaml` as text: what a document may hold before figures are put in. */
export function buildPageJsonSchema(): string {
  built ??= build();
  return built;
}

function build(): string {
  const { properties, ...schema } = z.toJSONSchema(pageSchema, { io: 'input', reused: 'inline' });
  const names = nameDefinitions(properties);
  const shared = { properties: refer(properties, names), $defs: {} };
  for (const [text, name] of [...names].sort(([, one], [, other]) => (one < other ? -1 : 1)))
    Object.assign(shared.$defs, { [name]: mapValues(JSON.parse(text), (value) => refer(value, names)) });
  return `${JSON.stringify({ ...schema, title: 'A page of the site', ...shared }, null, 2)}\n`;
}

/** Schemas of fields that are shorter are written wherever they are used. */
const MIN_DEFINITION = 200;

/**
 * Names the definitions by their JSON: a section after its type, and a field that several sections have after itself; if
 * such fields differ, after the first section too. A new section therefore changes little beside its own.
 */
function nameDefinitions(properties: unknown): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  const fields = new Map<string, { readonly field: string; readonly types: Set<string> }>();
  const visit = (node: unknown, field: string, section: string) => {
    if (typeof node !== 'object' || node === null) return;
    const text = JSON.stringify(node);
    const type = sectionTypeSchema.safeParse(node).data?.properties.type.const;
    if (type !== undefined) sections.set(text, type);
    else if (field !== '' && text.length >= MIN_DEFINITION) {
      const known = fields.get(text) ?? { field, types: new Set() };
      fields.set(text, known);
      known.types.add(section);
    }
    const children = objectSchema.safeParse(
      Object.entries(node).find(([name]) => name === 'properties')?.[1],
    );
    for (const [name, child] of Object.entries(children.data ?? {})) visit(child, name, type ?? section);
    for (const [name, child] of Object.entries(node))
      if (name !== 'properties') visit(child, '', type ?? section);
  };
  for (const [name, node] of Object.entries(objectSchema.parse(properties))) visit(node, name, 'page');
  const names = new Map(sections);
  const taken = new Set(sections.values());
  for (const [text, { field, types }] of fields) {
    if (types.size < 2) continue;
    const name = [field, ...[...types].map((type) => `${type}.${field}`)].find((one) => !taken.has(one));
    if (name === undefined) continue;
    taken.add(name);
    names.set(text, name);
  }
  return names;
}

const objectSchema = z.record(z.string(), z.unknown());
const sectionTypeSchema = z.object({ properties: z.object({ type: z.object({ const: z.string() }) }) });

/** Replaces what has a definition by a reference to it. */
function refer(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const name = names.get(JSON.stringify(node));
  return name === undefined ? mapValues(node, (value) => refer(value, names)) : { $ref: `#/$defs/${name}` };
}

function mapValues(node: object, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(node)) return node.map(change);
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, change(value)]));
}
