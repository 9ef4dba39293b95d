import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { decodeText } from './decode-text.ts';
import { decodeAmpersands, MoveInError } from './former-item.ts';

/** A link that a plugin of the former site redirects. */
export interface PluginLink {
  /** Path of the former site, such as `/recommends/shop`; empty: the export has it under `postId`. */
  readonly path: string;
  /** Id of its post; empty: unknown. */
  readonly postId: string;
  readonly target: string;
  readonly place: string;
  /** Why the row leads from no address to another; empty when it does. */
  readonly skipped: string;
  /** Of a row about a product: its number, with the product's name; empty for a link. */
  readonly number: string;
  readonly name: string;
}

const MAX_BYTES = 200_000_000;
/** Where paths of ThirstyAffiliates begin unless its settings were changed. */
export const THIRSTY_PREFIX = '/recommends';

/**
 * Reads the links of a plugin: a CSV of Pretty Links, ThirstyAffiliates, Redirection, Rank Math or Yoast, or an SQL dump.
 * An SQL dump is split into values, and no statement of it is run.
 */
export function readPluginLinks(file: string): readonly PluginLink[] {
  const name = path.basename(file);
  if (statSync(file).size > MAX_BYTES) {
    throw new MoveInError(
      `${name} is larger than ${MAX_BYTES / 1_000_000} MB: export the tables of links alone.`,
    );
  }
  return parsePluginLinks(name, readFileSync(file));
}

/** Parses the text of such a file; the ending of its name says which it is. */
export function parsePluginLinks(name: string, content: Uint8Array): readonly PluginLink[] {
  const text = decodeText(name, content);
  const links = /\.sql$/i.test(name) ? readSql(text, name) : readCsv(text, name);
  if (links.length === 0)
    throw new MoveInError(`${name} has no links that the import knows; nothing was changed.`);
  return links;
}

