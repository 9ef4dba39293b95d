import { readOutboundParameters, STORED_ITEMS, type VisitMode } from '../consent/stored-items.ts';
import { EVENT_NAMES, getEventDefinition } from '../events/event-definitions.ts';
import type { Partner } from '../outbound/partner.ts';
import { getAgeDays } from '../products/price.ts';
import { escapeHtml } from '../text/parse-text.ts';
import { areSamplesShown } from './claims/claims.ts';
import { type JudgedFile, listQuotations, listRankings, type RuleFinding } from './claims/content-rules.ts';
import type { SourcedStatement } from './claims/statements.ts';
import { describeField } from './content.ts';

/** Every part of a dossier with its title, and the rules whose findings are lines of it. */
const PARTS = {
  disclosure: ['Disclosure', 'disclosure-first'],
  sources: ['Sources'],
  prices: ['Prices', 'price-age', 'price-cut'],
  basis: ['Basis of the judgment', 'tested-words'],
  ranking: ['Order of lists', 'paid-ranking'],
  provenance: ['How the text was made', 'ai-text', 'ai-image'],
  quotations: ['Quotations and ratings', 'review-proof', 'sample-quotes', 'stars-source'],
  environment: ['Environmental words', 'green-generic', 'green-offset', 'green-label', 'green-future'],
  wording: ['Other wording', 'scarcity', 'free-claim'],
  ties: ['Ties other than commission', 'insider', 'independence'],
  accessibility: ['Accessibility', 'accessibility'],
  data: ['Data', 'operator', 'privacy-list'],
  history: ['History'],
} as const satisfies Record<string, readonly [title: string, ...rules: RuleFinding['rule'][]]>;
type Part = keyof typeof PARTS;

/** One line: what is so, whether it is in order, and the file and field in which it is said. */
interface DossierLine {
  readonly part: Part;
  readonly text: string;
  readonly state: 'ok' | 'open' | 'fails';
  readonly file: string;
  readonly field: string;
}

/** What a dossier is made of; `findings` are also those of the files that the page takes its claims and products from. */
export interface DossierInput {
  readonly path: string;
  readonly title: string;
  readonly judged: JudgedFile;
  readonly findings: readonly RuleFinding[];
  readonly statements: readonly SourcedStatement[];
  /** The newest first. */
  readonly versions: readonly {
    readonly number: number;
    readonly operator: string;
    readonly savedAt: number;
  }[];
}

/** What a partner's lawyer, or its manager, asks about a page. */
export type Dossier = ReturnType<typeof buildDossier>;

/** Builds the dossier of a page or an article: every line says what the content says, and where. */
export function buildDossier(input: DossierInput) {
  const { judged, findings, path, title } = input;
  const { site } = judged.content;
  const facts: readonly DossierLine[] = [
    ...listClaims(input),
    ...listOffers(input),
    ...listMade(input),
    ...listPeople(judged),
    ...listData(judged),
    ...listHistory(input),
  ];
  const words = site.dossier;
  // A whole sentence, or what is before its colon.
  const translate = (text: string) =>
    words[text] ?? text.replace(/^[^:]+(?=: )/, (label) => words[label] ?? label);
  const lines = Object.entries(PARTS).flatMap(([key, [, ...rules]]) => {
    const part = key as Part;
    const found = findings.filter(({ rule }) => rules.some((one: string) => one === rule));
    const own = [
      ...facts.filter((fact) => fact.part === part),
      ...found.map(({ file, field, message, level, allowed, rule }): DossierLine => {
        const by = allowed ? `; allowed by ${allowed.by} on ${allowed.day}: ${allowed.reason}` : '';
        const isFault = level === 'error' || (rule === 'accessibility' && file === judged.file);
        const state = allowed ? 'ok' : isFault ? 'fails' : 'open';
        return { part, text: `${message} (${rule})${by}`, state, file, field };
      }),
    ];
    const said = own.length > 0 ? own : [say(part, 'Nothing was found.', 'ok', judged.file)];
    return said.map((line) => ({ ...line, text: translate(line.text) }));
  });
  const made = new Date(judged.at.now).toISOString().slice(0, 10);
  const { name, language } = site;
  return { site: name, language, address: judged.at.siteUrl + path, title, made, words, lines };
}

