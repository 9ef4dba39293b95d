import type { Content } from '../core/content/content.ts';
import type { ListedPage } from './api/site-files.ts';

/** The pages that crawlers are told of: the fixed ones, then every page document that is not kept out. */
export function buildListedPages({ site, assessment, pages }: Content): ListedPage[] {
  const { metaTitle, metaDescription } = assessment.copy;
  return [
    { path: '/', title: site.name, description: site.description },
    { path: '/blog', title: site.blog.title, description: site.blog.description },
    { path: '/assessment', title: metaTitle, description: metaDescription },
    ...[...pages]
      .filter(([, page]) => page.index)
      .map(([path, { title, description, updated }]) => ({
        path,
        title,
        description,
        lastModified: updated,
      })),
  ];
}
