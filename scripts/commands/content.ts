import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { type CopyFault, findCopyFaults } from '../../src/core/pages/copy-rules.ts';
import { readTextFile } from '../../src/sources/content/read-text-file.ts';
import { checkContent } from '../build/check-content.ts';
import { defineCommand, FLAG } from './command.ts';
import type { NodeSite } from './site.ts';

const USAGE = `Usage:
  npm run content
  npm run content -- --style    lists words that the shipped content avoids, too

Checks every content file, as a build and a start do, and lists texts that are still to be written. Ends with code 1 when
there is one, or an invalid file.`;

/** `npm run content`: checks every content file, and lists texts that are still to be written. */
export const command = defineCommand({
  usage: USAGE,
  options: { style: FLAG },
  words: [0, 0],
  async run({ values: { style } }, io, site: NodeSite) {
    const root = path.resolve(site.readSettings('CONTENT_DIR').CONTENT_DIR);
    const name = path.relative(process.cwd(), root) || '.';
    const hasArticleFiles = ['', 'files'].includes((site.environment['ARTICLE_SOURCE'] ?? '').trim());
    const problem = await checkContent(root, hasArticleFiles);
    const faults = checkCopy(root).filter(({ kind }) => style || kind === 'placeholder');
    if (problem !== null) io.stdout.write(`${problem}\n`);
    if (faults.length > 0) {
      const lines = faults.map(({ file, text }) => `  ${file} ${text}`);
      io.stdout.write(`[copy] ${faults.length} to rewrite:\n${lines.join('\n')}\n`);
    }
    if (problem !== null || faults.length > 0) return 1;
    io.stdout.write(`All files in ${name} are valid.\n`);
    return 0;
  },
});

const FOLDERS = ['', 'articles', 'authors', 'claims', 'pages', 'products'];

/** Sections that look like rows under hairlines; two of them in a row look like one list. */
const isRows = ({ type, variant, folded }: Section) =>
  folded !== true && (type === 'outcomes' || type === 'ratings' || (type === 'cards' && variant === 'rows'));

interface Section {
  readonly type?: unknown;
  readonly variant?: unknown;
  readonly folded?: unknown;
}

interface CopyFinding extends Pick<CopyFault, 'kind'> {
  readonly file: string;
  readonly text: string;
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
