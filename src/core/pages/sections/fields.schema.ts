import { z } from 'zod';
import { EVENT_NAMES } from '../../journey/site-event.ts';
import { ILLUSTRATION_NAMES } from './illustration-names.ts';

const PAID_PATH = 'links to a partner by its path: write [words](go:pricing) or [words](go:kit/trial)';

/** Links to partners are marked, counted and disclosed; a path written out would be none of these. */
function hasNoPaidPath(words: string): boolean {
  return !/\]\(\/(go\/|[a-z0-9]+-trial\b)/.test(words);
}

/**
 * Visible text. Marks: `**strong**`, `_emphasis_`, `[link](/path)`, `[partner link](go:pricing)`, `==marked==`.
 * Figures stand as `{claim:key}`, `{price:starter}` and the like.
 */
export const text = z.string().trim().min(1).refine(hasNoPaidPath, PAID_PATH);

/** Markdown of several blocks: paragraphs, `##` headings, lists, tables. No HTML. */
export const markdown = z.string().trim().min(1).refine(hasNoPaidPath, PAID_PATH);

/** The `id` of an element on the page, without `#`. */
export const anchor = z.string().regex(/^[a-z][a-z0-9-]*$/, 'only a-z, 0-9 and -, beginning with a letter');

/** Where a call to action stands: goes into the link and the event. */
export const source = z.string().regex(/^[a-z0-9_-]{1,64}$/, 'only a-z, 0-9, _ and -, at most 64 characters');

/** A page key of a partner's file. */
export const pageKey = z.string().regex(/^[a-z0-9-]{1,40}$/, 'only a-z, 0-9 and -');

const HERE = /^(#[a-z][a-z0-9-]*|\/(?!\/|go\/|[a-z0-9]+-trial$)[a-z0-9/?=&#-]*)$/;

/** A path or anchor of this site. */
export const here = z
  .string()
  .regex(HERE, 'must be a path such as /blog or an anchor such as #faq; for a partner use `go`');

/** A button or link: either `href` (this site) or `go` (a partner, through the redirect). */
export const action = z
  .strictObject({
    label: text.describe('What pressing it does, as read on the button.'),
    href: here.optional().describe('A path or anchor of this site.'),
    go: pageKey.optional().describe('Page key of the partner: pricing, trial, home, features or demo.'),
    partner: pageKey.optional().describe('Partner key; the promoted platform when left out.'),
    source: source.optional().describe("Where the link stands; the page's `calls.source` when left out."),
    event: z.enum(EVENT_NAMES).optional().describe("Recorded when pressed; the page's `calls.event` if not."),
    look: z.enum(['primary', 'quiet', 'link']).optional().describe('The first is primary, the others quiet.'),
  })
  .refine(({ href, go }) => (href === undefined) !== (go === undefined), 'needs either `href` or `go`');

/** A figure with the words beside it. */
export const figureItem = z.strictObject({
  figure: text.describe('The number as shown: `{claim:key}` or a price.'),
  label: text.describe('What it counts: your words or `{claim:key.wording}`.'),
  note: text.optional().describe('Small print, such as the sum or `{claim:key.status}`.'),
});

const readNumber = (text: string) =>
  Number((/\d[\d,]*(\.\d+)?/.exec(text)?.[0] ?? 'none').replaceAll(',', ''));

/** A number, or a figure such as `$2,400` or `73%` whose first number counts. */
export const amount = z
  .union([z.number(), z.string()])
  .transform((value) => (typeof value === 'number' ? value : readNumber(value)))
  .refine(Number.isFinite, 'has no number in it');

/** What every section may have. */
export const sectionFields = {
  id: anchor.optional().describe('Anchor: the section can be linked to as #id.'),
  title: text.optional().describe('Heading of the section.'),
  lead: text.optional().describe('A sentence or two under the heading.'),
  note: text.optional().describe('A margin note or small print at the end.'),
  drawing: z.enum(ILLUSTRATION_NAMES).optional().describe('A drawing beside or under the heading.'),
  ground: z.enum(['surface', 'sunken', 'positive']).optional().describe('Background; surface if left out.'),
  space: z.enum(['wide', 'normal', 'tight']).optional().describe('Room above and below; normal if left out.'),
  layout: z
    .enum(['stacked', 'split'])
    .optional()
    .describe('split: the heading stands beside the content on wide screens. Default: stacked.'),
  actions: z.array(action).max(3).optional().describe('Buttons at the end of the section.'),
};

export type Action = z.infer<typeof action>;
export type FigureItem = z.infer<typeof figureItem>;
export type SectionFields = z.infer<z.ZodObject<typeof sectionFields>>;
