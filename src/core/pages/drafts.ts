import { nameCommand } from '../text/name-command.ts';
import { buildSlug } from '../text/slug.ts';
import type { SiteDetails } from './site.schema.ts';

/** What a new page can be: a ranked list, two products, one product, or a page without a pattern. */
export const PAGE_KINDS = ['landing', 'roundup', 'versus', 'review'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/**
 * Builds the document of a new page: a draft until its text is written. `day`: `2026-03-12`; `products`: keys of the
 * products that the site has, of which the draft names the first.
 */
export function buildPageDraft(
  title: string,
  day: string,
  kind: PageKind = 'landing',
  products: readonly string[] = [],
): string {
  const quoted = JSON.stringify(title);
  const header = kind === 'landing' ? 'header: landing\n' : '';
  // Two are compared: what the site does not have yet is named after its place.
  const names = [...products, ...['first-product', 'second-product'].slice(products.length)];
  return `# yaml-language-server: $schema=../page.schema.json
title: ${quoted}
# 50 to 170 characters, for search results.
description: "What this page is about and what the reader can decide after it, in one plain sentence."
${header}# Hides the page; remove it to publish. ${nameCommand('preview-link')} prints the address that opens it until then.
draft: true
updated: ${day}
cta: { source: ${kind} }
sections:
  - type: hero
    title: ${quoted}
${PATTERNS[kind](names)}`;
}

/** The sections after the hero. Products are files of content/products/: docs/recipes/product.md. */
const PATTERNS: Readonly<Record<PageKind, (names: readonly string[]) => string>> = {
  landing: () => `    actions:
      - { label: See the current price, partnerLink: pricing, source: hero }
  - type: prose
    body: |
      Running text in Markdown.
`,
  roundup: (names) => `    lead: Say in one or two sentences what you recommend and why.
  - type: picks-table
    title: Our picks
    basis: Say on what the choice rests, such as what you measured and what you left out.
    items:
${names
  .slice(0, 2)
  .map(
    (name) => `      - product: ${name}
        bestFor: readers whom you name
        why: Say in one sentence why it is the best for them.
        limit: Say where it stops.
`,
  )
  .join('')}  - type: roundup
    title: All of them, with reasons
    basis: Say on what the order rests.
    # listed, score (best first) or price (cheapest first)
    order: listed
    items:
${names
  .slice(0, 3)
  .map((name) => `      - { product: ${name} }\n`)
  .join('')}  - type: prose
    title: What we left out
    body: |
      Running text in Markdown.
  - type: disclosure
`,
  versus: (names) => `    lead: Say in one or two sentences which one fits whom.
  - type: versus
    title: The short answer
    products: [${names.slice(0, 2).join(', ')}]
    verdict: Say in one sentence who should choose the one, and who the other.
  - type: product-comparison
    title: What differs
    products: [${names.slice(0, 2).join(', ')}]
    rows:
      - { label: Say what you compare, cells: [One answer, Another answer] }
  - type: prose
    title: How they compare
    body: |
      Running text in Markdown.
  - type: disclosure
`,
  review: (names) => `    lead: Say in one or two sentences who should buy it, and who should not.
  - type: product-box
    product: ${names[0]}
  - type: prose
    title: What it does well, and where it stops
    body: |
      Running text in Markdown.
  - type: faq
    title: Questions
    items:
      - question: Say what readers ask before they decide.
        answer: Give the answer first, then the reason.
  - type: disclosure
`,
};

/**
 * Builds the file of a new product: a draft without a price until somebody has looked at it. `shop`: a partner of the site.
 */
export function buildProductDraft(
  name: string,
  shop: NamedShop,
  { kind, currency }: SiteDetails['newProducts'] = { kind: 'physical', currency: 'USD' },
): string {
  return `# Every field, also what pages say of it: docs/recipes/product.md
name: ${JSON.stringify(name)}
# software or physical
kind: ${kind}
# Days after which a price that you have not checked again is not shown any more.
maxAgeDays: 60
${currency === 'USD' ? '' : `currency: ${currency}\n`}offers:
  # A price goes with a source: the page that you have read, and the day.
  shop:
    name: ${JSON.stringify(shop.name)}
    partner: ${shop.key}
    # once, monthly or yearly
    billed: ${kind === 'software' ? 'monthly' : 'once'}
# Pages cannot show it yet; remove the line when it is complete.
draft: true
`;
}

/** A partner by its key and what it is called. */
interface NamedShop {
  readonly key: string;
  readonly name: string;
}

/**
 * Builds the file of a new article: a head to fill in, and a body that says what belongs where. `day`: `2026-03-12`;
 * `topic`: the first category, one of the site's topics.
 */
export function buildArticleDraft(title: string, day: string, topic: string): string {
  return `---
title: ${JSON.stringify(title)}
excerpt: "One or two sentences that say what the reader learns."
# The first is the topic.
categories: [${JSON.stringify(topic)}]
tags: []
publishedAt: ${day}
# Document title and description in search results.
seoTitle: ${JSON.stringify(title)}
seoDescription: "What a searcher reads under the title, in 120 to 160 characters."
# The image on cards and at the top. Put the file there, then remove the # of these lines.
# image:
#   src: ../images/articles/${buildSlug(title)}.jpg
#   alt: "What the image shows, for readers who cannot see it."
#   focus: 50% 50%
# A link to a partner in the text: [what it says](/go/KEY), with the key of the partner.
draft: true
---
State the main point of the article here, in one paragraph.

## Say in the heading what the part says

Then the reasoning, with one example:

| Line | Amount |
| --- | ---: |
| First | 10 |
| Second | 20 |
| **Together** | **30** |
`;
}

/** What a draft of an article, a page or a product is made of. */
export interface PieceDraft {
  readonly kind: 'article' | 'page' | 'product';
  /** Of a page. */
  readonly pattern: PageKind;
  /** Title, or name of the product. */
  readonly title: string;
  /** Name of the file without its ending. */
  readonly slug: string;
  /** `2026-03-12` */
  readonly day: string;
  /** The first topic of the blog. */
  readonly topic: string;
  readonly partners: readonly NamedShop[];
  /** Keys of what the site has. */
  readonly products: readonly string[];
  readonly newProducts?: SiteDetails['newProducts'];
}

/** The file of a draft below the content folder, its text, and what removing `draft` does. */
export function buildPieceDraft({ kind, pattern, title, slug, day, topic, ...site }: PieceDraft): {
  readonly file: string;
  readonly text: string;
  readonly use: string;
} {
  if (kind === 'article') {
    const text = buildArticleDraft(title, day, topic);
    return { file: `articles/${slug}.md`, text, use: `publish it at /blog/${slug}` };
  }
  if (kind === 'product') {
    const text = buildProductDraft(
      title,
      site.partners[0] ?? { key: 'example', name: 'Example' },
      site.newProducts,
    );
    return { file: `products/${slug}.yaml`, text, use: `let pages show it as "${slug}"` };
  }
  const text = buildPageDraft(title, day, pattern, site.products);
  return { file: `pages/${slug}.yaml`, text, use: `publish it at /${slug}` };
}

/** How the program of a new partner is tracked; `subId`: the parameter that gives a click id back. */
export interface PartnerNetwork {
  readonly network: string;
  /** `no`: the program forbids redirects. */
  readonly redirect?: 'no';
  readonly subId: {
    readonly parameter: string;
    readonly maxLength: number;
    readonly encoding?: 'hex';
  } | null;
}

/** Names of parameters for the code of a publisher, and those for a merchant, a program or an advertisement. */
const CODE_NAMES =
  /aff(?:iliate)?_?(?:id|code)?$|^(?:ref|via|tag|u|pw|campid|wgcampaignid|(?:pub(?:lisher)?|partner)_?id)$/i;
const OTHER_NAMES =
  /^utm_|merchant|advertiser|program|campaign|banner|^(?:awinm?id|v|m|mid|b|p|url|ued|murl|urllink)$/i;

/** The parameter of a link that has the operator's code: by its name, else the first that names nothing else and no address. */
export function findCode(url: URL): readonly [parameter: string, value: string] | undefined {
  const own = [...url.searchParams].filter(([, value]) => value !== '' && !/^https?:/i.test(value));
  return (
    own.find(([name]) => CODE_NAMES.test(name) && !/^utm_/i.test(name)) ??
    own.find(([name]) => !OTHER_NAMES.test(name)) ??
    own.find(([name]) => !/^utm_/i.test(name))
  );
}

/**
 * Builds the file of a partner from the link that its program gave the operator: one parameter has the operator's code, or the
 * path has it when the link leads through a network to the merchant's own site, `shop`. Null: it is no such address.
 */
export function buildPartnerFile(
  key: string,
  name: string,
  link: string,
  currency = 'USD',
  { network, subId, redirect }: PartnerNetwork = { network: 'generic', subId: null },
  shop = '',
): string | null {
  if (!URL.canParse(link)) return null;
  const url = new URL(link);
  const code = findCode(url);
  // The link of a network names the merchant's page in it, and its own front page is nobody's destination.
  const named = [...url.searchParams.values()].find((text) => /^https?:/i.test(text) && URL.canParse(text));
  const target = named ?? (URL.canParse(shop) && new URL(shop).host !== url.host ? shop : undefined);
  if (url.protocol !== 'https:' || (code === undefined && target === undefined)) return null;
  const [parameter, value] = code ?? [];
  if (parameter !== undefined) url.searchParams.delete(parameter);
  const site = `${new URL(target ?? link).origin}/`;
  return `# What each field means: docs/recipes/partner.md.
key: ${key}
name: ${JSON.stringify(name)}
site: ${JSON.stringify(site)}
# A visitor is only ever sent to one of these hosts.
hosts:
  - ${JSON.stringify(url.hostname)}
affiliate:${code === undefined ? ' null' : `\n  parameter: ${JSON.stringify(parameter)}\n  value: ${JSON.stringify(value)}`}
# The parameter in which the program gives a click id back; null: the program has none.
${subId === null || subId.parameter === parameter ? 'subId: null' : `subId: ${JSON.stringify(subId)}`}
# What it receives. Of a visit, it can receive more: docs/attribution.md, "What a merchant receives".
forward: [affiliate, subId]
# http: a redirect without a page. page: with the redirect page. no: links lead to the shop itself, as Amazon wants it.
redirect: ${redirect ?? 'http'}
network: ${network}
currency: ${currency}
destinations:
  home: ${JSON.stringify(target === undefined ? site : url.href)}
  pricing: ${JSON.stringify(url.href)}
`;
}

/** Builds the file of an author. */
export function buildAuthorFile(name: string, role: string, bio: string): string {
  const lines = bio.split('\n').map((line) => (line.trim() === '' ? '' : `  ${line.trimEnd()}`));
  return `name: ${JSON.stringify(name)}
# person or team. Search engines get Person or Organization data.
kind: person
role: ${JSON.stringify(role)}
bio: |
${lines.join('\n')}
links: []
# What this author has tested, with the day and a link to the result.
tests: []
`;
}

/** Texts that `signpost new` writes, or wrote, into a draft for the author to replace. A file with one is never published. */
const IN_DRAFTS: readonly string[] = [
  'One or two sentences that say what the reader learns.',
  'What a searcher reads under the title, in 120 to 160 characters.',
  'State the main point of the article here, in one paragraph.',
  'Say in the heading what the part says',
  'What this page is about and what the reader can decide after it, in one plain sentence.',
  'Running text in Markdown.',
  'Say in one or two sentences',
  'Say in one sentence',
  'Say on what the ',
  'Say where it ',
  'Say where else it ',
  'Say what it does well',
  'Say what else it does well',
  'Say what readers ask',
  'Say what you compare',
  'Say who ',
  'Give the answer first, then the reason.',
  'readers whom you name',
  'Name of the shop',
  'https://example.com/product',
];

/** The same, with those of `signpost new site`, whose pages are published from the start. */
export const PLACEHOLDERS: readonly string[] = [
  ...IN_DRAFTS,
  'Say here ',
  'Example Product',
  'Example product',
];

/** Whether a text is one that a draft has for the author to replace, as a whole. */
export const isDraftText = (text: string): boolean =>
  PLACEHOLDERS.some((one) => text === one || (one.startsWith('Say ') && text.startsWith(one)));

/** Why a text that is not a draft cannot be published; null when it can. Continues a sentence about its field. */
export function findDraftPlaceholder(text: string): string | null {
  const found = IN_DRAFTS.find((placeholder) => text.includes(placeholder));
  return found === undefined ? null : `still has "${found}": replace it, or set draft: true`;
}
