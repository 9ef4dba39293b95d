import { z } from 'zod';

const text = (fallback = '') => z.string().trim().default(fallback);
const whole = (fallback: number, min: number, max: number) =>
  z.coerce.number('must be a number').int('must be a whole number').min(min).max(max).default(fallback);
const list = () =>
  text().transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
const address = () =>
  text().refine(
    (value) => value === '' || /^https?:\/\/[^\s/]+/.test(value),
    'must begin with http:// or https://',
  );

/** Every setting by its environment name. `.env.example` lists the same names, held by a test. */
const settingsSchema = z.object({
  HOST: text('localhost'),
  PORT: whole(4321, 0, 65_535),
  DATA_DIR: text('./data'),
  CONTENT_DIR: text('./content'),
  SITE_URL: address(),
  ARTICLE_SOURCE: z.enum(['files', 'remote', 'ghost', 'wordpress']).default('files'),
  ARTICLE_SERVICE_URL: address(),
  ARTICLE_SERVICE_KEY: text(),
  ARTICLE_SERVICE_KEY_HEADER: text('Authorization'),
  ARTICLE_SERVICE_CDN_URL: address(),
  ARTICLE_CACHE_SECONDS: whole(300, 1, 86_400),
  ARTICLE_IMAGE_HOSTS: list(),
  PREVIEW_TOKEN: text(),
  GHOST_URL: address(),
  GHOST_KEY: text(),
  WORDPRESS_URL: address(),
  GA_MEASUREMENT_ID: text().refine(
    (value) => value === '' || /^G-[A-Z0-9]+$/.test(value),
    'must look like G-XXXXXXX',
  ),
  CONSENT_REGIONS: list(),
  CONSENT_REGION_HEADER: text().transform((value) => value.toLowerCase()),
  TRUSTED_PROXY_HOPS: whole(0, 0, 10),
  EVENT_RATE: whole(200, 0, 1_000_000),
  FORM_KEY: text(),
  RETENTION_MONTHS: whole(13, 1, 120),
  CLAIM_MAX_AGE_DAYS: whole(365, 1, 3650),
  LOG_REQUESTS: z
    .enum(['0', '1'])
    .default('0')
    .transform((value) => value === '1'),
  METRICS_PORT: whole(0, 0, 65_535),
});

export const SETTINGS = Object.keys(settingsSchema.shape) as readonly (keyof z.input<
  typeof settingsSchema
>)[];

type Settings = z.output<typeof settingsSchema>;

/** The process's settings, parsed. `siteUrl` is the origin that pages and feeds name, without a trailing slash. */
export type Config = Settings & { readonly siteUrl: string };

export class ConfigError extends Error {
  constructor(lines: readonly string[]) {
    super(['[config] wrong settings:', ...lines.map((line) => `  ${line}`)].join('\n'));
    this.name = 'ConfigError';
  }
}

/** Parses the environment. An empty value counts as unset. Throws `ConfigError` naming each wrong setting. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    SETTINGS.flatMap((name) => {
      const value = environment[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const result = settingsSchema.safeParse(given);
  if (!result.success) {
    throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const missing = findMissing(result.data);
  if (missing.length > 0) throw new ConfigError(missing);
  const siteUrl =
    result.data.SITE_URL === ''
      ? `http://${result.data.HOST}:${result.data.PORT}`
      : new URL(result.data.SITE_URL).origin;
  return { ...result.data, siteUrl };
}

/** A source other than `files` needs to know where it is. A missing key is not an error here: the hub asks for it. */
function findMissing(settings: Settings): string[] {
  const needed = {
    files: null,
    remote: 'ARTICLE_SERVICE_URL',
    ghost: 'GHOST_URL',
    wordpress: 'WORDPRESS_URL',
  } as const;
  const name = needed[settings.ARTICLE_SOURCE];
  return name !== null && settings[name] === ''
    ? [`${name}: is needed when ARTICLE_SOURCE is ${settings.ARTICLE_SOURCE}`]
    : [];
}
