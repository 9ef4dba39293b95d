/// <reference types="@cloudflare/workers-types" />
/// <reference types="@cloudflare/vitest-plugin/types" />
import type { D1Migration } from '@cloudflare/vitest-plugin';

type DatabaseName = 'EVENTS' | 'COMMISSIONS' | 'CONSOLE' | 'NOTIFICATIONS' | 'ARTICLES';

declare global {
  /** The build of the worker replaces it; the tests run without a build. */
  const __SOURCE_STATE__: string;

  namespace Cloudflare {
    /** Bindings of the worker that runs the tests, as `edge/vitest.config.ts` declares them. */
    interface Env extends Record<DatabaseName, D1Database> {
      readonly ARCHIVE: R2Bucket;
      readonly LIMIT_FORMS: RateLimit;
      readonly MIGRATIONS: Readonly<Record<DatabaseName, D1Migration[]>>;
      readonly SEED: number;
    }
  }
}
