// node test/edge/serve-without-queue.ts: the worker as `signpost edge` serves it, with a queue that takes nothing, so
// that what the collector acknowledges is in D1. The local queue is in memory, which the end of workerd loses.
import { readLocalOptions, startLocalWorker } from '../../src/runtimes/cloudflare/tools/local-worker.ts';

const ENTRY = `
import site from './main.mjs';
const EVENT_QUEUE = { send: () => Promise.reject(new Error('there is no queue')) };
export default { ...site, fetch: (request, env) => site.fetch(request, { ...env, EVENT_QUEUE }) };`;

await startLocalWorker({ ...readLocalOptions(process.env), entry: ENTRY });
console.log('Signpost is serving on workerd');
