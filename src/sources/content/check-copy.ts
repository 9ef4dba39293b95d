import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Content } from '../../core/pages/content.ts';
import { type CopyFault, findCopyFaults } from '../../core/pages/copy-rules.ts';
import { listTexts } from '../../core/pages/figures.ts';
import { findLooseAmounts } from '../../core/pages/price-rules.ts';
import { parseYaml } from './parse-yaml.ts';
import { readTextFile } from './read-text-file.ts';

/** Something in the copy of a file that has to be rewritten. */
export interface CopyFinding {
  readonly kind: CopyFault['kind'] | 'amount';
  /** `content/pages/help.yaml:12`, without the line where it is not known. */
  readonly file: string;
  readonly text: string;
}

const SHOWN_FOLDERS = ['articles', 'pages'];

/** Finds amounts of money next to the name of a product that no figure of the content has and no label explains. */
export function checkAmounts(root: string, { products, figures }: Content): CopyFinding[] {
  const names = [...products.values()].map(({ name }) => name);
  const known = new Set(
    [...figures.values()].flatMap((figure) => figure.match(/[$€£]\d[\d,]*(?:\.\d+)?/g) ?? []),
  );
  return SHOWN_FOLDERS.flatMap((folder) => {
    const full = path.join(root, folder);
    const files = existsSync(full) ? readdirSync(full).filter((name) => /\.(md|yaml)$/.test(name)) : [];
    return files.sort().flatMap((name) => {
      const read = readTextFile(root, path.join(folder, name));
      if ('problem' in read || /^draft: true$/m.test(read.text)) return [];
      const file = path.posix.join('content', folder, name);
      return listCopy(name, read.text).flatMap(({ text, line: first }) =>
        findLooseAmounts(text, names, known).map(
          ({ amount, product, line }): CopyFinding => ({
            kind: 'amount',
            file: `${file}:${first + line - 1}`,
            text: `"${amount}" next to ${product}: name a figure of a product or a claim, cite a source, or call it an example`,
          }),
        ),
      );
    });
  });
}

/** The texts of a file with their first lines. The head of an article is not copy: it has the sources. */
function listCopy(name: string, text: string): readonly { readonly text: string; readonly line: number }[] {
  if (name.endsWith('.md')) {
    const front = /^---\n[\s\S]*?\n---\n/.exec(text)?.[0] ?? '';
    return [{ text: text.slice(front.length), line: front.split('\n').length }];
  }
  const parsed = parseYaml(text);
  if (!('value' in parsed)) return [];
  return listTexts(parsed.value).map((one) => ({ text: one.text, line: parsed.findLine(one.path) ?? 1 }));
}

const FOLDERS = ['', 'articles', 'authors', 'claims', 'pages', 'products'];

/** Sections that look like rows under hairlines; two of them in a row look like one list. */
const isRows = ({ type, variant, folded }: Section) =>
  folded !== true && (type === 'outcomes' || type === 'ratings' || (type === 'cards' && variant === 'rows'));

interface Section {
  readonly type?: unknown;
  readonly variant?: unknown;
  readonly folded?: unknown;
}

/** Checks the copy of every content file of a folder. */
export function checkCopy(root: string): CopyFinding[] {
  return FOLDERS.flatMap((folder) => {
    const full = path.join(root, folder);
    const names = existsSync(full) ? readdirSync(full).filter((name) => /\.(md|yaml)$/.test(name)) : [];
    return names.sort().flatMap((name) => {
      const read = readTextFile(root, path.join(folder, name));
      // The content check reports a file that cannot be read.
      if ('problem' in read) return [];
      const { text } = read;
      const file = path.posix.join('content', folder, name);
      return [
        ...findCopyFaults(text).map(({ kind, line, found, advice }) => ({
          kind,
          file: `${file}:${line}`,
          text: `"${found}": ${advice}`,
        })),
        ...(folder === 'pages' ? findRepeatedRows(text, file) : []),
      ];
    });
  });
}

function findRepeatedRows(text: string, file: string): CopyFinding[] {
  const sections = readSections(text);
  return sections.flatMap((section, index) => {
    const before = sections[index - 1];
    if (before === undefined || !isRows(before) || !isRows(section)) return [];
    const advice = 'looks like the section before it, change its type or variant';
    return [{ kind: 'style', file, text: `section ${index + 1} ${advice}` }];
  });
}

/** The sections of a page; none when the file is invalid, which the content check reports. */
function readSections(text: string): readonly Section[] {
  try {
    const { sections } = Object(parse(text));
    return Array.isArray(sections) ? sections.map((section) => Object(section)) : [];
  } catch {
    return [];
  }
}