const say = (
  part: Part,
  text: string,
  state: DossierLine['state'],
  file = 'site.yaml',
  field = '',
): DossierLine => ({ part, text, state, file, field });

/** The sources of what the page states, and its disclosure. */
function listClaims({ judged, findings, statements }: DossierInput): readonly DossierLine[] {
  const { isPaid, folder, content } = judged;
  const field = folder === 'articles' ? 'short' : 'strip';
  const isDisclosed = !findings.some(({ rule }) => rule === 'disclosure-first');
  const words = isPaid
    ? `“${content.site.disclosure[field]}” above the first paid link.`
    : 'No link is paid for.';
  return [
    ...(isDisclosed ? [say('disclosure', words, 'ok', 'site.yaml', `disclosure.${field}`)] : []),
    ...statements
      .filter(({ kind }) => kind !== 'rule')
      .map(({ subject, text, source, checked, file, name }) => {
        const isDenied = content.claims.get(name.replace('claim:', ''))?.sourceSays !== undefined;
        const state = source === '' || isDenied ? 'fails' : checked === '' ? 'open' : 'ok';
        const from = [source || 'no source', checked || 'no day'].join(', ');
        return say('sources', `${subject} ${text}: ${from}`.trim(), state, file || judged.file, name);
      }),
  ];
}

/** The prices that the page states, with their age, and the orders of its lists. */
function listOffers({ judged, statements }: DossierInput): readonly DossierLine[] {
  const { content, at, fields } = judged;
  const products = [...content.products.values()];
  const prices = products.flatMap((product) =>
    product.offers.flatMap((offer) => {
      const stated = statements.find(({ name }) => name === `product:${product.key}.${offer.key}`);
      if (stated === undefined || offer.source === undefined) return [];
      const days = getAgeDays(offer.source.checked, at.now);
      const isTaxed = /\b(?:tax|VAT)\b/i.test(offer.terms ?? '');
      const tax = isTaxed ? '' : '; whether tax is included is not stated';
      const text = `${product.name}, ${stated.text}, ${offer.currency}, checked ${days} days ago of ${product.maxAgeDays}`;
      const state = days > product.maxAgeDays ? 'fails' : isTaxed ? 'ok' : 'open';
      return [say('prices', text + tax, state, `products/${product.key}.yaml`, `offers.${offer.key}`)];
    }),
  );
  const { commission } = content.site.disclosure;
  const orders = listRankings(judged).flatMap(({ type, basis, path }) => {
    const words = [basis, commission].filter(Boolean).join(' ');
    return words ? [say('ranking', `${type}: ${words}`, 'ok', judged.file, describeField(fields, path))] : [];
  });
  return [...prices, ...orders];
}

/** How the text was made, what it rests on, and who is quoted in it. */
function listMade({ judged, statements }: DossierInput): readonly DossierLine[] {
  const { fields, file, product, isPublic, content, at } = judged;
  const { kind, tool, what, reviewer, day } = Object(fields.provenance);
  const made = [kind, tool, what, reviewer && `reviewed by ${reviewer}`, day].filter(Boolean).join(', ');
  const answer = kind === 'human' || reviewer ? 'ok' : kind === 'generated' ? 'fails' : 'open';
  const tested = product?.tested;
  const isRead = statements.some(({ kind: of }) => of === 'source' || of === 'price' || of === 'figure');
  const basis = tested
    ? `${product.name} was tested by ${tested.by} on ${tested.on}.`
    : isRead
      ? 'From documents, not tested.'
      : 'Neither a test nor a document is recorded.';
  return [
    say('basis', basis, tested || isRead ? 'ok' : 'open', file),
    say('provenance', made || 'Not stated.', answer, file, 'provenance'),
    ...listQuotations(judged).flatMap(({ path, name, sample, proof, verifiedOn }) => {
      const field = describeField(fields, path);
      // One without proof is a finding of a rule.
      if (sample !== true && !(proof && verifiedOn)) return [];
      const isShown = areSamplesShown(content.site.samples, at.siteUrl);
      const words = sample !== true ? `${proof}, ${verifiedOn}` : `a sample, ${isShown ? '' : 'not '}shown`;
      const state = sample !== true || !isShown ? 'ok' : isPublic ? 'fails' : 'open';
      return [say('quotations', `${name}: ${words}`, state, file, field)];
    }),
  ];
}

