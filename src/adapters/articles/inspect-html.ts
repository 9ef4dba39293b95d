import sanitizeHtml from 'sanitize-html';
import type { InspectedBody } from '../../core/articles/check-article.ts';

/** Reads what an article's unsanitised HTML refers to and which elements it uses. */
export function inspectHtml(html: string): InspectedBody {
  const images: { src: string; alt: string | null; isSized: boolean }[] = [];
  const links: string[] = [];
  const elements = new Set<string>();
  sanitizeHtml(html, {
    allowedTags: [],
    onOpenTag: (name: string, attributes: Readonly<Record<string, string>>) => {
      elements.add(name);
      if (name === 'img') {
        images.push({
          src: attributes['src'] ?? '',
          alt: attributes['alt'] ?? null,
          isSized: attributes['width'] !== undefined && attributes['height'] !== undefined,
        });
      }
      if (name === 'a' && attributes['href'] !== undefined) links.push(attributes['href']);
    },
  });
  return { images, links, elements: [...elements] };
}
