import { formatAt } from '../../core/console/form-fields.ts';
import { listTexts } from '../../core/pages/claims/placeholders.ts';
import { type Content, describeField } from '../../core/pages/content.ts';
import { REDIRECT_PREFIX } from '../../core/paths.ts';
import type { ContentText } from '../content-files.ts';
import type { YamlEdit } from '../edit-yaml.ts';
import { findKind, nameOfFile } from '../kinds.ts';
import { Piece, type PlanRefusal } from './piece.ts';
import { type AddressPlan, rewriteFiles } from './plan-address.ts';

/** A partner or product, by its file. */
export interface NamedFile {
  readonly kind: 'partner' | 'product';
  readonly key: string;
  readonly file: string;
}

/** The partner or product that a file has; null for other files. */
export function findNamedFile(file: string): NamedFile | null {
  const kind = findKind(file)?.key;
  return kind === 'partner' || kind === 'product' ? { kind, key: nameOfFile(file), file } : null;
}

const FIELDS = { partner: /^(?:partners?|promotedPartner)$/, product: /^products?$/ } as const;
/** The fields that name a page of the partner next to them. */
const DESTINATION_FIELDS = ['destination', 'partnerLink'];

/** Links to a partner in a text: `[words](/go/key)`, and addresses alone; their last sign is none of a sentence. */
function buildLinkPatterns(key: string) {
  const path = `${REDIRECT_PREFIX}${RegExp.escape(key)}(?![\\w-])`;
  const address = `${path}(?:\\?([^\\s)"'<>#]*[\\w%=&/+-])?)?`;
  return {
    address: new RegExp(address, 'g'),
    whole: new RegExp(`\\[([^\\]]*)\\]\\(${address}[^)\\n]*\\)|${address}`, 'g'),
  };
}

type Texts = ReadonlyMap<string, ContentText>;

/** Lists the places of other files that name a partner or product, or link to it. */
export function listNamePlaces(texts: Texts, named: NamedFile) {
  return [...texts].flatMap(([file, { text }]) => {
    if (file === named.file || !text.includes(named.key)) return [];
    const { values, body } = new Piece(file, text);
    const raw = values ?? {};
    const lines = body
      .split('\n')
      .flatMap((line, index) =>
        rewriteText(line, named, PROBE) === line
          ? []
          : [{ file, place: `line ${index + 1} of the text`, at: '' }],
      );
    return [
      ...findNames(raw, named).map((path) => ({ file, place: describeField(raw, path), at: formatAt(path) })),
      ...lines,
    ];
  });
}

const findNames = (value: unknown, named: NamedFile) =>
  listTexts(value).flatMap(({ text, path }) =>
    isName(text, path, named) || rewriteText(text, named, PROBE) !== text ? [path] : [],
  );

const isName = (text: string, path: readonly (string | number)[], { kind, key }: NamedFile) =>
  text === key && FIELDS[kind].test(String(path.findLast((part) => typeof part === 'string')));

/** In place of a name, to find where it is. */
const PROBE: Replacement = { key: '\u0000', destinations: new Map() };

/** Leads the links of a text to another partner, or leaves only their words. */
function rewriteText(text: string, { kind, key }: NamedFile, to: Replacement | null): string {
  if (kind === 'product') {
    const led = text.replace(SHORTCODE_PRODUCTS, (whole, before: string, list: string) => {
      const keys = list.split(/\s*,\s*/).flatMap((one) => (one === key ? (to?.key ?? []) : one));
      return list.split(/\s*,\s*/).includes(key)
        ? keys.length === 0
          ? ''
          : `${before}"${keys.join(', ')}"`
        : whole;
    });
    // A shortcode without a product goes.
    const left = led.replace(/^[ \t]*\{\{\s*[a-z-]+\s*\}\}[ \t]*$/gm, (line) =>
      text.includes(line) ? line : '',
    );
    return to === null ? left : left.replaceAll(`{product:${key}.`, `{product:${to.key}.`);
  }
  return leadPartnerLinks(text, key, to);
}