/** Ties of the operator and the authors, and what is stated on accessibility. */
function listPeople({ content: { site }, authors, file }: JudgedFile): readonly DossierLine[] {
  const { name: operator, ties: own } = site.operator;
  const people = [
    { name: operator || 'The operator', ties: own, of: 'site.yaml', field: 'operator.ties' },
    ...authors.map(({ name, key, ties }) => ({ name, ties, of: `authors/${key}.yaml`, field: 'ties' })),
  ];
  const { scope, href, stated, audited } = site.accessibility ?? {};
  const access = [scope && `applies: ${scope}`, href, stated, audited && `audited ${audited}`];
  return [
    ...people.map(({ name, ties, of, field }) => {
      const list = ties?.list.map((tie) => `${tie.kind}: ${tie.with}`).join('; ') || 'none';
      const words = ties ? `${list}, stated ${ties.stated}` : 'not stated';
      return say('ties', `${name}: ${words}`, ties ? 'ok' : 'fails', of, field);
    }),
    ...(scope
      ? [say('accessibility', access.filter(Boolean).join(', '), 'ok', 'site.yaml', 'accessibility')]
      : []),
    say('accessibility', 'No automatic test of the page is stored.', 'open', file),
  ];
}

/** The partners that a page leads to: its own, and those that its links and products name. */
function listPartners({ content, partner, isPaid, fields }: JudgedFile): readonly Partner[] {
  const text = JSON.stringify(fields);
  const isNamed = (key: string) =>
    new RegExp(
      `(?:/go/|partner:|"partner":"|"products?":(?:\\[[^\\]]*)?"|products?=\\\\"[^"]*\\b)${key}\\b`,
    ).test(text);
  const sold = [...content.products.values()].filter(({ key }) => isNamed(key));
  const keys = new Set(sold.flatMap(({ offers }) => offers.map((offer) => offer.partner)));
  return [...content.partners.values()].filter(
    ({ key }) => isPaid && (key === partner || keys.has(key) || isNamed(key)),
  );
}

const MODES: Readonly<Record<VisitMode, string>> = {
  full: '',
  free: ' where nothing is stored before consent',
  gpc: ' with Global Privacy Control',
};

/** What a page stores, sends and passes on, from the lists of the code. */
function listData(judged: JudgedFile): readonly DossierLine[] {
  const { file } = judged;
  const stored = STORED_ITEMS.map(({ key, area }) => `${key} (${area})`).join(', ');
  const sent = EVENT_NAMES.filter((name) => getEventDefinition(name).senders.includes('browser')).join(', ');
  const passed = listPartners(judged).flatMap((to) =>
    Object.entries(MODES).map(([mode, when]) => {
      const parameters = [...readOutboundParameters(to, mode as VisitMode)].map((pair) => pair.join('='));
      const text = `Passed on${when}: ${to.name}, ${parameters.join(', ')}`;
      return say('data', text, 'ok', `partners/${to.key}.yaml`, 'forward');
    }),
  );
  return [
    say('data', `Stored in the browser: ${stored}`, 'ok', file),
    say(
      'data',
      'Stored before consent where the law asks for it, or with Global Privacy Control: nothing',
      'ok',
      file,
    ),
    say('data', `Sent to this site: ${sent}`, 'ok', file),
    ...(passed.length === 0 ? [say('data', 'Nothing is passed on to a partner.', 'ok', file)] : passed),
  ];
}

