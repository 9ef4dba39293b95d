import { Parser } from 'htmlparser2';
import type { FieldProblem } from '../../../core/articles/front-matter.schema.ts';
import {
  type ContentImage,
  findContentImage,
  type ImageCatalog,
  isContentReference,
} from '../../../core/pages/content-image.ts';
import { escapeHtml } from '../../../core/text/escape-html.ts';

export interface ImageProblem extends FieldProblem {
  /** true: the next build makes it right. */
  readonly needsBuild: boolean;
}

/**
 * Replaces every `<img>` of an article body that refers to a content image by the files that the site serves, with
 * their size. `problems` has the images that do not exist or have no alternative text.
 */
export function placeImages(
  html: string,
  catalog: ImageCatalog,
): { readonly html: string; readonly problems: readonly ImageProblem[] } {
  const problems: ImageProblem[] = [];
  let placed = '';
  let end = 0;
  const parser = new Parser({
    onopentag(name, { src = '', alt = '', title }) {
      if (name !== 'img' || !isContentReference(src)) return;
      const found = findContentImage(src, catalog);
      if ('problem' in found) {
        problems.push({ field: 'body', reason: found.problem, needsBuild: found.needsBuild });
      }
      if (alt.trim() === '') {
        const reason = `has no alternative text for ${src}`;
        problems.push({ field: 'body', reason, needsBuild: false });
      }
      if ('problem' in found) return;
      placed += html.slice(end, parser.startIndex) + buildPicture(found.image, alt, title);
      end = parser.endIndex + 1;
    },
  });
  parser.end(html);
  return { html: placed + html.slice(end), problems };
}

/** The sanitizer adds what all images of a body have: `sizes`, lazy loading. */
function buildPicture(image: ContentImage, alt: string, title: string | undefined): string {
  const { src, width, height, sources } = image;
  const titled = title === undefined ? '' : ` title="${escapeHtml(title)}"`;
  const img = `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}"${titled} width="${width}" height="${height}">`;
  if (sources.length === 0) return img;
  const list = sources.map(({ type, srcset }) => `<source type="${type}" srcset="${escapeHtml(srcset)}">`);
  return `<picture>${list.join('')}${img}</picture>`;
}
