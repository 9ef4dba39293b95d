import type { PluginLink } from './link-plugins.ts';
import type { Media } from './media.ts';

/** What the former site says of one of its posts, pages, files or links. Texts are as it stores them. */
export interface FormerItem {
  readonly type: 'post' | 'page' | 'attachment' | 'link' | 'block' | 'menu' | 'table' | 'other';
  /** Unique among the items of the site. */
  readonly id: string;
  /** Where it is in the file that was read, such as `export.xml, line 120`. */
  readonly place: string;
  readonly title: string;
  /** Last part of its address; may be percent-encoded or empty. */
  readonly slug: string;
  /** Its address on the former site: absolute, or a path; empty when it has none. */
  readonly address: string;
  /** Whose settings decide its address when the files do not state it, as the beginning of a sentence; else empty. */
  readonly assumed: string;
  /** Empty: everyone could read it; else why not, such as `draft`. */
  readonly hidden: string;
  /** ISO 8601 with an offset; empty when unknown. */
  readonly publishedAt: string;
  readonly updatedAt: string;
  readonly author: string;
  /** Last part of the address of the author's archive; empty without one. */
  readonly authorSlug: string;
  readonly authorId: string;
  readonly categories: readonly FormerTerm[];
  readonly tags: readonly FormerTerm[];
  /** `blocks` and `classic` are HTML of WordPress, with its shortcodes. */
  readonly format: 'blocks' | 'classic' | 'html' | 'markdown';
  readonly body: string;
  readonly excerpt: string;
  readonly seoTitle: string;
  readonly seoDescription: string;
  /** Whether search engines were asked to leave it out. */
  readonly isNoindex: boolean;
  /** The address that was named to search engines as that of the original; empty without one. */
  readonly canonicalUrl: string;
  readonly socialTitle: string;
  readonly socialDescription: string;
  /** Names of settings for search engines that have no form here. */
  readonly lostSettings: readonly string[];
  /** The featured image: the id of an attachment, or an address; empty without one. */
  readonly image: string;
  readonly imageAlt: string;
  /** Other addresses of it: absolute, or paths. Of an attachment: the names of its file in other sizes. */
  readonly formerAddresses: readonly string[];
  /** Of a link: where it leads. Of an attachment: the address of the file. Of an entry of a menu: its address. */
  readonly target: string;
  /** Of an attachment: the id of the post that it belongs to. */
  readonly parent: string;
  /** Footnotes of the block editor by the id of their mark. */
  readonly footnotes: ReadonlyMap<string, string>;
}

/** A category or tag. */
export interface FormerTerm {
  readonly name: string;
  /** Its part of an address. */
  readonly slug: string;
  /** The slugs of the terms that it is below, the highest first. */
  readonly parents?: readonly string[];
  /** Its number on the former site. */
  readonly id?: string;
}

const EMPTY: FormerItem = {
  type: 'post',
  id: '',
  place: '',
  title: '',
  slug: '',
  address: '',
  assumed: '',
  hidden: '',
  parent: '',
  target: '',
  publishedAt: '',
  updatedAt: '',
  author: '',
  authorSlug: '',
  authorId: '',
  categories: [],
  tags: [],
  format: 'html',
  body: '',
  excerpt: '',
  seoTitle: '',
  seoDescription: '',
  image: '',
  imageAlt: '',
  isNoindex: false,
  canonicalUrl: '',
  socialTitle: '',
  socialDescription: '',
  lostSettings: [],
  formerAddresses: [],
  footnotes: new Map(),
};

/** Creates an item from what is known of it. */
export function createFormerItem(known: Partial<FormerItem> & Pick<FormerItem, 'type' | 'id' | 'place'>) {
  return { ...EMPTY, ...known };
}

/** A former site as it is moved in: its items one after the other, as often as needed. */
export interface FormerSite {
  /** Its address without a slash at the end, once items were read; empty when the files do not say it. */
  readonly address: () => string;
  /** Its name, and what it is about on one line, once items were read; empty when the files do not say it. */
  readonly title?: () => readonly [name: string, about: string];
  /** First part of the paths of archives of categories and tags; null: it had none. */
  readonly archives: readonly [category: string, tag: string] | null;
  /** Every category and tag that it has, once items were read, also those without a post. */
  readonly terms?: () => readonly (FormerTerm & { readonly kind: 'topic' | 'tag' })[];
  /** The images that are among its files. */
  readonly media?: Media;
  /** The redirects that are among its files. */
  readonly links?: readonly PluginLink[];
  /** Paths of its feeds and sitemaps. */
  readonly feeds: readonly string[];
  /** Rejects with `MoveInError` when the files cannot be read. `onProblem` gets what is wrong and not fatal. */
  readonly read: (onProblem: (place: string, reason: string) => void) => AsyncIterable<FormerItem>;
}

/** Copies a text that is stored while other items are read: V8 keeps the whole file in memory for a part of its text. */
export const copyText = (text: string): string => Buffer.from(text).toString();

/** One line of the report. */
export interface MoveInNote {
  /** What happened to something of the former site: it is another than before, was lost, or was not understood. */
  readonly kind: 'changed' | 'lost' | 'not understood' | 'suggestion';
  readonly place: string;
  readonly text: string;
}

/** An image can be in its own address, with a million characters. */
const shorten = (text: string) =>
  text.replace(/\S{300,}/g, (word) => `${word.slice(0, 299).toWellFormed()}…`);

/** Creates a line of the report. */
export const createNote = (kind: MoveInNote['kind'], place: string, text: string): MoveInNote => ({
  kind,
  place: copyText(shorten(place)),
  text: copyText(shorten(text)),
});

/** The instant of a date as an export has it, in ISO 8601; empty for none. */
export const toInstant = (time: string | number | null | undefined) => {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
};

/** Decodes the ampersands of an address in HTML, however often they were escaped. */
export const decodeAmpersands = (text: string): string => text.replace(/&(?:(?:amp|#0*38|#x0*26);)+/gi, '&');

/** Why a post cannot be read or converted, as the end of a sentence. */
export function explainPostFailure(error: unknown): string {
  if (error instanceof RangeError)
    return 'is not imported: its text is nested too deeply or too long to be converted; shorten it in the former site, then export again';
  return `is not imported: ${error instanceof Error ? error.message : String(error)}`;
}

/**
 * Reads posts one after the other. One that cannot be read is left out: `onProblem` gets its place, as `name` returns it, and
 * the reason.
 */
export async function* readEach<Entry>(
  entries: Iterable<Entry>,
  name: (entry: Entry) => string,
  onProblem: (place: string, reason: string) => void,
  read: (entry: Entry) => FormerItem | null | Promise<FormerItem | null>,
): AsyncGenerator<FormerItem> {
  for (const entry of entries) {
    try {
      const item = await read(entry);
      if (item !== null) yield item;
    } catch (error) {
      onProblem(name(entry), explainPostFailure(error));
    }
  }
}

/** Why a site cannot be moved in; nothing was changed, and the message is for the operator. */
export class MoveInError extends Error {
  override readonly name = 'MoveInError';
}
