import type { Content } from './content.ts';
import { describeField } from './describe-field.ts';
import { listTexts } from './list-texts.ts';

/** The name of the site that ships as an example. */
const SAMPLE_NAME = 'CRM & Automation Hub';

/** A text of the content that still names the example. */
export interface SampleText {
  /** Path of the file, such as `content/site.yaml`. */
  readonly file: string;
  /** Dotted, with list positions from 1, such as `sections.1 (hero).lead`. */
  readonly field: string;
}

/** Lists every text of the content that has the name of the example, by file and field. */
export function findSampleBrand({
  site,
  authors,
  claims,
  plans,
  pages,
  assessment,
  partners,
  brand,
}: Omit<Content, 'figures' | 'images'>): readonly SampleText[] {
  const byFile = (folder: string, values: ReadonlyMap<string, unknown>) =>
    [...values].map(([key, value]) => [`content/${folder}/${key.replace(/^\//, '')}.yaml`, value] as const);
  // The holder is the name of the site unless the file has another one.
  const { holder, ...copyright } = site.copyright;
  const files: readonly (readonly [string, unknown])[] = [
    ['content/site.yaml', { ...site, copyright: holder === site.name ? copyright : site.copyright }],
    ['content/brand.yaml', brand],
    ['content/plans.yaml', plans],
    ['content/assessment.yaml', assessment],
    ['content/claims/', Object.fromEntries(claims)],
    ...byFile('partners', partners),
    ...byFile('authors', authors),
    ...byFile('pages', pages),
  ];
  return files.flatMap(([file, value]) =>
    listTexts(value)
      .filter(({ text }) => text.includes(SAMPLE_NAME))
      .map(({ path }) => ({ file, field: describeField(value, path) })),
  );
}
