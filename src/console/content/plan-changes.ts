import { findUnpublishable } from '../../content-files/check-rules.ts';
import { Piece } from '../../content-files/edit/piece.ts';
import { listOwnPaths } from '../../content-files/edit/plan-address.ts';
import { findFormSchema } from '../../content-files/edit/plan-form.ts';
import { planOwnAddress } from '../../content-files/edit/plan-redirects.ts';
import { leadPartnerLinks } from '../../content-files/edit/plan-removal.ts';
import { planState } from '../../content-files/edit/plan-state.ts';
import { splitMarkdown } from '../../content-files/edit-yaml.ts';
import { findKind, isFolder, isOfKind } from '../../content-files/kinds.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { nameKey } from '../../core/console/form-fields.ts';
import { listTexts, type TextPath } from '../../core/pages/claims/placeholders.ts';
import { listUsingFiles } from '../../core/pages/content-uses.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { listSitePages } from '../reports/site-pages.ts';
import {
  type ChangePlan,
  countLines,
  type LineChange,
  proposeChange,
  proposeText,
  readUndo,
  saveChosen,
} from './line-changes.ts';
import { buildDestinationLink } from './list-choices.ts';
import { findOwnAddress } from './piece-address.ts';
import { findFolderProblem } from './read-file.ts';
import { readRisk } from './updates.ts';
import { findOnce, readPlanTime, readSaving, readWrittenFiles } from './written-files.ts';

/** More lines are not looked through; the plan says so. */
const MAX_CHANGES = 300;

/** Names without a link that are shown at once, those on which the most money depends: the others follow. */
const MAX_NAMES = 10;

/** A plan that the parameters of its address decide, with what is said above it. */
interface Plan extends ChangePlan {
  readonly note: string;
  /** The partner whose money a line is about, by its id; without one, it is that of the page. */
  readonly partners: ReadonlyMap<string, string>;
}
type Planner = (site: ConsoleSite, parameters: URLSearchParams) => Plan;

const plan = (changes: readonly LineChange[], rest: Partial<Plan> = {}): Plan => ({
  changes: changes.slice(0, MAX_CHANGES),
  leftOut: [],
  partners: new Map(),
  ...rest,
  note: [rest.note, changes.length < MAX_CHANGES ? '' : `Only the first ${MAX_CHANGES} lines are looked at.`]
    .filter(Boolean)
    .join(' '),
});

