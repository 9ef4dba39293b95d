import { ARTICLE_SOURCES, type Config } from '../config.ts';

/** Lists the hosts that article images may come from: those of the settings, and the website that is the source. */
export function listImageHosts(config: Config): readonly string[] {
  const site = getArticleSite(config);
  if (!URL.canParse(site)) return config.ARTICLE_IMAGE_HOSTS;
  const host = new URL(site).host.replace(/^www\./, '');
  return [...new Set([...config.ARTICLE_IMAGE_HOSTS, host, `www.${host}`])];
}

/** Returns the address of the website whose articles the site shows; empty when the source is not a website. */
export function getArticleSite(config: Config): string {
  const { setting, isWebsite } = ARTICLE_SOURCES[config.ARTICLE_SOURCE];
  return isWebsite ? config[setting] : '';
}
