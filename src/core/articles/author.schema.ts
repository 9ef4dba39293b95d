import { z } from 'zod';
import { imageField } from '../pages/images/image-field.schema.ts';
import { markdown, siteHref, text } from '../pages/sections/fields.schema.ts';

/** `content/authors/*.yaml`: who signs articles and reviews. The file name is the author's key. */
export const authorFileSchema = z.strictObject({
  name: text.max(80),
  /** Search engines get `Person` or `Organization` data. */
  kind: z.enum(['person', 'team']).default('person'),
  role: text.max(120),
  /** Markdown for the author's page. */
  bio: markdown,
  /** One sentence on how the texts are made: for a team, whose texts no person answers for by name. */
  made: text.max(200).optional(),
  image: imageField.optional(),
  /** Profiles on other sites. */
  links: z
    .array(
      z.strictObject({
        label: text,
        href: z.url({ protocol: /^https$/, error: 'must be an https address' }),
      }),
    )
    .max(8)
    .default([]),
  /** What the author has tested, newest first. */
  tests: z.array(z.strictObject({ what: text, date: z.iso.date(), href: siteHref.optional() })).default([]),
});

export type Author = z.infer<typeof authorFileSchema> & { readonly key: string };
