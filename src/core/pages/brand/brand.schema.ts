import { z } from 'zod';
import { imageField } from '../images/image-field.schema.ts';

const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as "#2454b3", in quotes')
  .meta({ names: 'color' })
  .optional();
const file = z.string().trim().min(1).meta({ names: 'image' }).optional();

/** The looks that a site can have: fonts, ground, density, and how the front page, lists and product boxes are set. */
export const LOOKS = [
  { key: 'signpost', name: 'Signpost', about: 'Bold headings, warm paper, rounded boxes' },
  { key: 'journal', name: 'Journal', about: 'Serif text, wide lines, one column' },
  { key: 'catalog', name: 'Catalog', about: 'Plain type, white ground, much on one screen' },
  { key: 'bench', name: 'Bench', about: 'Typewriter headings, gray ground, square frames' },
] as const;
export type Look = (typeof LOOKS)[number]['key'];

/** `content/brand.yaml`: how the site looks. What it leaves out keeps the shipped value. */
export const brandSchema = z.strictObject({
  look: z
    .enum(LOOKS.map(({ key }) => key))
    .default('signpost')
    .describe('Fonts, ground, density, front page, lists and product boxes.'),
  colors: z
    .strictObject({
      accent: color.describe('Links and buttons, icons of home screens and sharing images.'),
      positive: color.describe('Savings and recommendations.'),
      ground: color.describe('The background of light pages and of sharing images.'),
    })
    .prefault({}),
  radius: z.number().min(0).max(24).optional().describe('Corners of buttons, fields and boxes, in px.'),
  displayFont: z
    .string()
    .regex(
      /^(?:bricolage|system|\.\.\/fonts\/[\w-][\w .-]*\.woff2)$/,
      'must be bricolage, system, or a font of your own, such as ../fonts/your-font.woff2',
    )
    .default('bricolage')
    .describe(
      'The font of headings and totals: bricolage, the shipped one, system, or a file such as ../fonts/your-font.woff2.',
    ),
  logo: imageField
    .optional()
    .describe('The mark beside the name and in sharing images; a square image works best.'),
  favicon: file.describe(
    'A square SVG or PNG, such as ../images/favicon.svg. Icons of home screens are drawn from it.',
  ),
  socialImage: file.describe(
    'What pages without an image of their own show when they are shared: 1200 x 630 px.',
  ),
});

export type Brand = z.infer<typeof brandSchema>;