/** Leads the links of a text to one partner to another one, or leaves only their words (null). Their other parameters stay. */
export function leadPartnerLinks(text: string, key: string, to: Replacement | null): string {
  const { address, whole } = buildLinkPatterns(key);
  if (to === null) return text.replace(whole, (_, words: string | undefined) => words ?? '');
  return text.replace(address, (_, query = '') => {
    const parameters = new URLSearchParams(query);
    if (!to.destinations.has(parameters.get('page') ?? '')) parameters.delete('page');
    return `${REDIRECT_PREFIX}${to.key}${parameters.size === 0 ? '' : `?${parameters}`}`;
  });
}

/** The list of products of a shortcode. */
const SHORTCODE_PRODUCTS = /(?<=\{\{[^{}]*)(\bproducts?=)"([^"]*)"/g;

interface Replacement {
  readonly key: string;
  readonly destinations: ReadonlyMap<string, string>;
}

/**
 * Removes the file of a partner or product, with another one in its place wherever it is named; null: what names it is taken
 * out, an entry of a list as a whole. What would be wrong then is found by the check of the save.
 */
export function planRemoval(
  { partners }: Content,
  texts: Texts,
  named: NamedFile,
  replacement: string | null,
): AddressPlan | PlanRefusal {
  const { file: own, key, kind } = named;
  const old = texts.get(own);
  if (old === undefined) return { problem: `content/${own} cannot be read.` };
  if (
    replacement === key ||
    (replacement !== null && !texts.has(own.replace(`/${key}.`, `/${replacement}.`)))
  )
    return { problem: `Choose another ${kind} of this site.` };
  const destinations = partners.get(replacement ?? '')?.destinations ?? new Map<string, string>();
  const to = replacement === null ? null : { key: replacement, destinations };
  const others = new Map([...texts].filter(([file, { text }]) => file !== own && text.includes(key)));
  const edited = rewriteFiles(
    others,
    (_, value) => planEdits(value, named, to),
    (_, body) => rewriteText(body, named, to),
  );
  if ('problem' in edited) return edited;
  const count = edited.changes.length;
  const verb = count === 1 ? 'names' : 'name';
  const done = `${count === 1 ? '1 file' : `${count} files`} that named it ${verb} ${to === null ? 'it no more' : `${to.key} now`}`;
  return {
    changes: [...edited.changes, { file: own, text: null, opened: old.hash }],
    message: `Removed. ${count === 0 ? '' : `${done}. `}Put a version back to have it again.`,
    note: `Removed content/${own}${to === null ? '' : `, with ${to.key} in its place`}.`,
    file: own,
  };
}

/** The edits of one file; entries of lists are taken out from the end, so that positions stay right. */
function planEdits(value: unknown, named: NamedFile, to: Replacement | null): readonly YamlEdit[] {
  const removed = new Map<string, YamlEdit>();
  const edits: YamlEdit[] = [];
  for (const { text, path } of listTexts(value)) {
    const isNamed = isName(text, path, named);
    const rewritten = isNamed ? (to?.key ?? '') : rewriteText(text, named, to);
    if (rewritten === text) continue;
    if (rewritten !== '') edits.push({ kind: 'set', path, value: rewritten });
    if (isNamed && to !== null) edits.push(...leadDestinations(value, path, to));
    if (rewritten !== '') continue;
    const parent = path.slice(0, -1);
    const whole = typeof path.at(-1) === 'string' && typeof parent.at(-1) === 'number' ? parent : path;
    removed.set(formatAt(whole), { kind: 'remove', path: whole });
  }
  return [...edits, ...[...removed.values()].reverse()];
}

/** Gives the fields next to a name a page that its new partner has. */
function leadDestinations(value: unknown, path: readonly (string | number)[], to: Replacement): YamlEdit[] {
  const [first] = to.destinations.keys();
  return listTexts(value).flatMap(({ text, path: other }): YamlEdit[] => {
    const isNext = formatAt(other.slice(0, -1)) === formatAt(path.slice(0, -1));
    const isPage = isNext && DESTINATION_FIELDS.includes(String(other.at(-1))) && !to.destinations.has(text);
    return isPage && first !== undefined ? [{ kind: 'set', path: other, value: first }] : [];
  });
}
