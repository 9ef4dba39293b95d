import type { Config } from '../settings.ts';
import { ARTICLE_SOURCES } from './article-sources.ts';

/** Lists the hosts that article images may come from: those of the settings, and the website that is the source. */
export function listImageHosts(config: Config): readonly string[] {
  const site = getArticleSite(config);
  if (!URL.canParse(site)) return config.ARTICLE_IMAGE_HOSTS;
  const host = new URL(site).host.replace(/^www\./, '');
  return [...new Set([...config.ARTICLE_IMAGE_HOSTS, host, `www.${host}`])];
}

/** Returns the address of the website whose articles the site shows; empty when the source is not a website. */
export function getArticleSite(config: Config): string {
  const { address, isWebsite } = ARTICLE_SOURCES[config.ARTICLE_SOURCE];
  return isWebsite ? config[address] : '';
}
