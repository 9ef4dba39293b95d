/**
 * The article sources: the settings with the address and the key of each, and whether the address is a website whose
 * pages link to each other and whose images articles show.
 */
export const ARTICLE_SOURCES = {
  files: { address: null, key: null, isWebsite: false },
  remote: { address: 'ARTICLE_SERVICE_URL', key: 'ARTICLE_SERVICE_KEY', isWebsite: false },
  ghost: { address: 'GHOST_URL', key: 'GHOST_KEY', isWebsite: true },
  wordpress: { address: 'WORDPRESS_URL', key: null, isWebsite: true },
} as const;

/** Name of an article source. */
export type ArticleSourceName = keyof typeof ARTICLE_SOURCES;

export const ARTICLE_SOURCE_NAMES = Object.keys(ARTICLE_SOURCES) as ArticleSourceName[];
