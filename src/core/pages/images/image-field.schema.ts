import { z } from 'zod';
import type { FocalPoint, ImageCatalog } from './content-image.ts';

const MAX_ALT_LENGTH = 400;
/** Stylesheets have a rule for every tenth: a crop does not show the difference. */
const FOCUS_STEP = 10;

const required = (reason: string) => ({
  error: (issue: { readonly input?: unknown }) => (issue.input === undefined ? reason : 'must be text'),
});

const description = z
  .string(required('is missing: it says what the image shows to readers who cannot see it'))
  .trim()
  .min(1, 'is empty: it says what the image shows to readers who cannot see it')
  .max(MAX_ALT_LENGTH, `is longer than ${MAX_ALT_LENGTH} characters`)
  .regex(/^[^\p{Cc}]*$/u, 'must be one line without control characters');

/** The file that says what each image shows. */
export const IMAGE_DESCRIPTIONS = 'images.yaml';

/** What each image shows, by its path below `content/images/`: the text with which a piece begins that takes it. */
export const imageDescriptions = z.record(z.string(), description);

/** Parses the descriptions of images; undefined: they are invalid. */
export const parseImageDescriptions = (input: unknown): Readonly<Record<string, string>> | undefined =>
  imageDescriptions.safeParse(input ?? {}).data;

/** Why a text does not describe an image, after the words `The description`; null when it does. */
export function findDescriptionProblem(text: string): string | null {
  return description.safeParse(text).error?.issues[0]?.message ?? null;
}

/** An image as front matter and page documents name it. */
export const imageField = z.strictObject({
  src: z
    .string(required('is missing'))
    .trim()
    .min(1, 'is empty')
    .meta({ names: 'image', description: 'The image to show, such as `../images/photo.jpg`.' }),
  alt: description.describe('What the image shows, for readers who cannot see it.'),
  ai: z
    .enum(['realistic', 'drawn'])
    .optional()
    .describe('Made by a tool; realistic: its caption has to say so. Not shown.'),
  focus: z
    .string('must be text')
    .regex(/^(?:\d{1,2}|100)% (?:\d{1,2}|100)%$/, 'must be two percentages, such as 30% 70%')
    .transform(parseFocus)
    .optional()
    .describe('The point that stays visible when the image is cropped: from the left and from the top.'),
});

/** An image as front matter and page documents name it, its focal point parsed. */
export type ImageField = z.infer<typeof imageField>;

function parseFocus(text: string): FocalPoint {
  const [x = 50, y = 50] = text.split(' ').map((part) => {
    return Math.round(Number.parseInt(part, 10) / FOCUS_STEP) * FOCUS_STEP;
  });
  return { x, y };
}

const image = z.strictObject({
  src: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  sources: z.array(z.strictObject({ type: z.string(), srcset: z.string() })).readonly(),
});
const drawn = z.record(z.string(), z.string());
const manifest = z.object({
  images: z.record(z.string(), image).default({}),
  drawn: drawn.default({}),
  fontStyles: z.string().default(''),
});

/** What a build writes as its list of images. */
export type ImageManifest = z.infer<typeof manifest>;

/** Parses the list of images that a build writes. Throws `ZodError` when it is something else. */
export function parseImageManifest(input: unknown): ImageCatalog {
  const { images, fontStyles, ...read } = manifest.parse(input);
  return {
    images: new Map(Object.entries(images)),
    origin: 'build',
    drawn: new Map(Object.entries(read.drawn)),
    fontStyles,
  };
}

const convertedImages = z.object({
  /** Hash of the list of the build. */
  build: z.string(),
  images: z.record(
    z.string(),
    z.object({
      /** Time, size and inode of the file. */
      signature: z.string(),
      /** Null: the file cannot be shown. */
      image: image.nullable(),
      /** true: files of it are not in the build. */
      isConverted: z.boolean(),
    }),
  ),
  /** Addresses of drawn files by those without a hash; left out: nothing was drawn yet. */
  drawn: drawn.optional(),
  font: z
    .object({
      /** Name, time, size and inode of the file of the content folder. */
      signature: z.string(),
      address: z.string(),
      heading: z.string(),
      styles: z.string(),
    })
    .nullish(),
});

/** What a running site has found in the folder of images, by path below it. */
export type ConvertedImages = z.infer<typeof convertedImages>;

/** Parses the list of images that a running site writes. Throws `ZodError` when it is something else. */
export const parseConvertedImages = (input: unknown): ConvertedImages => convertedImages.parse(input);