/** What no word of a text is: addresses of links, shortcodes, figures, code, HTML, definitions of sources. */
const CODE =
  /```[\s\S]*?```|`[^`\n]*`|\]\([^)\n]*\)|\{\{[^}\n]*\}\}|\{[a-z]+:[^}\n]*\}|<[^>\n]+>|https?:\/\/[^\s)]+|^\[[^\]\n]+\]:.*$/gm;
/** Fields whose texts are no words for readers, or figures. */
const FIXED_FIELDS =
  /^(?:href|src|url|key|via|source|value|figure|code|type|image|address|check|id|read|icon)$/;
/** A key, a path or an address. */
const IDENTIFIER = /^(?:[a-z0-9]+(?:[-_.][a-z0-9]+)*|\S*[/:#]\S*)$/;
const AMOUNT = /(?:[$€£]\s?)?\d[\d,.]*(?:\s?(?:USD|EUR|GBP|[$€£%]))?/g;
const PRICE = /[$€£]\s?\d|\d\s?(?:USD|EUR|GBP|[$€£])/;

/** Pieces, products, authors and claims have words for readers. */
function hasWords(file: string): boolean {
  const kind = findKind(file);
  return kind?.isJudged === true && isFolder(kind);
}

/** Finds a word or words in a text, but not in what `CODE` has; `prices` counts hits that are a part of a price. */
function findHits(text: string, pattern: RegExp, isEverywhere: boolean) {
  const list = (found: RegExp) =>
    [...text.matchAll(found)].map(({ 0: { length }, index }) => [index, index + length] as const);
  const closed = isEverywhere ? [] : list(CODE);
  const amounts = list(AMOUNT).filter(([start, end]) => PRICE.test(text.slice(start, end)));
  const isIn = (places: readonly (readonly [number, number])[], [start, end]: readonly [number, number]) =>
    places.some(([from, to]) => start < to && end > from);
  const open = list(pattern).filter(([start, end]) => end > start && !isIn(closed, [start, end]));
  return {
    hits: open.filter((hit) => !isIn(amounts, hit)),
    prices: open.filter((hit) => isIn(amounts, hit)).length,
  };
}

/** Replaces words in the texts of pieces, products, authors and claims: `find`, `with`, `case`, `part`, `code`. */
const planReplace: Planner = (site, parameters) => {
  const wanted = (parameters.get('find') ?? '').slice(0, 200);
  const replacement = (parameters.get('with') ?? '').slice(0, 500);
  if (wanted.trim() === '') return plan([]);
  if (PRICE.test(wanted)) return plan([], { note: `${wanted.trim()} is a price; change it in Prices.` });
  const escaped = RegExp.escape(wanted);
  const edge = parameters.has('part') ? ['', ''] : ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'];
  const pattern = new RegExp(edge.join(escaped), parameters.has('case') ? 'gu' : 'giu');
  const isEverywhere = parameters.has('code');
  const changes: LineChange[] = [];
  const leftOut: { file: string; reason: string }[] = [];
  let prices = 0;
  for (const { file, text } of readWrittenFiles(site)) {
    if (!hasWords(file) || changes.length >= MAX_CHANGES || text.search(pattern) < 0) continue;
    const piece = new Piece(file, text);
    const { body } = piece;
    const found = findHits(body, pattern, isEverywhere);
    prices += found.prices;
    const offset = text.lastIndexOf(body);
    for (const [start, end] of found.hits)
      changes.push(proposeChange(file, text, offset + start, offset + end, replacement));
    for (const field of listTexts(piece.values)) {
      const last = field.path.findLast((part) => typeof part === 'string') ?? '';
      const isFixed = FIXED_FIELDS.test(String(last)) || IDENTIFIER.test(field.text);
      if (isFixed && !isEverywhere) continue;
      const inner = findHits(field.text, pattern, isEverywhere);
      prices += inner.prices;
      if (inner.hits.length === 0) continue;
      const value = inner.hits
        .toReversed()
        .reduce((now, [start, end]) => now.slice(0, start) + replacement + now.slice(end), field.text);
      const edited = piece.edit([{ kind: 'set', path: field.path, value }]);
      if ('problem' in edited)
        leftOut.push({ file, reason: `${describePath(field.path)}: ${edited.problem}` });
      else changes.push(...[proposeText(file, text, edited.text) ?? []].flat());
    }
  }
  const note =
    prices === 0 ? '' : `${prices} more ${prices === 1 ? 'is' : 'are'} part of a price; change it in Prices.`;
  return plan(changes, { note, leftOut });
};

const describePath = (path: TextPath) =>
  path.map((part) => (typeof part === 'number' ? part + 1 : nameKey(part))).join(' › ');

/** Links the first mention of each product that a piece names and does not link, and lists pieces to which nothing links. */
const planMissing: Planner = (site) => findOnce(site, 'missing links', () => listMissing(site));

function listMissing(site: ConsoleSite): Plan {
  const { products, partners } = site.content.read();
  const written = readWrittenFiles(site);
  const articles = written
    .filter(({ file }) => isOfKind(file, 'article'))
    .map(({ file, text }) => ({ file, text, body: getBody(text) }));
  const changes: LineChange[] = [];
  const money = new Map<string, string>();
  for (const { key, name, offers } of products.values()) {
    const [offer] = offers;
    const partner = partners.get(offer?.partner ?? '');
    if (offer === undefined || partner === undefined) continue;
    const pieces = articles.filter(({ text }) => text.includes(name));
    const linking = new Set([
      ...listUsingFiles(
        'partner',
        partner.key,
        pieces.map(({ file, body }) => ({ file, text: body })),
      ),
      ...pieces
        .filter(({ text }) =>
          [...text.matchAll(/\{\{[^}]*\bproducts?="([^"]*)"/g)].some(([, list = '']) =>
            list.split(/[\s,]+/).includes(key),
          ),
        )
        .map(({ file }) => file),
    ]);
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}[])${RegExp.escape(name)}(?![\\p{L}\\p{N}\\]])`, 'gu');
    for (const { file, text, body } of pieces) {
      const offset = text.lastIndexOf(body);
      // Not in a heading, a table or the words of another link.
      const isText = ([start]: readonly [number, number]) => {
        const line = body.slice(body.lastIndexOf('\n', start - 1) + 1, start);
        return !/^\s*[#|]/.test(line) && !/\[[^\]]*$/.test(line);
      };
      const hit = linking.has(file) ? undefined : findHits(body, pattern, false).hits.find(isText);
      if (hit === undefined) continue;
      const link = `[${name}](${buildDestinationLink(partner.key, offer.destination)})`;
      const change = proposeChange(file, text, offset + hit[0], offset + hit[1], link);
      changes.push(change);
      money.set(change.id, partner.key);
    }
  }
  const all = written.map(({ file, text }) => ({ file, text }));
  const linking = listNamingFiles(all);
  const leftOut = listSitePages(site)
    .filter(({ file, path }) => {
      const isPiece = path !== '/' && isOfKind(file, 'article', 'page');
      return isPiece && !(linking.get(path) ?? []).some((one) => one !== file);
    })
    .map(({ file }) => ({ file, reason: 'No other piece links to it.' }));
  const unnamed = [...products.keys()]
    .filter((key) => listUsingFiles('product', key, all).length === 0)
    .map((key) => ({ file: `products/${key}.yaml`, reason: 'No piece shows it.' }));
  return plan(changes, { leftOut: [...leftOut, ...unnamed], partners: money });
}

