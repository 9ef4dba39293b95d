import { z } from 'zod';
import { CONTENT_EVENT_NAMES } from '../../events/event-definitions.ts';
import { parseAddress } from '../../paths.ts';
import { SEE_PRICE } from '../../products/price.ts';
import { findMarkdownExcess } from '../../text/markdown-bounds.ts';

/** The illustrations that content may name: the files of `src/ui/illustrations/`. */
export const ILLUSTRATION_NAMES = [
  'blank-signpost',
  'invoice-fold',
  'one-tab',
  'rating-ledger',
  'signpost-routes',
  'two-weeks',
] as const;

/** Every request of its page parses the marks of a text. */
const words = z
  .string()
  .trim()
  .min(1)
  .superRefine((value, context) => {
    const message = findMarkdownExcess(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/**
 * Visible text. Marks: `**strong**`, `_emphasis_`, `[link](/path)`, `[partner link](partner:pricing)`, `==marked==`.
 * Figures are written as `{claim:key}`, `{price:starter}` and so on.
 */
export const text = words;

/** Markdown of several blocks: paragraphs, `##` headings, lists, tables. No HTML. */
export const markdown = words;

/** The `id` of an element on the page, without `#`. */
export const anchor = z.string().regex(/^[a-z][a-z0-9-]*$/, 'only a-z, 0-9 and -, beginning with a letter');

/** Where a call to action is: goes into the link and the event. */
export const source = z.string().regex(/^[a-z0-9_-]{1,64}$/, 'only a-z, 0-9, _ and -, at most 64 characters');

/** The log of a page or an article; the day of its first publication is not in it. */
export const updatesField = z
  .array(
    z.strictObject({
      date: z.iso.date('must be a day such as 2026-11-21').describe('Day of the change.'),
      text: text.max(240).describe('What changed, in one sentence.'),
      corrected: z.boolean().optional().describe('true: it corrects what was wrong before.'),
    }),
  )
  .max(100)
  .default([]);

/** A page key of a partner's file. */
export const pageKey = z.string().regex(/^[a-z0-9-]{1,40}$/, 'only a-z, 0-9 and -');

const SITE_HREF = /^(#[a-z][a-z0-9-]*|\/(?!\/)[a-z0-9/?=&#-]*)$/;

/** A path or anchor of this site. */
export const siteHref = z
  .string()
  .regex(
    SITE_HREF,
    'must be a path such as /blog or an anchor such as #faq; for a partner use `partnerLink`',
  );

/** The path that a piece has of its own, as `parseAddress` writes it. */
export const addressField = z
  .string()
  .refine((address) => parseAddress(address) !== null, {
    error:
      'must be a path such as /2022/07/my-post/, without a query and // and not longer than 512 characters',
    abort: true,
  })
  .overwrite((address) => parseAddress(address) ?? address);

/** A button or link: either `href` (this site) or `partnerLink` (a partner, through the redirect). */
export const action = z
  .strictObject({
    label: text.describe('What pressing it does, as read on the button.'),
    href: siteHref
      .optional()
      .meta({ names: 'page', description: 'A page of this site, or a place on this one.' }),
    partnerLink: pageKey
      .optional()
      .meta({ names: 'destination', description: 'The page of the partner that it leads to.' }),
    partner: pageKey.optional().meta({
      names: 'partner',
      description: 'The partner of the page, else the promoted one, when left out.',
    }),
    source: source.optional().describe("Where the link is; the page's `cta.source` when left out."),
    event: z
      .enum(CONTENT_EVENT_NAMES)
      .optional()
      .describe("Recorded when clicked; for a partner, the page's `cta.event` when left out."),
    variant: z
      .enum(['primary', 'quiet', 'link'])
      .optional()
      .describe('The first is primary, the others quiet.'),
  })
  .refine(
    ({ href, partnerLink }) => (href === undefined) !== (partnerLink === undefined),
    'needs either `href` or `partnerLink`',
  )
  .refine(({ href, partner }) => href === undefined || partner === undefined, {
    path: ['partner'],
    message: 'belongs to a `partnerLink`',
  })
  .refine(({ href, source, event }) => href === undefined || source === undefined || event !== undefined, {
    path: ['source'],
    message: 'belongs to a `partnerLink` or an `event`',
  });

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

/** The same of a chart: null where a price is too old to be shown. */
export const chartAmount = z
  .union([z.number(), z.string()])
  .transform((value) => {
    if (typeof value === 'number') return value;
    return value.includes(SEE_PRICE) ? null : readNumber(value);
  })
  .refine((value) => value === null || Number.isFinite(value), 'has no number in it');

/** What every section may have, a hero too. */
export const plainFields = {
  id: anchor.optional().describe('Anchor: the section can be linked to as #id.'),
  title: text.optional().describe('Heading of the section.'),
  lead: text.optional().describe('A sentence or two under the heading.'),
  note: text.optional().describe('A margin note or small print at the end.'),
  actions: z.array(action).max(3).optional().describe('Buttons at the end of the section.'),
};

/** The same and what sets a section off from its neighbors. */
export const bandFields = {
  ...plainFields,
  background: z
    .enum(['surface', 'sunken', 'positive', 'ink'])
    .optional()
    .describe('Background; surface if left out. ink: dark, in both modes.'),
  spacing: z
    .enum(['wide', 'normal', 'tight'])
    .optional()
    .describe('Room above and below; normal if left out.'),
};

/** The fields of every section with a frame of its own: heading, content, buttons. */
export const sectionFields = {
  ...bandFields,
  illustration: z
    .enum(ILLUSTRATION_NAMES)
    .optional()
    .describe('An illustration beside or under the heading.'),
  layout: z
    .enum(['stacked', 'split'])
    .optional()
    .describe('split: the heading is beside the content on wide screens. Default: stacked.'),
  folded: z
    .boolean()
    .default(false)
    .describe('Shows only the heading until it is clicked; for what few readers need.'),
};

/** The schema of a section type: its name, what all sections have, and the fields of its own. */
export const defineSection = <Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) => z.strictObject({ type: z.literal(type), ...sectionFields, ...fields });

/** The schema of one kind of a drawing or of a hero's figure: its name, what it shows, and its fields. */
export const defineKind = <Kind extends string, Fields extends z.ZodRawShape>(
  kind: Kind,
  description: string,
  fields: Fields,
) => z.strictObject({ kind: z.literal(kind).describe(description), ...fields });

export type Action = z.infer<typeof action>;
export type SectionFields = z.infer<z.ZodObject<typeof sectionFields>>;
