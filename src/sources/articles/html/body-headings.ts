import type { ContentsEntry } from '../../../core/articles/article.ts';
import { ID_PREFIX } from '../../../core/articles/article-link.ts';
import { buildSlug } from '../../../core/text/slug.ts';
import { type HtmlElement, unescapeEntities } from './html-text.ts';

interface Heading {
  readonly element: HtmlElement;
  readonly level: number;
  /** With its entities. */
  readonly text: string;
  readonly isTopLevel: boolean;
  /** Characters of text before it that are not white space. */
  readonly offset: number;
}

const MAX_SLUG_LENGTH = 60;
/** More entries help no reader and take long to render. */
const MAX_CONTENTS = 300;
/** How far from the middle the body may be split, as a share of its text. */
const MAX_SPLIT_DISTANCE = 0.25;

/** The headings of an article's body, in order. */
export class BodyHeadings {
  readonly #all: Heading[] = [];

  get last(): Heading | undefined {
    return this.#all.at(-1);
  }

  add(heading: Heading): void {
    this.#all.push(heading);
  }

  /** Gives every heading without an id one made of its words, and adds it to `ids`, which are those of the body. */
  addIds(ids: Set<string>): void {
    const counts = new Map<string, number>();
    for (const { element, text } of this.#all) {
      if (element.attribs['id']) continue;
      const slug = buildSlug(unescapeEntities(text)).slice(0, MAX_SLUG_LENGTH).replace(/-$/, '');
      const base = `${ID_PREFIX}${slug || 'section'}`;
      let count = counts.get(base) ?? 1;
      let id = count === 1 ? base : `${base}-${count}`;
      while (ids.has(id)) {
        count += 1;
        id = `${base}-${count}`;
      }
      counts.set(base, count);
      ids.add(id);
      element.attribs['id'] = id;
    }
  }

  /** Lists the second-level headings, each with its third-level ones; the first `MAX_CONTENTS` of both. */
  buildContents(): readonly ContentsEntry[] {
    const entries: { id: string; text: string; children: { id: string; text: string }[] }[] = [];
    const listed = this.#all.filter(({ level, text }) => (level === 2 || level === 3) && text !== '');
    for (const { level, element, text } of listed.slice(0, MAX_CONTENTS)) {
      const entry = { id: element.attribs['id'] ?? '', text: unescapeEntities(text) };
      if (level === 2) entries.push({ ...entry, children: [] });
      if (level === 3) entries.at(-1)?.children.push(entry);
    }
    return entries;
  }

  /** Finds the top-level `h2` nearest to the middle of a text of `letters` characters, in its middle half. */
  findMiddle(letters: number): HtmlElement | null {
    let best = { distance: MAX_SPLIT_DISTANCE, element: null as HtmlElement | null };
    for (const { level, element, isTopLevel, offset } of this.#all) {
      const distance = Math.abs(offset / letters - 0.5);
      if (level === 2 && isTopLevel && distance < best.distance) best = { distance, element };
    }
    return best.element;
  }
}
