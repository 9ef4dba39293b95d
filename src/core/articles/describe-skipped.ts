/** An article of another system that the site leaves out; a field that is not text is empty. */
export interface SkippedArticle {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** Continues a sentence that begins with the article, such as `content is empty`. */
  readonly reason: string;
}

/** Names an article that is left out, by all that is known of it: `crm-basics (id 12, "CRM basics")`. */
export function describeSkipped({ id, slug, title }: SkippedArticle): string {
  const others = [id && `id ${id}`, title && `"${title}"`].filter(Boolean).join(', ');
  if (slug === '') return others || 'an item without slug, id and title';
  return others === '' ? slug : `${slug} (${others})`;
}
