// node scripts/build/propose-content.ts FOLDER [--apply]: what this version refuses in a content folder, a line of JSON each.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readArticleFiles } from '../../src/content-files/articles/read-article-files.ts';
import { ImageFilesError } from '../../src/content-files/check-image.ts';
import { readContent } from '../../src/content-files/read-content.ts';
import { ContentError, type ContentProblem } from '../../src/core/pages/content.ts';
import { writeWhole } from '../../src/stores/disk.ts';
import { readImageCatalog } from './read-image-catalog.ts';

/** What is refused, and the change of a line that would repair it; null: only a person knows. */
export interface Refusal {
  readonly file: string;
  /** From 1; 0 where it is not known. */
  readonly line: number;
  readonly reason: string;
  readonly proposal: { readonly said: string; readonly text: string } | null;
}

/** Lists what is refused in a content folder, with what would repair it. */
export async function listRefusals(root: string): Promise<readonly Refusal[]> {
  const problems = await readProblems(root);
  return problems.map((problem) => {
    const line = Number(/^line (\d+)/.exec(problem.field)?.[1] ?? 0);
    const reason = line > 0 ? problem.reason : `${problem.field} ${problem.reason}`.trim();
    return { file: problem.file, line, reason, proposal: propose(root, problem, line, problems) };
  });
}

async function readProblems(root: string): Promise<readonly ContentProblem[]> {
  try {
    const images = await readImageCatalog(root);
    const { partners, authors, figures, products } = readContent(root, { images });
    const known = { partners: new Set(partners.keys()), authors, figures, products, images };
    readArticleFiles(path.join(root, 'articles'), known);
    return [];
  } catch (error) {
    if (error instanceof ContentError) return error.problems;
    const isExpected = error instanceof ImageFilesError || Object(error).name === 'ArticleFilesError';
    if (!isExpected || !(error instanceof Error)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((text) => {
        const [, file = '', reason = ''] = /^\s*(.+?): (.*)$/.exec(text) ?? [];
        return { file: /\.md$/.test(file) ? `articles/${path.basename(file)}` : file, field: '', reason };
      });
  }
}

/** A field that is not known any more gets the name that is missing beside it, or is taken out. */
function propose(
  root: string,
  { file, reason }: ContentProblem,
  line: number,
  all: readonly ContentProblem[],
) {
  const [, key, nearest] =
    /^has the unknown field "([^"]+)"(?:; did you mean "([^"]+)"\?)?/.exec(reason) ?? [];
  const full = path.join(root, file);
  if (key === undefined || line === 0 || !existsSync(full)) return null;
  const lines = readFileSync(full, 'utf8').split('\n');
  const at = lines.findIndex((text, index) => index >= line - 1 && findKey(text, key) !== null);
  const [, indent = '', rest = ''] = findKey(lines[at] ?? '', key) ?? [];
  if (at < 0) return null;
  const isMissing = all.some(
    (one) => one.file === file && one.field.endsWith(`field ${nearest}`) && one.reason === 'is missing',
  );
  if (nearest !== undefined && isMissing) {
    const text = lines.with(at, `${indent}${nearest}:${rest}`).join('\n');
    return { said: `write ${nearest} for ${key}`, text };
  }
  // The first key of an item has the dash, which the rest of the item needs.
  if (indent.includes('-')) return null;
  const end = lines.findIndex(
    (text, index) => index > at && text.trim() !== '' && !text.startsWith(`${indent} `),
  );
  const text = [...lines.slice(0, at), ...(end < 0 ? [''] : lines.slice(end))].join('\n');
  return { said: `remove ${key}`, text };
}

const findKey = (text: string, key: string) =>
  new RegExp(`^(\\s*(?:- )?)["']?${key.replaceAll(/[^\w-]/g, '.')}["']?:(.*)$`).exec(text);

/** Makes the proposed changes one by one, until none is left; returns what is still refused. */
export async function applyProposals(root: string): Promise<readonly Refusal[]> {
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    const refusals = await listRefusals(root);
    const next = refusals.find(({ proposal }) => proposal !== null);
    if (next?.proposal == null || refusals.length >= last) return refusals;
    last = refusals.length;
    writeWhole(path.join(root, next.file), next.proposal.text);
  }
}

if (import.meta.main) {
  const [root = '', apply] = process.argv.slice(2);
  const refusals = apply === '--apply' ? await applyProposals(root) : await listRefusals(root);
  for (const { file, line, reason, proposal } of refusals)
    console.log(`${file}${line > 0 ? `:${line}` : ''}: ${reason}${proposal ? ` → ${proposal.said}` : ''}`);
  process.exit(refusals.length > 0 ? 1 : 0);
}
