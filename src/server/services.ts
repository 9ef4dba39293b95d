import type { Content } from '../core/content/content.ts';
import type { Config } from './config.ts';

/** What a request may use, made once a process by a `compose-*.ts` and handed down as `Astro.locals.services`. */
export interface Services {
  readonly config: Config;
  readonly content: Content;
}