/** Spreadsheets take a formula for one unless an apostrophe is in front of it. */
const unescapeCell = (cell: string) => cell.trim().replace(/^'(?=[=+\-@\t\r])/, '');

/** Says where a text is no CSV. */
export const explainCsvError = (name: string, error: unknown) =>
  new MoveInError(
    error instanceof CsvError
      ? `${name} is not CSV: the quotation marks in line ${error['lines']} do not match.`
      : `${name} is not CSV.`,
  );

/** Values of columns with which a row is a pattern, off, an error, or depends on more than its address. */
const SKIPPED: Readonly<Record<string, RegExp>> = {
  regex: /^(?:1|true)$/i,
  matching: /^(?:contains|start|end|regex)$/i,
  format: /^regex$/i,
  status: /^(?:disabled|inactive|trashed)$/i,
  link_status: /^disabled$/i,
  type: /^(?:error|nothing|pass|random|410|451)$/i,
  action_type: /^(?!url$)./i,
  match_type: /^(?!url$)./i,
};

function explainSkipped(get: (column: string) => string): string {
  const found = Object.entries(SKIPPED).find(([column, values]) => values.test(get(column)));
  return found === undefined ? '' : `is not redirected: ${found[0]} is ${get(found[0])}`;
}

function readCsv(text: string, name: string): PluginLink[] {
  const [first = ''] = text.split('\n', 1);
  const delimiter = [',', ';', '\t', '|'].reduce((best, mark) =>
    first.split(mark).length > first.split(best).length ? mark : best,
  );
  const rows: { readonly cells: string[]; readonly line: number }[] = [];
  try {
    parse(text.replace(/\r\n?/g, '\n'), {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(cells: string[], { lines }) {
        rows.push({ cells, line: lines });
        return null;
      },
    });
  } catch (error) {
    throw explainCsvError(name, error);
  }
  const header = (rows[0]?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  const find = (...names: readonly string[]) => header.findIndex((cell) => names.includes(cell));
  const target = find('url', 'destination url', 'target url', 'target', 'destination');
  const slug = find('slug', 'source url', 'source', 'url slug', 'origin');
  const post = find('link_cpt_id');
  if (target < 0 || slug < 0) {
    throw new MoveInError(`${name} names no columns url and slug in its first line.`);
  }
  // The export of ThirstyAffiliates has the last part of a path alone.
  const prefix = header[target] === 'destination url' ? THIRSTY_PREFIX : '';
  return rows.slice(1).flatMap(({ cells, line }) => {
    if (cells.slice(header.length).some((cell) => cell.trim() !== ''))
      throw new MoveInError(`${name}, line ${line}: the row has more cells than the heading.`);
    const get = (at: number) => (at < 0 ? '' : unescapeCell(cells[at] ?? ''));
    const skipped = explainSkipped((column) => get(find(column)));
    if ((get(target) === '' && skipped === '') || get(slug) === '') return [];
    // Yoast has paths without their first slash.
    const isPath = header[slug] === 'origin' && !/^(?:\/|[a-z][a-z\d+.-]*:)/i.test(get(target));
    return [
      {
        path: prefix + toPath(get(slug)),
        postId: get(post),
        target: (isPath ? '/' : '') + decodeAmpersands(get(target)),
        skipped,
        place: `${name}, line ${line}`,
        number: '',
        name: '',
      },
    ];
  });
}

const toPath = (slug: string) =>
  URL.canParse(slug) ? new URL(slug).pathname + new URL(slug).search : `/${slug.replace(/^\/+/, '')}`;

/** Files in which hosts of static sites read redirects, in the folder of the site or of what is copied. */
export const HOST_REDIRECTS = /^(?:[^/]+\/){0,2}(?:_redirects|netlify\.toml|vercel\.json)$/;

const text = z.string().catch('');
const hostRow = z
  .object({
    from: text,
    to: text,
    source: text,
    destination: text,
    status: z.number().optional().catch(0),
    statusCode: z.number().optional().catch(0),
    has: z.unknown().optional(),
    conditions: z.unknown().optional(),
  })
  .catch({ from: '', to: '', source: '', destination: '' });
const hostFile = z.object({ redirects: z.array(hostRow).default([]) });

/** Reads the rows of `_redirects`: an address, parameters, a target, a status, and conditions. */
export const listHostLines = (lines: string) => ({
  redirects: lines.split(/\r?\n/).flatMap((line) => {
    const [from = '', ...words] = line
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    const at = words.findIndex((word) => /^(?:\/|https?:)/.test(word));
    const [to = '', status = '301', ...conditions] = at < 0 ? [] : words.slice(at);
    const query = words.slice(0, Math.max(at, 0)).join('&');
    const row = { from: query === '' ? from : `${from}?${query}`, to, status: Number.parseInt(status, 10) };
    return from === '' ? [] : [conditions.length === 0 ? row : { ...row, conditions }];
  }),
});

/** Reads the redirects of Netlify, Cloudflare Pages or Vercel; null when the file has none that can be read. */
export function readHostRedirects(name: string, file: unknown): readonly PluginLink[] | null {
  const parsed = hostFile.safeParse(file);
  return !parsed.success
    ? null
    : parsed.data.redirects.map((row, at) => {
        const [from, target] = [row.from || row.source, row.to || row.destination];
        const status = row.statusCode ?? row.status ?? 301;
        const problems = [
          [from === '' || target === '', 'it has no address or no target'],
          [/[*(]|\/:\w/.test(from), 'it is a pattern'],
          [!(status >= 300 && status <= 399), `its status is ${status}`],
          [(row.has ?? row.conditions) !== undefined, 'it has a condition'],
        ] as const;
        const problem = problems.find(([isWrong]) => isWrong)?.[1];
        return {
          path: toPath(from || `row-${at + 1}`),
          postId: '',
          target,
          skipped: problem === undefined ? '' : `is not redirected: ${problem}`,
          place: `${name}, row ${at + 1}`,
          number: '',
          name: '',
        };
      });
}

/** Columns of a table that plugins have their links in. */
const TABLES: readonly {
  readonly table: RegExp;
  readonly target: string;
  readonly path?: string;
  readonly postId?: string;
  /** Of a table of products: the column of their numbers. */
  readonly number?: string;
}[] = [
  { table: /prli_links$/, target: 'url', path: 'slug', postId: 'link_cpt_id' },
  { table: /lasso_(?:lite_)?link_details$/, target: 'redirect_url', postId: 'lasso_id' },
  { table: /aawp_products$/, target: 'title', number: 'asin' },
  { table: /redirection_items$/, target: 'action_data', path: 'url' },
];

/** Columns of Pretty Links in the order of its table, for dumps without the statement that creates it. */
const PRETTY_COLUMNS = 'id name description url slug'.split(' ');

function readSql(sql: string, name: string): PluginLink[] {
  const columns = new Map<string, readonly string[]>();
  const links: PluginLink[] = [];
  const tokens = tokenizeSql(sql, name);
  let statement: SqlToken[] = [];
  for (const token of tokens) {
    if (token.kind !== 'end') {
      statement.push(token);
      continue;
    }
    const words = statement.slice(0, 8).map(({ kind, text }) => (kind === 'word' ? text.toLowerCase() : ''));
    if (words[0] === 'create' && words[1] === 'table') readColumns(statement, columns);
    if (words[0] === 'insert' && words.includes('into')) links.push(...readInsert(statement, columns, name));
    statement = [];
  }
  return links;
}

interface SqlToken {
  readonly kind: 'word' | 'text' | 'mark' | 'end';
  readonly text: string;
  readonly line: number;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  Z: '\u001a',
  b: '\b',
};

/** Splits SQL into words, texts and marks. A name in backticks is a word. */
function* tokenizeSql(sql: string, name: string): Generator<SqlToken> {
  const piece =
    /--[ \t][^\n]*|#[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'((?:[^'\\]|\\[\s\S]|'')*)'|"((?:[^"\\]|\\[\s\S]|"")*)"|`([^`]*)`|([\w.+-]+)|([(),;=])|(['"`])|\n/g;
  let line = 1;
  for (const [all, single, double, quoted, word, mark, open] of sql.matchAll(piece)) {
    const text = single ?? double;
    if (open !== undefined) throw new MoveInError(`${name} has a text without an end in line ${line}.`);
    if (text !== undefined) {
      const value = text.replace(/''|""|\\([\s\S])/g, (found, escaped?: string) =>
        escaped === undefined ? found.charAt(0) : (ESCAPES[escaped] ?? escaped),
      );
      yield { kind: 'text', text: value, line };
    } else if (quoted !== undefined || word !== undefined)
      yield { kind: 'word', text: quoted ?? word ?? '', line };
    else if (mark === ';') yield { kind: 'end', text: mark, line };
    else if (mark !== undefined) yield { kind: 'mark', text: mark, line };
    for (const character of all) if (character === '\n') line += 1;
  }
}

function readColumns(statement: readonly SqlToken[], columns: Map<string, readonly string[]>): void {
  const start = statement.findIndex(({ text }) => text === '(');
  const table = statement[start - 1]?.text;
  if (table === undefined) return;
  const names: string[] = [];
  let depth = 0;
  statement.slice(start).forEach((token, at, all) => {
    if (token.text === '(' && token.kind === 'mark') depth += 1;
    if (token.text === ')' && token.kind === 'mark') depth -= 1;
    const before = all[at - 1];
    const isFirst = before?.kind === 'mark' && (before.text === ',' || (before.text === '(' && at === 1));
    if (
      depth === 1 &&
      isFirst &&
      token.kind === 'word' &&
      !/^(?:primary|key|unique|index|fulltext|constraint)$/i.test(token.text)
    )
      names.push(token.text);
  });
  columns.set(table, names);
}

function readInsert(
  statement: readonly SqlToken[],
  columns: ReadonlyMap<string, readonly string[]>,
  name: string,
): PluginLink[] {
  const into = statement.findIndex(({ text }) => text.toLowerCase() === 'into');
  const table = statement[into + 1]?.text ?? '';
  const known = TABLES.find(({ table: pattern }) => pattern.test(table));
  if (known === undefined) return [];
  const values = statement.findIndex(({ kind, text }) => kind === 'word' && text.toLowerCase() === 'values');
  const named = statement.slice(into + 2, values).filter(({ kind }) => kind === 'word');
  const names =
    named.length > 0
      ? named.map(({ text }) => text)
      : (columns.get(table) ?? (/prli_links$/.test(table) ? PRETTY_COLUMNS : []));
  const links: PluginLink[] = [];
  let row: string[] | null = null;
  for (const token of statement.slice(values + 1)) {
    if (token.kind === 'mark' && token.text === '(') row = [];
    else if (token.kind === 'mark' && token.text === ')' && row !== null) {
      const cells = row;
      const get = (column: string | undefined) =>
        column === undefined ? '' : (cells[names.indexOf(column)] ?? '');
      const target = get(known.target).trim();
      const skipped = explainSkipped(get);
      if (target !== '' || skipped !== '') {
        const slug = get(known.path);
        const isProduct = known.number !== undefined;
        links.push({
          path: slug === '' ? '' : toPath(slug),
          postId: get(known.postId),
          target: isProduct ? '' : decodeAmpersands(target),
          skipped,
          place: `${name}, line ${token.line}`,
          number: get(known.number).toUpperCase(),
          name: isProduct ? target : '',
        });
      }
      row = null;
    } else if (row !== null && token.kind !== 'mark') row.push(token.text);
  }
  return links;
}
