import { findAuthor, findTest } from '../../articles/article.ts';
import { DAY_MS } from '../../clock.ts';
import { buildRedirectPath, PRIVACY_PATH } from '../../paths.ts';
import { findProductOf } from '../../products/product.ts';
import { isPublicAddress } from '../../text/parse-text.ts';
import { type Content, describeField } from '../content.ts';
import { describeOldPrices, findOldPrices } from '../launch-report.ts';
import TABLE from './content-rules.json' with { type: 'json' };
import { listTexts, type TextPath } from './placeholders.ts';

/** One row of `content-rules.json`: the rules on what pages may say. They find candidates, a person decides. */
interface Rule {
  readonly level: string;
  /** The provision that it is about. */
  readonly basis: string;
  readonly message: string;
  /** A pattern of words in a sentence, case aside. */
  readonly words?: string;
  /** What a `proof` has to say of them; left out: no proof helps. */
  readonly proof?: readonly string[];
}
type RuleId = keyof typeof TABLE;
const RULES: Readonly<Record<RuleId, Rule>> = TABLE;
export const RULE_IDS = Object.keys(TABLE) as [RuleId, ...RuleId[]];

/** Where and when content is judged. `now`: ms since 1970. */
export interface JudgedAt {
  readonly siteUrl: string;
  readonly now: number;
}

/** A content file as the rules read it: what it says, whom and what it is about. */
export type JudgedFile = ReturnType<typeof openJudgedFile>;

/** A sentence of the copy; `offset`: where it begins in its text. */
interface Sentence {
  readonly text: string;
  readonly written: string;
  readonly path: TextPath;
  readonly offset: number;
}

/** Where a rule has found something, and what. */
interface Hit {
  readonly path: TextPath;
  readonly found?: string;
  readonly sentence?: Sentence;
}

/** The fields of a value that may be anything. */
const fieldsOf = (value: unknown) => Object(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Opens a file for the rules. `value`: its fields as written; an article has its Markdown as `body`. */
export function openJudgedFile(file: string, value: unknown, content: Content, at: JudgedAt) {
  const fields = fieldsOf(value);
  const { site, products, authors } = content;
  const [folder = '', name = ''] = file.replace(/\.\w+$/, '').split('/');
  const isArticle = folder === 'articles';
  const sections = listOf(fields.sections).map(fieldsOf);
  const partner: string = (isArticle ? fields.partner : fieldsOf(fields.cta).partner) ?? site.promotedPartner;
  const signed = isArticle ? [fields.author ?? site.author] : sections.flatMap(({ author }) => author ?? []);
  const own = folder === 'authors' ? authors.get(name) : undefined;
  const isWhole = folder === 'site' || folder === 'assessment';
  return {
    file,
    folder,
    fields,
    sections,
    content,
    at,
    partner,
    product: folder === 'products' ? products.get(name) : findProductOf(products, partner),
    authors: own === undefined ? signed.flatMap((one) => findAuthor(authors, String(one)) ?? []) : [own],
    isPublic: isPublicAddress(at.siteUrl),
    /** Whether it has links that the site is paid for. */
    isPaid:
      isWhole ||
      (isArticle && partner !== 'none') ||
      fields.cta !== undefined ||
      PARTNER_LINK.test(JSON.stringify(fields)),
    /** What shows that words of the file are true. */
    proofs: listOf(fields.proofs).map(fieldsOf),
    texts: listCopy(folder, fields),
  };
}

const PARTNER_LINK = new RegExp(`"partnerLink":|\\]\\((?:partner:|${buildRedirectPath('')})`);

/** Fields that are no copy, or the words of others. */
const NOT_COPY =
  /^(?:href|src|url|id|type|kind|variant|sources?|partner|partnerLink|products?|offer|plan|author|event|evidence|origin|allow|proofs|tags|aliases|robots|verification|utm|key|by|checked|questions|businessTypes|retired|code|calculator)$/;
const NAMED = /\{([a-z]+:[a-z0-9.-]+)\}/g;
const SENTENCE = /(?:(?![.!?][)*"]*\s)[^\n])+[.!?]?/g;

function listCopy(folder: string, fields: unknown): readonly { text: string; path: TextPath }[] {
  return folder === 'claims'
    ? Object.entries(fieldsOf(fields)).map(([key, claim]): { text: string; path: TextPath } => {
        const { figure, wording } = fieldsOf(claim);
        return { text: `${figure} ${wording}`, path: [key, 'figure'] };
      })
    : listTexts(fields).filter(({ path }) => !path.some((part) => NOT_COPY.test(String(part))));
}

/** The sentences of the copy, with the figures that they name; `pattern`: of the texts that have such words. */
function listSentences({ texts, content: { figures } }: JudgedFile, pattern?: RegExp): readonly Sentence[] {
  // A claim is judged in its own file.
  const fill = (_: string, name: string) =>
    name.startsWith('claim:') ? '…' : (figures.get(name) ?? '…').replace(/\]\([^)]*\)/g, ']');
  const show = (text: string) =>
    text
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/https?:\S+|[*_[\]]|==/g, '')
      .replace(NAMED, fill);
  return texts.flatMap(({ text, path }) =>
    pattern === undefined || pattern.test(show(text))
      ? [...text.matchAll(SENTENCE)].map(({ 0: written, index: offset }) => {
          return { text: show(written), written, path, offset };
        })
      : [],
  );
}