/** When it was published, what it says of its changes, and the versions that are kept. */
function listHistory({ judged: { fields, file }, versions }: DossierInput): readonly DossierLine[] {
  const { publishedAt, updates } = fields;
  const log = Array.isArray(updates) ? updates : [];
  return [
    ...(publishedAt ? [say('history', `Published: ${publishedAt}`, 'ok', file, 'publishedAt')] : []),
    ...log.map(({ date, text }, index) =>
      say('history', `${date}: ${text}`, 'ok', file, describeField(fields, ['updates', index])),
    ),
    ...(versions.length === 0 ? [say('history', 'No version is kept yet.', 'open', file)] : []),
    ...versions.map(({ number, operator, savedAt }) => {
      const day = new Date(savedAt).toISOString().slice(0, 10);
      return say('history', `Version: ${[number, day, operator].filter(Boolean).join(', ')}`, 'ok', file);
    }),
  ];
}

/** The style of a printed dossier; its policy allows this one alone. */
export const DOSSIER_STYLE =
  '@page{size:A4;margin:18mm}body{font:10pt/1.45 sans-serif;max-width:180mm;margin:2rem auto;padding:0 1rem;color:#111;' +
  'background:#fff}h1{font-size:16pt}h2{font-size:12pt;margin:1.2em 0 .3em;break-after:avoid}table{width:100%;' +
  'border-collapse:collapse;table-layout:fixed}td{border-top:1px solid #999;padding:.25em .5em .25em 0;vertical-align:top;' +
  'overflow-wrap:anywhere}tr{break-inside:avoid}td:nth-child(2){width:4em}td:nth-child(3){width:32%;color:#444}' +
  '.fails{font-weight:700}.open{font-style:italic}';

/** Writes HTML pages without scripts. */
const writePage = (language: string, title: string, body: string) =>
  `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8">` +
  '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">' +
  `<title>${escapeHtml(title)}</title><style>${DOSSIER_STYLE}</style></head><body><h1>${escapeHtml(title)}</h1>${body}</body></html>\n`;

const countStates = ({ lines, words }: Dossier) =>
  (['ok', 'open', 'fails'] as const).map((state) => {
    return `${lines.filter((line) => line.state === state).length} ${words[state] ?? state}`;
  });

/** Renders a dossier as one printable page. */
export function renderDossier(dossier: Dossier): string {
  const { site, address, made, title, language, lines, words } = dossier;
  const name = (label: string) => escapeHtml(words[label] ?? label);
  const head = [site, address, made, ...countStates(dossier)].map(escapeHtml).join(' · ');
  const parts = Object.entries(PARTS).map(([part, [label]]) => {
    const rows = lines
      .filter((line) => line.part === part)
      .map(({ text, state, file, field }) => {
        const place = [file, field].filter(Boolean).map(escapeHtml).join('<br>');
        return `<tr><td>${escapeHtml(text)}</td><td class="${state}">${name(state)}</td><td>${place}</td></tr>`;
      });
    return `<h2>${name(label)}</h2><table>${rows.join('')}</table>`;
  });
  return writePage(language, `${words['Dossier'] ?? 'Dossier'}: ${title}`, `<p>${head}</p>${parts.join('')}`);
}

/** Renders the index of dossiers; `name`: of the file of each, without its ending. */
export function renderDossierIndex(
  dossiers: readonly { readonly name: string; readonly dossier: Dossier }[],
): string {
  const rows = dossiers.map(({ name, dossier }) => {
    const link = `<a href="${escapeHtml(name)}.html">${escapeHtml(dossier.title)}</a>`;
    return `<tr><td>${link}</td><td colspan="2">${escapeHtml(countStates(dossier).join(', '))}</td></tr>`;
  });
  const [first] = dossiers;
  return writePage(
    first?.dossier.language ?? 'en',
    first?.dossier.words['Dossiers'] ?? 'Dossiers',
    `<table>${rows.join('')}</table>`,
  );
}
