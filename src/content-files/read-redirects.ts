import path from 'node:path';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { ContentProblem } from '../core/pages/content.ts';
import { findContentImage, type ImageCatalog } from '../core/pages/images/content-image.ts';
import {
  isImageTarget,
  parseFormerAddress,
  parseRedirectTarget,
  REDIRECT_COLUMNS,
  REDIRECT_FOLDER,
  type RedirectLine,
} from '../core/pages/redirects/redirects.ts';
import { readNames, readTextFile } from './read-text-file.ts';

const MAX_REDIRECTS = 500_000;

/**
 * Reads `redirects/*.csv` without the lines that are wrong, which are recorded in `faults`. `held`: texts that are read
 * instead of files.
 */
export function readRedirectFiles(
  root: string,
  faults: ContentProblem[],
  held: ReadonlyMap<string, unknown> = new Map(),
): RedirectLine[] {
  const lines: RedirectLine[] = [];
  const added = [...held.keys()].filter(isRedirectFile);
  for (const file of [...new Set([...listFiles(root, faults), ...added])].sort()) {
    const refuse = (line: number | null, reason: string) =>
      faults.push({ file, field: line === null ? '' : `line ${line}`, reason });
    const read = held.has(file) ? { text: String(held.get(file)) } : readTextFile(root, file);
    if ('problem' in read) {
      refuse(null, read.problem);
      continue;
    }
    for (const redirect of parseRedirects(file, read.text, refuse)) lines.push(redirect);
  }
  if (lines.length <= MAX_REDIRECTS) return lines;
  faults.push({
    file: REDIRECT_FOLDER,
    field: '',
    reason: `has ${lines.length} redirects; the site takes ${MAX_REDIRECTS}`,
  });
  return [];
}

/** Parses the text of a file of redirects; `refuse` gets what is wrong with a line, or with the file (null). */
export function* parseRedirects(
  file: string,
  text: string,
  refuse: (line: number | null, reason: string) => void,
): Generator<RedirectLine> {
  const rows = parseRows(text);
  if ('problem' in rows) return refuse(rows.line, rows.problem);
  const [header, ...others] = rows.rows;
  if (header?.cells.join() !== REDIRECT_COLUMNS.join())
    return refuse(1, `must name the columns ${REDIRECT_COLUMNS.join(',')}`);
  for (const { cells, line } of others) {
    const [from = '', to = ''] = cells;
    const address = parseFormerAddress(from);
    const target = parseRedirectTarget(to);
    if (cells.length !== REDIRECT_COLUMNS.length) refuse(line, 'must have two cells');
    else if (address === null)
      refuse(line, `from must be a path, alone or with parameters such as /?p=12; it is "${from}"`);
    else if (from.includes('*')) refuse(line, `from must be one address, and * stands for nothing: ${from}`);
    else if (target === null) refuse(line, `to must be a path or a web address; it is "${to}"`);
    else yield { from: address, to: target, file, line };
  }
}

/**
 * Writes redirects to images of the content folder with the addresses of the images. One whose image the next build makes is
 * left out until then, and all of them without `images`.
 */
export function placeRedirectImages(
  lines: readonly RedirectLine[],
  images: ImageCatalog | undefined,
  faults: ContentProblem[],
): RedirectLine[] {
  return lines.flatMap((redirect) => {
    if (!isImageTarget(redirect.to)) return [redirect];
    if (images === undefined) return [];
    const found = findContentImage(redirect.to, images);
    if ('image' in found) return [{ ...redirect, to: found.image.src }];
    const { file, line } = redirect;
    if (!found.needsBuild) faults.push({ file, field: `line ${line}`, reason: found.problem });
    return [];
  });
}

/** Whether a path below the content folder is that of a file of redirects. */
export const isRedirectFile = (file: string): boolean =>
  new RegExp(`^${REDIRECT_FOLDER}/[^/]+\\.csv$`).test(file);

function listFiles(root: string, faults: ContentProblem[]): string[] {
  const { names, problem } = readNames(path.join(root, REDIRECT_FOLDER));
  if (problem !== undefined) faults.push({ file: `${REDIRECT_FOLDER}/`, field: '', reason: problem });
  return names.filter((name) => name.endsWith('.csv')).map((name) => `${REDIRECT_FOLDER}/${name}`);
}

interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

function parseRows(
  text: string,
): { readonly rows: readonly Row[] } | { readonly line: number | null; readonly problem: string } {
  try {
    const rows: Row[] = [];
    // Of several kinds of line ends the first one would count alone.
    parse(text.replace(/\r\n?/g, '\n'), {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      on_record(cells: string[], { lines }) {
        rows.push({ cells, line: lines });
        return null;
      },
    });
    return { rows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(Reflect.get(error, 'lines'));
    return { line: Number.isInteger(line) ? line : null, problem: `is not CSV: ${error.message}` };
  }
}
