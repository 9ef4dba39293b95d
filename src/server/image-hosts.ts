import type { Config } from './config.ts';

/** The hosts that article pictures may come from: those of the settings, and the chosen Ghost or WordPress itself. */
export function readImageHosts(config: Config): readonly string[] {
  return [...new Set([...config.ARTICLE_IMAGE_HOSTS, ...readServiceHost(config)])];
}

/** The address of the chosen system whose own pages articles link to; empty for the others. */
export function readServiceHost(config: Config): readonly string[] {
  const address = { ghost: config.GHOST_URL, wordpress: config.WORDPRESS_URL, remote: '', files: '' };
  const url = address[config.ARTICLE_SOURCE];
  return URL.canParse(url) ? [new URL(url).host] : [];
}
