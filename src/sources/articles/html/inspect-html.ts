import { Parser } from 'htmlparser2';
import type { InspectedBody } from '../../../core/articles/check-article.ts';

/** Inspects what the HTML of an article refers to and which elements it has, before it is sanitized. */
export function inspectHtml(html: string): InspectedBody {
  const images: { src: string; alt: string | null; isSized: boolean }[] = [];
  const links: string[] = [];
  const elements = new Set<string>();
  const parser = new Parser({
    onopentag: (name, { src = '', alt = null, width, height, href }) => {
      elements.add(name);
      if (name === 'img') images.push({ src, alt, isSized: width !== undefined && height !== undefined });
      if (name === 'a' && href !== undefined) links.push(href);
    },
  });
  parser.end(html);
  return { images, links, elements: [...elements] };
}