/** The first two files whose texts have each path, alone or at the end of an address: all are read once for all paths. */
function listNamingFiles(files: readonly { readonly file: string; readonly text: string }[]) {
  const found = new Map<string, readonly string[]>();
  for (const { file, text } of files)
    for (const [written] of text.matchAll(/\/[^\s"'`()<>[\]{}|?#&,;:\\]+/g)) {
      const run = written.replace(/[.!*]+$/, '');
      for (let at = 0; at !== -1; at = run.indexOf('/', at + 1)) {
        const known = found.get(run.slice(at)) ?? [];
        if (known.length < 2 && !known.includes(file)) found.set(run.slice(at), [...known, file]);
      }
    }
  return found;
}

const getBody = (text: string) => splitMarkdown(text)?.body ?? '';

/** What can be changed in many pieces at once, and what its value is called. */
export const MANY_FIELDS = {
  category: 'Topic',
  author: 'Author',
  state: 'State',
  partner: 'Partner links',
  checked: 'Checked today',
} as const;

/** Changes one thing in the chosen files: `file` (several), `set`, `value`, and `from` for links to a partner. */
const planMany: Planner = (site, parameters) => {
  const set = parameters.get('set') ?? '';
  const value = (parameters.get('value') ?? '').trim();
  const chosen = new Set(parameters.getAll('file').slice(0, MAX_CHANGES));
  const leftOut: { file: string; reason: string }[] = [];
  const changes = readWrittenFiles(site).flatMap(({ file, text }) => {
    if (!chosen.has(file)) return [];
    const edited = editOne(site, new Piece(file, text), {
      set,
      value,
      from: parameters.get('from-partner') ?? '',
    });
    if ('problem' in edited) leftOut.push({ file, reason: edited.problem });
    return 'problem' in edited ? [] : (proposeText(file, text, edited.text) ?? []);
  });
  return plan(changes, { leftOut });
};

function editOne(
  site: ConsoleSite,
  piece: Piece,
  { set, value, from }: Readonly<Record<'set' | 'value' | 'from', string>>,
): { readonly text: string } | { readonly problem: string } {
  const { properties = {} } = findFormSchema(piece.file) ?? {};
  const values = piece.values ?? {};
  const edit = (key: string, to: unknown) =>
    Object.hasOwn(properties, key)
      ? piece.set({ [key]: to })
      : { problem: `Files like this one have no ${key}.` };
  if (set === 'state') return editState(site, piece, value);
  if (set === 'partner') return editLinks(site, piece, { from, to: value });
  if (set === 'checked') {
    const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
    return values['checked'] === undefined
      ? { problem: 'It does not say what is compared with its sources: write it in its form first.' }
      : edit('checked', { ...Object(values['checked']), date: today });
  }
  if (value === '') return { problem: 'Choose a value.' };
  if (set === 'author') return edit('author', value);
  const list = Array.isArray(values['categories']) ? values['categories'] : [];
  return set === 'category'
    ? edit('categories', [value, ...list.slice(1).filter((one) => one !== value)])
    : { problem: 'Choose what to change.' };
}

function editState(site: ConsoleSite, before: Piece, value: string) {
  const { file } = before;
  const wish =
    value === 'draft' ? ({ kind: 'take-down' } as const) : ({ kind: 'publish', keepsDate: false } as const);
  if (!isOfKind(file, 'article', 'page')) return { problem: 'Only articles and pages are published.' };
  if (before.isDraft === (value === 'draft')) return before;
  const stated = planState(before, wish, readPlanTime(site));
  if ('problem' in stated) return stated;
  const { piece } = stated;
  const address = findOwnAddress(site, file);
  const { files } = site.platform.content;
  if (wish.kind === 'publish' && address !== null && files !== null) {
    const own = planOwnAddress(files.readRedirects(), listOwnPaths(address, piece.text));
    if (own.length > 0) return { problem: 'A redirect leads from its address: publish it by itself.' };
    const problem = findUnpublishable(before, piece, readSaving(site));
    if (problem !== null) return { problem };
  }
  return piece;
}

/** Leads the links to one partner to another one; its pages that the other one does not have become the usual one. */
function editLinks(site: ConsoleSite, { file, text }: Piece, { from, to }: { from: string; to: string }) {
  const { partners } = site.content.read();
  const target = partners.get(to);
  if (target === undefined || !partners.has(from))
    return { problem: 'Choose the partner of the links, and another one.' };
  if (!isOfKind(file, 'article'))
    return { problem: 'Only the links in texts of articles can be changed here.' };
  return { text: leadPartnerLinks(text, from, target) };
}

/** The views that propose lines, by the path below that of content; `done` is what their button does. */
export const PLANS = {
  replace: { planner: planReplace, title: 'In all texts', verb: 'Replace', done: 'Replaced' },
  missing: { planner: planMissing, title: 'Links that are missing', verb: 'Link', done: 'Linked' },
  many: { planner: planMany, title: 'Many at once', verb: 'Change', done: 'Changed' },
} as const;

/** The plan at a path of the view: what is missing is a state of the links. Undefined without one. */
export function findChangePlan({ rest, parameters }: Pick<ViewRequest, 'rest' | 'parameters'>) {
  const [page = '', ...more] = rest;
  const name = page === 'links' && parameters.get('state') === 'missing' ? 'missing' : page;
  const [found] = Object.entries(PLANS).filter(([key]) => key === name && more.length === 0);
  return found && { ...found[1], name };
}

/** Reads what a view proposes, by piece: those on which the most money depends first. */
export async function readChanges(site: ConsoleSite, request: ViewRequest) {
  const found = findChangePlan(request);
  if (found === undefined) return null;
  const { name } = found;
  const { changes, partners, ...proposed } = found.planner(site, request.parameters);
  const { rank, currency } = await readRisk(site);
  const pages = new Map(listSitePages(site).map(({ file, path, title }) => [file, { path, title }]));
  const all = rank(
    [...Map.groupBy(changes, ({ id, file }) => `${file} ${partners.get(id) ?? ''}`)].map(([key, list]) => {
      const [{ file, id } = { file: '', id: '' }] = list;
      const page = pages.get(file);
      const partner = partners.get(id) ?? null;
      return {
        key,
        file,
        partner,
        pages: page === undefined ? [] : [page.path],
        title: page?.title ?? file,
        changes: list,
      };
    }),
  );
  const content = site.content.read();
  const summaries = site.content.articles.getSummaries();
  const groups = name === 'missing' ? all.slice(0, MAX_NAMES) : all;
  const shown = groups.flatMap((group) => group.changes);
  return {
    kind: 'changes' as const,
    name,
    ...proposed,
    groups,
    currency,
    /** Of all lines, and of those that are shown and can be taken. */
    all: changes.length,
    count: shown.length,
    lines: countLines(shown),
    titles: new Map([...pages].map(([file, { title }]) => [file, title])),
    figures: content.figures,
    partners: [...content.partners.values()].map(({ key, name: called }) => [key, called] as const),
    authors: [...content.authors.values()].map(({ key, name: called }) => [key, called] as const),
    categories: [...new Set(summaries.flatMap(({ categories }) => categories.slice(0, 1)))].sort(),
    undo: await readUndo(site, request),
    readOnly: await findFolderProblem(site),
  };
}

/** Saves the lines that were ticked of what the address proposes now. */
export async function takeChanges(
  site: ConsoleSite,
  ids: readonly string[],
  { rest, parameters, viewer }: ViewRequest,
): Promise<ActionOutcome> {
  const found = findChangePlan({ rest, parameters });
  const location = `${buildConsoleAddress('content', {}, { rest })}${parameters.size === 0 ? '' : `?${parameters}`}`;
  if (found === undefined) return { location, message: 'Nothing was changed.', isError: true };
  const { done, planner } = found;
  return saveChosen(site, planner(site, parameters), ids, { done, location, viewer });
}