const PATTERNS = new Map(
  RULE_IDS.flatMap((id) => (RULES[id].words === undefined ? [] : [[id, new RegExp(RULES[id].words, 'i')]])),
);
const ANY_WORDS = new RegExp([...PATTERNS.values()].map(({ source }) => source).join('|'), 'i');

/** Finds the words of a rule in sentences that nothing shows to be true. */
function findWords(id: RuleId, judged: JudgedFile, sentences: readonly Sentence[]): readonly Hit[] {
  const pattern = PATTERNS.get(id);
  if (pattern === undefined || IS_RIGHT[id]?.(judged)) return [];
  const { proof = [] } = RULES[id];
  const proofs = judged.proofs.filter((one) => proof.length > 0 && proof.every((name) => one[name]));
  return sentences.flatMap((sentence) => {
    const text = sentence.text.toLowerCase();
    const [found] = pattern.exec(sentence.text) ?? [];
    const isProven = proofs.some((one) => text.includes(String(one.words).toLowerCase()));
    return found === undefined || isProven ? [] : [{ path: sentence.path, sentence, found: found.trim() }];
  });
}

/** Whether an author of the file has tested its product. */
function isTested({ product, authors }: JudgedFile): boolean {
  if (product === undefined) return false;
  const { tested } = product;
  const isOwn = tested && (authors.length === 0 || authors.some(({ key }) => key === tested.by));
  return isOwn === true || authors.some((one) => findTest(one, product.name) !== undefined);
}

/** Whether the words of a rule are right wherever they stand in a file. */
const IS_RIGHT: { readonly [Id in RuleId]?: (judged: JudgedFile) => boolean } = {
  'tested-words': isTested,
  // A claim has its evidence, or is marked for having none.
  'stars-source': ({ folder }) => folder === 'claims',
};

/** The quotations in a file, with the way to each. */
function listQuotations({ folder, fields, sections }: JudgedFile) {
  const lists = [
    ...sections.flatMap(({ type, items }, index) =>
      type === 'testimonials' ? [{ items, path: ['sections', index, 'items'] as TextPath }] : [],
    ),
    ...(folder === 'assessment'
      ? [
          {
            items: fieldsOf(fieldsOf(fields.copy).intro).testimonials,
            path: ['copy', 'intro', 'testimonials'] as TextPath,
          },
        ]
      : []),
  ];
  return lists.flatMap(({ items, path }) =>
    listOf(items).map((item, index) => ({ ...fieldsOf(item), path: [...path, index] as TextPath })),
  );
}

/** Everything in a value that `pick` wants, with the way to it and what is around it. */
function findAll(
  value: unknown,
  pick: (fields: ReturnType<typeof fieldsOf>) => boolean,
  path: TextPath = [],
  around: unknown = {},
): readonly {
  readonly found: ReturnType<typeof fieldsOf>;
  readonly around: ReturnType<typeof fieldsOf>;
  readonly path: TextPath;
}[] {
  if (typeof value !== 'object' || value === null) return [];
  const own =
    !Array.isArray(value) && pick(value) ? [{ found: fieldsOf(value), around: fieldsOf(around), path }] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, part]) =>
      findAll(part, pick, [...path, Array.isArray(value) ? Number(key) : key], value),
    ),
  ];
}

