import { z } from 'zod';

/** The systems whose exports can be moved in, with what their exports are. */
export const FORMER_SYSTEMS = [
  { key: 'wordpress', name: 'WordPress', file: 'the XML of Tools, Export, All content' },
  { key: 'ghost', name: 'Ghost', file: 'the JSON of Settings, Export' },
  { key: 'substack', name: 'Substack', file: 'the ZIP of Settings, Exports' },
  { key: 'medium', name: 'Medium', file: 'the ZIP of Settings, Download your information' },
  { key: 'markdown', name: 'Markdown (Jekyll, Hugo, Astro, Eleventy)', file: 'a ZIP of the whole folder' },
] as const;
export type FormerSystem = (typeof FORMER_SYSTEMS)[number]['key'];

/** What an operator says of the former site, because its export does not; each is empty for its default. */
export const givenSettingsSchema = z.strictObject({
  system: z.enum(FORMER_SYSTEMS.map(({ key }) => key)).default('wordpress'),
  /** Former first parts of the paths of links, such as `recommends,refer`. */
  prefixes: z.string().max(1000),
  /** First parts of the paths of archives of categories, tags and authors, such as `topics,labels,by`. */
  bases: z.string().max(200),
  /** Host of Amazon's shop and the affiliate's tag, such as `www.amazon.de,tag-21`. */
  amazon: z.string().max(200),
  /** The name of the site, and what it is about on one line. */
  name: z.string().trim().max(60).default(''),
  about: z.string().trim().max(100).default(''),
});
type GivenSettings = z.input<typeof givenSettingsSchema>;

/** Parses what the operator says of the former site; `problem` is a sentence. */
export function parseFormerSettings({
  prefixes,
  bases,
  amazon,
  name = '',
  about = '',
}: Omit<GivenSettings, 'system'>) {
  const [category = '', tag = '', author = '', ...others] = listNames(bases);
  const parts = [...listNames(prefixes), category, tag, author];
  const wrong = parts.find((part) => /[\s?#%]/.test(part));
  if (others.length > 0) return { problem: 'There are three bases: of categories, tags and authors.' };
  if (wrong !== undefined) return { problem: `"${wrong}" cannot be a part of a path.` };
  const [host = '', ownTag = '', ...more] = (amazon || 'www.amazon.com')
    .split(',')
    .map((part) => part.trim());
  if (!/^[a-z0-9.-]+$/.test(host) || /[\s&?#]/.test(ownTag) || more.length > 0)
    return { problem: `Amazon is a host and a tag, such as www.amazon.de,tag-21, not "${amazon}".` };
  return {
    settings: {
      prefixes: listNames(prefixes).filter(Boolean),
      archives: { category: category || undefined, tag: tag || undefined, author: author || undefined },
      amazon: { host, tag: ownTag },
      title: [name, about] as const,
    },
  };
}

/** What an export does not say of the former site. */
export type FormerSettings = Extract<
  ReturnType<typeof parseFormerSettings>,
  { settings: unknown }
>['settings'];

const listNames = (text: string) => text.split(',').map((name) => name.trim().replace(/^\/+|\/+$/g, ''));
