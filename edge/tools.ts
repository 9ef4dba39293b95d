import { createRequire } from 'node:module';

/**
 * What is installed in this folder alone: `src/runtimes/cloudflare/tools` imports it as `#cloudflare-tools`, because
 * packages are found from the folder of the file that imports them.
 */
export { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
export {
  startRemoteProxySession,
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
  unstable_splitSqlQuery,
} from 'wrangler';

/** The folder of the worker: its configuration, its build, its tools. */
export const EDGE = import.meta.dirname;

const require = createRequire(import.meta.url);
/** Loads workerd, a CommonJS module whose default export is the path of the program for this machine. */
export const loadWorkerd = (): unknown => require('workerd');
