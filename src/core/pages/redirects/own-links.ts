import { buildAuthorPath, isBelowBlog } from '../../paths.ts';
import { listTexts, type TextPath } from '../claims/placeholders.ts';

/** A place in a content file that names an address of the site, or its piece by its key. */
export interface OwnLink {
  /**
   * `link`: a text or a field leads to the address. `alias`: an alias of `site.yaml` does. `name`: a field names the piece by
   * its key, such as the author of an article.
   */
  readonly kind: 'link' | 'alias' | 'name';
  readonly path: TextPath;
  /** The text with the new address or key in place of the old one. */
  readonly rewritten: string;
}

/** An address of the site with the key of its piece. */
export interface OwnAddress {
  readonly path: string;
  readonly key: string;
}

/** Fields that name pieces by their key. */
const isName = (path: TextPath, address: string): boolean =>
  address.startsWith(buildAuthorPath(''))
    ? ['author', 'authors', 'by'].includes(String(path.findLast((part) => typeof part === 'string')))
    : isBelowBlog(address) && path.at(-2) === 'slugs';

/**
 * Creates the search for links to an address in content: `from` is what is looked for, `to` what takes its place. `origin` is
 * that of the site: links may be written with it. What is below the address is another one.
 */
export function createLinkSearch(from: OwnAddress, to: OwnAddress, origin: string) {
  const address = `(?:${RegExp.escape(origin)})?${RegExp.escape(from.path)}/?`;
  const whole = new RegExp(`^${address}(?=$|[?#]\\S*$)`);
  const inText = new RegExp(`(?<=\\]\\(<?|\\]:[ \\t]*<?|\\bhref=["']?)${address}(?=[)\\s>"'?#]|$)`, 'g');
  const rewrite = (text: string) => text.replace(whole, () => to.path).replace(inText, () => to.path);
  return {
    /** Writes a text with the other address; the same text without a link. */
    rewrite,
    /** Finds the places of a parsed file. */
    find: (content: unknown): readonly OwnLink[] =>
      listTexts(content).flatMap(({ text, path }): OwnLink[] => {
        const [first] = path;
        if (text === from.key && isName(path, from.path)) return [{ kind: 'name', path, rewritten: to.key }];
        const rewritten = rewrite(text);
        if (rewritten === text) return [];
        return [{ kind: first === 'aliases' ? 'alias' : 'link', path, rewritten }];
      }),
    /** The lines, from 1, of a Markdown text that have a link. */
    listLines: (text: string): readonly number[] =>
      text.split('\n').flatMap((line, index) => (rewrite(line) === line ? [] : [index + 1])),
  };
}
