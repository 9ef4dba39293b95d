import { findUnpublishable } from '../../content-files/check-rules.ts';
import { listOwnPaths } from '../../content-files/edit/plan-address.ts';
import { findFormSchema, nameKey } from '../../content-files/edit/plan-form.ts';
import { planOwnAddress } from '../../content-files/edit/plan-redirects.ts';
import { leadPartnerLinks } from '../../content-files/edit/plan-removal.ts';
import { editFront, planState, readValues } from '../../content-files/edit/plan-state.ts';
import { splitMarkdown } from '../../content-files/edit-yaml.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
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
import { readPlanTime, readSaving, readWrittenFiles } from './written-files.ts';

/** More lines are not looked through; the plan says so. */
const MAX_CHANGES = 300;

/** A plan that the parameters of its address decide, with what is said above it and the reason of each change. */
interface Plan extends ChangePlan {
  readonly note: string;
  /** Why a line is proposed, by its id. */
  readonly reasons: ReadonlyMap<string, string>;
  /** The partner whose money a line is about, by its id; without one, it is that of the page. */
  readonly partners: ReadonlyMap<string, string>;
}
type Planner = (site: ConsoleSite, parameters: URLSearchParams) => Plan;

const plan = (changes: readonly LineChange[], rest: Partial<Plan> = {}): Plan => ({
  changes: changes.slice(0, MAX_CHANGES),
  leftOut: [],
  reasons: new Map(),
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
const REPLACED = /^(?:articles|pages|products|claims|authors)\//;

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
    if (!REPLACED.test(file) || changes.length >= MAX_CHANGES || text.search(pattern) < 0) continue;
    const body = file.endsWith('.md') ? (splitMarkdown(text)?.body ?? '') : '';
    const found = findHits(body, pattern, isEverywhere);
    prices += found.prices;
    const offset = text.lastIndexOf(body);
    for (const [start, end] of found.hits)
      changes.push(proposeChange(file, text, offset + start, offset + end, replacement));
    for (const field of listTexts(readValues(file, text))) {
      const last = field.path.findLast((part) => typeof part === 'string') ?? '';
      const isFixed = FIXED_FIELDS.test(String(last)) || IDENTIFIER.test(field.text);
      if (isFixed && !isEverywhere) continue;
      const inner = findHits(field.text, pattern, isEverywhere);
      prices += inner.prices;
      if (inner.hits.length === 0) continue;
      const value = inner.hits
        .toReversed()
        .reduce((now, [start, end]) => now.slice(0, start) + replacement + now.slice(end), field.text);
      const edited = editFront(file, text, [{ kind: 'set', path: field.path, value }]);
      if ('problem' in edited)
        leftOut.push({ file, reason: `${describePath(field.path)} ${edited.problem}` });
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
const planMissing: Planner = (site) => {
  const { products, partners } = site.content.read();
  const written = readWrittenFiles(site);
  const changes: LineChange[] = [];
  const reasons = new Map<string, string>();
  const money = new Map<string, string>();
  for (const { key, name, offers } of products.values()) {
    const [offer] = offers;
    const partner = partners.get(offer?.partner ?? '');
    if (offer === undefined || partner === undefined) continue;
    const pieces = written.filter(({ file, text }) => file.startsWith('articles/') && text.includes(name));
    const linking = new Set([
      ...listUsingFiles(
        'partner',
        partner.key,
        pieces.map(({ file, text }) => ({ file, text: getBody(text) })),
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
    for (const { file, text } of pieces) {
      const body = getBody(text);
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
      reasons.set(change.id, `names ${name} and does not link it`);
      money.set(change.id, partner.key);
    }
  }
  const all = written.map(({ file, text }) => ({ file, text }));
  const leftOut = listSitePages(site)
    .filter(({ file, path }) => {
      const link = new RegExp(`${RegExp.escape(path)}(?![\\w/-])`);
      const isPiece = path !== '/' && /^(?:articles|pages)\//.test(file);
      return isPiece && !all.some((one) => one.file !== file && link.test(one.text));
    })
    .map(({ file }) => ({ file, reason: 'No other piece links to it.' }));
  const unnamed = [...products.keys()]
    .filter((key) => listUsingFiles('product', key, all).length === 0)
    .map((key) => ({ file: `products/${key}.yaml`, reason: 'No piece shows it.' }));
  return plan(changes, { leftOut: [...leftOut, ...unnamed], reasons, partners: money });
};

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
    const edited = editOne(site, file, text, { set, value, from: parameters.get('from-partner') ?? '' });
    if ('problem' in edited) leftOut.push({ file, reason: edited.problem });
    return 'problem' in edited ? [] : (proposeText(file, text, edited.text) ?? []);
  });
  return plan(changes, { leftOut });
};

function editOne(
  site: ConsoleSite,
  file: string,
  text: string,
  { set, value, from }: Readonly<Record<'set' | 'value' | 'from', string>>,
): { readonly text: string } | { readonly problem: string } {
  const { properties = {} } = findFormSchema(file) ?? {};
  const order = Object.keys(properties);
  const values = readValues(file, text) ?? {};
  const edit = (path: TextPath, to: unknown) => {
    if (!order.includes(String(path[0]))) return { problem: `Files like this one have no ${path[0]}.` };
    const edited = editFront(file, text, [{ kind: 'set', path, value: to, order }]);
    return 'problem' in edited ? { problem: `The file ${edited.problem}.` } : edited;
  };
  if (set === 'state') return editState(site, file, text, value);
  if (set === 'partner') return editLinks(site, file, text, { from, to: value });
  if (set === 'checked') {
    const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
    return values['checked'] === undefined
      ? { problem: 'It does not say what is compared with its sources: write it in its form first.' }
      : edit(['checked', 'date'], today);
  }
  if (value === '') return { problem: 'Choose a value.' };
  if (set === 'author') return edit(['author'], value);
  const list = Array.isArray(values['categories']) ? values['categories'] : [];
  return set === 'category'
    ? edit(['categories'], [value, ...list.slice(1).filter((one) => one !== value)])
    : { problem: 'Choose what to change.' };
}

function editState(site: ConsoleSite, file: string, text: string, value: string) {
  const wish =
    value === 'draft' ? ({ kind: 'take-down' } as const) : ({ kind: 'publish', keepsDate: false } as const);
  const draft = readValues(file, text)?.['draft'] === true;
  if (!/^(?:articles|pages)\//.test(file)) return { problem: 'Only articles and pages are published.' };
  if (draft === (value === 'draft')) return { text };
  const piece = findOwnAddress(site, file);
  const { files } = site.platform.content;
  if (wish.kind === 'publish' && piece !== null && files !== null) {
    const stated = planState(file, text, wish, readPlanTime(site));
    if ('problem' in stated) return stated;
    const own = planOwnAddress(files.readRedirects(), listOwnPaths(piece, stated.text));
    if (own.length > 0) return { problem: 'A redirect leads from its address: publish it by itself.' };
    const problem = findUnpublishable(file, text, stated.text, readSaving(site));
    if (problem !== null) return { problem };
  }
  return planState(file, text, wish, readPlanTime(site));
}

/** Leads the links to one partner to another one; its pages that the other one does not have become the usual one. */
function editLinks(
  site: ConsoleSite,
  file: string,
  text: string,
  { from, to }: { from: string; to: string },
) {
  const { partners } = site.content.read();
  const target = partners.get(to);
  if (target === undefined || !partners.has(from))
    return { problem: 'Choose the partner of the links, and another one.' };
  if (!file.startsWith('articles/'))
    return { problem: 'Only the links in texts of articles can be changed here.' };
  return { text: leadPartnerLinks(text, from, target) };
}

/** The views that propose lines, by the path below that of content; `done` is what their button does. */
export const PLANS = {
  replace: { planner: planReplace, title: 'In all texts', verb: 'Replace', done: 'Replaced' },
  missing: { planner: planMissing, title: 'Links that are missing', verb: 'Link', done: 'Linked' },
  many: { planner: planMany, title: 'Many at once', verb: 'Change', done: 'Changed' },
} as const;

export const findChangePlan = (name = '') => Object.entries(PLANS).find(([key]) => key === name)?.[1];

/** Reads what a view proposes, by piece: those on which the most money depends first. */
export async function readChanges(site: ConsoleSite, request: ViewRequest) {
  const name = request.rest[0] ?? '';
  const found = findChangePlan(name);
  if (found === undefined) return null;
  const { changes, reasons, partners, ...proposed } = found.planner(site, request.parameters);
  const { rank, currency } = await readRisk(site);
  const pages = new Map(listSitePages(site).map(({ file, path, title }) => [file, { path, title }]));
  const groups = rank(
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
  return {
    kind: 'changes' as const,
    name,
    ...proposed,
    groups,
    currency,
    reasons,
    count: changes.length,
    lines: countLines(changes),
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
  const found = findChangePlan(rest[0]);
  const location = `${buildConsoleAddress('content', {}, { rest })}${parameters.size === 0 ? '' : `?${parameters}`}`;
  if (found === undefined) return { location, message: 'Nothing was changed.', isError: true };
  const { done, planner } = found;
  return saveChosen(site, planner(site, parameters), ids, { done, location, viewer });
}
