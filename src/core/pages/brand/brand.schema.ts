import { z } from 'zod';
import { imageField } from '../image-field.schema.ts';

const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as "#2454b3", in quotes')
  .optional();
const file = z.string().trim().min(1).optional();

/** `content/brand.yaml`: how the site looks. What it leaves out keeps the shipped value. */
export const brandSchema = z.strictObject({
  colors: z
    .strictObject({
      /** Links and buttons. */
      accent: color,
      /** Savings and recommendations. */
      positive: color,
      /** The background of light pages. */
      ground: color,
    })
    .prefault({}),
  /** Corners of buttons, fields and boxes, in px. */
  radius: z.number().min(0).max(24).optional(),
  /** The font of headings and totals. bricolage: the shipped one. system: the system's own, without a font file. */
  displayFont: z
    .string()
    .regex(
      /^(?:bricolage|system|\.\.\/fonts\/[\w-][\w .-]*\.woff2)$/,
      'must be bricolage, system, or a .woff2 file in content/fonts/, such as ../fonts/your-font.woff2',
    )
    .default('bricolage'),
  /** The mark beside the name; a square image works best. */
  logo: imageField.optional(),
  /** A square SVG or PNG in content/images/, such as ../images/favicon.svg. */
  favicon: file,
  /** What pages without an image of their own show when they are shared: 1200 x 630 px. */
  socialImage: file,
});

export type Brand = z.infer<typeof brandSchema>;
