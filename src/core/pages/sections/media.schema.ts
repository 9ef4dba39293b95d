import { z } from 'zod';
import { imageField } from '../images/image-field.schema.ts';
import { drawing } from './drawing.schema.ts';
import { chartAmount, defineSection, text } from './fields.schema.ts';

const reference = z.strictObject({
  label: text.describe('What the value belongs to.'),
  value: chartAmount
    .pipe(z.number().min(0, 'must not be negative').nullable())
    .describe('The value: a number or `{claim:key}`.'),
});

const value = reference.extend({
  variant: z
    .enum(['default', 'recommended', 'quiet', 'unsourced'])
    .default('default')
    .describe('recommended: the one argued for. unsourced: gray, of a figure without a source.'),
  loss: z.boolean().default(false).describe('Of lying bars: lost, so it goes left of the zero line.'),
  detail: text.optional().describe('Further words in the tooltip and the table.'),
});

/** Figures as an image and, for everyone, as a table or a list. */
export const chartSchema = defineSection('chart', {
  unit: z.enum(['$', '%']).describe('Goes with every value: $ before, % after.'),
  per: text.optional().describe('What the values are per, for example `a month`.'),
  labelHeading: text.describe('Heading of the first column of the table.'),
  valueHeading: text.describe('Heading of the value column of the table.'),
  items: z
    .array(value)
    .min(2)
    .max(8)
    .refine((items) => items.some(({ value }) => value === null || value > 0), 'needs a value above 0')
    .describe('The values in order.'),
  kind: z
    .enum(['pie', 'bars', 'efficiency', 'rows'])
    .describe(
      'pie: shares. bars: columns. efficiency: lying bars. rows: amounts of one scale across the page.',
    ),
  base: reference.optional().describe('Of `rows`: the part that is the same in every bar, drawn paler.'),
  rest: text
    .optional()
    .describe('Of `rows`: what the darker part of each bar is, for the legend. Not shown by other charts.'),
  line: reference.optional().describe('Of `rows`: what the bars are compared with, as a line across them.'),
  caption: text.describe('One sentence that says what the chart shows.'),
});

/** An image with its caption, wherever a page shows it. */
export const captionedImageFields = {
  image: imageField.describe('The image file, its alternative text and its focal point.'),
  caption: text.optional().describe('Line under the image.'),
};

/** One image, as wide as the text column of the page or, with `span: full`, as the screen. */
export const imageSchema = defineSection('image', {
  ...captionedImageFields,
  span: z
    .enum(['column', 'full'])
    .default('column')
    .describe('full: a band from edge to edge of the screen.'),
});

/** An image with its caption, without its section. */
export type CaptionedImage = z.infer<z.ZodObject<typeof captionedImageFields>>;

const chapter = z.strictObject({
  at: text.optional().describe('Where the chapter begins, for example `4:30`.'),
  title: text.describe('What the chapter is about.'),
  text: text.optional().describe('What it says, in a sentence or two.'),
});

/** A video, in a section or in a hero. Nothing is loaded from the video service before it is played. */
export const videoFields = {
  youtube: z
    .string()
    .regex(/^[\w-]{11}$/, 'is not a YouTube id')
    .optional()
    .describe('YouTube id. Without one the drawing and the caption are shown.'),
  name: text.describe('Title of the video.'),
  length: text.optional().describe('Length, for example `18 min`.'),
  captions: z.boolean().optional().describe('true: the video has captions. Not shown.'),
  caption: text.optional().describe('Line under the video.'),
  drawing: drawing.optional().describe('In the place of the video, and its poster once there is one.'),
  chapters: z
    .array(chapter)
    .default([])
    .describe('What the video shows, listed beside it. Not shown without a `youtube` id.'),
};

/** A video with its chapters. */
export const videoSchema = defineSection('video', {
  ...videoFields,
});

/** The video itself, without its section. */
export type VideoFields = z.infer<z.ZodObject<typeof videoFields>>;
