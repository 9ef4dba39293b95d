import {
  parseFormerAddress,
  REDIRECT_COLUMNS,
  REDIRECT_FOLDER,
  type RedirectLine,
} from '../../core/pages/redirects/redirects.ts';
import type { ContentText, FileChange } from '../content-files.ts';

/** The redirects that plans add. */
export const CONSOLE_REDIRECTS = `${REDIRECT_FOLDER}/console.csv`;

/** The lines of all files of redirects, and the texts of these files. */
export interface RedirectTexts {
  readonly lines: readonly RedirectLine[];
  readonly texts: ReadonlyMap<string, ContentText>;
}

/** The path of an address, without query and fragment, as requests are looked up. */
export const getPath = (address: string) => parseFormerAddress(address.split(/[?#]/, 1)[0] ?? '');

/** The redirect from an address. */
export const findOwnRedirect = ({ lines }: RedirectTexts, path: string) =>
  lines.find(({ from }) => from === path);

/** How redirects change; see `planRedirects`. */
interface RedirectLead {
  readonly isAdded: boolean;
  readonly isSame: boolean;
  readonly freed?: string;
  readonly also?: string | undefined;
}

/**
 * Leads all former addresses of a path to another one (null: nowhere), and the path itself when `isAdded`. `isSame`: the same
 * page, which has the parts that they may lead to. `freed`: an address whose redirect ends, because the piece has it;
 * `also`: another address of the page, which leads there too.
 */
export function planRedirects(
  { lines, texts }: RedirectTexts,
  from: string,
  to: string | null,
  { isAdded, isSame, freed, also }: RedirectLead,
): readonly FileChange[] {
  const leading = Map.groupBy(
    lines.filter((line) => getPath(line.to) === from || line.from === freed),
    ({ file }) => file,
  );
  const named = new Set([...leading.keys(), ...(isAdded ? [CONSOLE_REDIRECTS] : [])]);
  return [...named].map((file) => {
    const own = leading.get(file) ?? [];
    const isGone = (line: { readonly from: string }) =>
      to === null || line.from === to || line.from === freed;
    const before = texts.get(file);
    const text = editRedirects(before?.text ?? '', {
      removed: new Set(own.filter(isGone).map(({ line }) => line)),
      targets: new Map(
        own.flatMap((line) =>
          isGone(line)
            ? []
            : [[line.line, `${to}${(isSame && /[?#].*$/.exec(line.to)?.[0]) || ''}`] as const],
        ),
      ),
      added:
        isAdded && to !== null && file === CONSOLE_REDIRECTS
          ? [from, ...(also === undefined ? [] : [also])].map((one) => ({ from: one, to }))
          : [],
    });
    return { file, text, opened: before?.hash ?? null };
  });
}

/** Ends the redirects from addresses, for a piece that is published there again; empty without any. */
export function planOwnAddress(
  { lines, texts }: RedirectTexts,
  paths: readonly string[],
): readonly FileChange[] {
  const own = Map.groupBy(
    lines.filter(({ from }) => paths.includes(from)),
    ({ file }) => file,
  );
  return [...own].map(([file, found]) => {
    const before = texts.get(file);
    const removed = new Set(found.map(({ line }) => line));
    return { file, text: editRedirects(before?.text ?? '', { removed }), opened: before?.hash ?? null };
  });
}

/** What changes in a file of redirects. Lines are those of `RedirectLine`. */
export interface RedirectEdits {
  /** New targets by line. */
  readonly targets?: ReadonlyMap<number, string>;
  readonly removed?: ReadonlySet<number>;
  readonly added?: readonly { readonly from: string; readonly to: string }[];
}

/** Edits the text of a file of redirects; all other lines stay as they are. An empty text gets its first line. */
function editRedirects(text: string, edits: RedirectEdits): string {
  const { targets = new Map(), removed = new Set(), added = [] } = edits;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const head = text === '' ? [REDIRECT_COLUMNS.join()] : text.replace(/\r?\n$/, '').split(newline);
  const lines = head.flatMap((line, index) => {
    const to = targets.get(index + 1);
    if (removed.has(index + 1)) return [];
    return to === undefined ? [line] : [`${line.slice(0, findTarget(line))}${quoteCell(to)}`];
  });
  return [...lines, ...added.map(({ from, to }) => `${quoteCell(from)},${quoteCell(to)}`), ''].join(newline);
}

/** Where the second cell of a line begins. */
const findTarget = (line: string) => /^\s*(?:"(?:[^"]|"")*"\s*|[^,]*),/.exec(line)?.[0].length ?? 0;

const quoteCell = (cell: string) => (/[",\s]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
