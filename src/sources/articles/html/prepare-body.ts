import { Marked } from 'marked';
import type { ImageCatalog } from '../../../core/pages/content-image.ts';
import { placeImages } from './place-images.ts';
import { createSanitizer } from './sanitize.ts';
import type { SanitizePolicy } from './sanitize-rules.ts';
import { type ArticleBody, structureBody } from './structure-body.ts';

/**
 * The body of an article as it was written. Markdown is CommonMark with tables, strikethrough and task lists; it may
 * refer to the images of the content folder.
 */
export type BodySource =
  | { readonly format: 'html'; readonly source: string }
  | { readonly format: 'markdown'; readonly source: string; readonly images: ImageCatalog };

const marked = new Marked({ gfm: true });

/** Renders Markdown to HTML that is not sanitized. */
export function renderMarkdown(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

/** Renders a body to HTML that is not sanitized, with the images of the content folder in place. */
export function renderBody(body: BodySource): string {
  if (body.format === 'html') return body.source;
  return placeImages(renderMarkdown(body.source), body.images).html;
}

/**
 * Creates the function that turns a body from anywhere into one that the site can show. Doing it twice changes
 * nothing.
 */
export function createBodyPreparer(policy: SanitizePolicy): (body: BodySource) => ArticleBody {
  const sanitize = createSanitizer(policy);
  return (body) => structureBody(sanitize(renderBody(body)));
}
