import type { Config } from '../config.ts';

/** The origin of the console that the settings name, without a trailing slash; null when they name none. */
export function getConsoleOrigin({
  SITE_URL,
  CONSOLE_HOST,
  siteUrl,
}: Pick<Config, 'SITE_URL' | 'CONSOLE_HOST' | 'siteUrl'>): string | null {
  if (SITE_URL === '') return null;
  return CONSOLE_HOST === '' ? siteUrl : `${new URL(siteUrl).protocol}//${CONSOLE_HOST}`;
}

/** An origin at which the console can be opened, for addresses that are printed or sent. */
export function buildConsoleOrigin(
  config: Pick<Config, 'SITE_URL' | 'CONSOLE_HOST' | 'siteUrl' | 'HOST'>,
  port: number,
): string {
  const host = ['0.0.0.0', '::'].includes(config.HOST) ? 'localhost' : config.HOST;
  const given = config.CONSOLE_HOST === '' ? `${host}:${port}` : config.CONSOLE_HOST;
  return getConsoleOrigin(config) ?? `http://${given}`;
}