const YEAR_MS = 365 * DAY_MS;

/** Whether the act applies is stated, and a statement is published where it does. */
function isAccessStated(accessibility: unknown, now: number): boolean {
  const { scope, href, stated } = fieldsOf(accessibility);
  return scope === 'none' || (scope && href && now - Date.parse(stated) <= YEAR_MS) === true;
}

/** What rules that read more than words find. */
const FIND: { readonly [Id in RuleId]?: (judged: JudgedFile) => readonly Hit[] } = {
  'disclosure-first'({ folder, isPaid, content: { site } }) {
    const field = folder === 'articles' || folder === 'site' ? 'short' : 'strip';
    const isRight = !isPaid || folder === 'assessment' || site.disclosure[field].trim() !== '';
    return isRight ? [] : [{ path: [], found: `disclosure.${field}` }];
  },
  'review-proof': (judged) =>
    listQuotations(judged).filter(
      ({ sample, proof, verifiedOn }) => sample !== true && !(proof && verifiedOn),
    ),
  'sample-quotes': ({ folder, fields, isPublic }) =>
    folder === 'site' && isPublic && fields.samples === 'show' ? [{ path: ['samples'] }] : [],
  'price-age': ({ folder, product, at }) =>
    folder !== 'products' || product === undefined
      ? []
      : findOldPrices(new Map([[product.key, product]]), at.now).map((old) => ({
          path: ['offers'],
          found: describeOldPrices(old),
        })),
  'ai-image': (judged) =>
    findAll(judged.fields, ({ src, ai }) => src !== undefined && ai === 'realistic').filter(
      ({ around }) =>
        !IS_LABEL.test(String(around.caption)) &&
        !listSentences(judged).some(
          ({ text }) => /\b(?:image|picture|photo)/i.test(text) && IS_LABEL.test(text),
        ),
    ),
  accessibility({ folder, fields, at }) {
    const isOpen = folder === 'site' && !isAccessStated(fields.accessibility, at.now);
    const videos = findAll(fields, ({ youtube, captions }) => youtube !== undefined && captions !== true);
    return [
      ...(isOpen
        ? [{ path: ['accessibility'], found: 'state whether the act applies, and publish the statement' }]
        : []),
      ...videos.map(({ path }) => ({ path, found: 'the video has no captions' })),
      ...(/!\[\s*\]\(/.test(String(fields.body ?? ''))
        ? [{ path: ['body'], found: 'an image has no alt text' }]
        : []),
    ];
  },
  operator: ({ folder, content: { site }, isPublic }) =>
    folder === 'site' && isPublic && (site.operator.name === '' || site.operator.address === '')
      ? [{ path: ['operator'] }]
      : [],
  'privacy-list'({ file, fields, content: { figures } }) {
    const text = JSON.stringify(fields);
    const named = [...figures.keys()].flatMap((one) => (one.startsWith('storage:') ? `{${one}}` : []));
    const missing = file === `pages${PRIVACY_PATH}.yaml` ? named.filter((one) => !text.includes(one)) : [];
    return missing.length === 0 ? [] : [{ path: [], found: missing.join(', ') }];
  },
};

const IS_LABEL = /\bAI\b|\bgenerated\b/;

/** What a rule has found in a file. */
export type RuleFinding = ReturnType<typeof judgeFile>[number];

/** Judges a file by every rule; what its `allow` allows is left out. */
export function judgeFile(judged: JudgedFile) {
  const { file, fields } = judged;
  const allowances = listOf(fields.allow).map(fieldsOf);
  const sentences = listSentences(judged, ANY_WORDS);
  return RULE_IDS.flatMap((id) => {
    const { level, message } = RULES[id];
    const hits = [...(FIND[id]?.(judged) ?? []), ...findWords(id, judged, sentences)];
    return hits.flatMap(({ path, found = '', sentence }) => {
      const text = sentence?.text.toLowerCase();
      const isAllowed = allowances.some(
        (one) => one.rule === id && (!one.words || text?.includes(String(one.words).toLowerCase())),
      );
      if (isAllowed) return [];
      return {
        rule: id,
        level,
        file,
        path,
        field: describeField(fields, path),
        message: message.replace('{found}', found).replace('{product}', judged.product?.name ?? 'a product'),
        /** Where it begins in the text of its field. */
        offset: sentence?.offset ?? 0,
      };
    });
  });
}
