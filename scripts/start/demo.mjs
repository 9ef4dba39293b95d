// @ts-check
// npm run demo: installs and builds like npm start, fills a data folder of its own with generated data, serves it.
import path from 'node:path';
import { SERVE_FLAGS } from '../../src/runtimes/node/v8-flags.mjs';
import { ensureBuild } from './ensure-build.mjs';
import { ensureDependencies } from './ensure-dependencies.mjs';
import './env-file.mjs';
import { runPinned, runPinnedSync } from './pinned-node.mjs';

/** Settings that would mix real data into the sample data, or send them to someone. */
const UNSET = [
  'FIRSTPROMOTER_TOKEN',
  'PARTNERSTACK_KEY',
  'IMPACT_SID',
  'IMPACT_TOKEN',
  'AWIN_TOKEN',
  'CJ_TOKEN',
  'GA_MEASUREMENT_ID',
  'GA_API_SECRET',
  'SMTP_URL',
  'CONTACT_WEBHOOK_URL',
  'ALERT_WEBHOOK_URL',
  'NEWSLETTER_PROVIDER',
];

try {
  ensureDependencies();
  ensureBuild();
  process.env['DATA_DIR'] = path.join(process.env['DATA_DIR'] || './data', 'demo');
  for (const name of UNSET) process.env[name] = '';
  runPinnedSync(['src/commands/main.ts', 'demo', ...process.argv.slice(2)]);
} catch (error) {
  console.error(`The demo cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
process.exit(await runPinned([...SERVE_FLAGS, 'dist/server/main.mjs']));
