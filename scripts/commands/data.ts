// npm run -s data -- --help: moves everything of a site between the Node server and Cloudflare Workers.
import path from 'node:path';
import { ARTICLE_SOURCE_NAMES } from '../../src/server/articles/article-sources.ts';
import { parseSettings, SettingsError } from '../../src/server/settings.ts';
import { ensureEdgeTools } from '../start/ensure-dependencies.mjs';
import { runPinned } from '../start/pinned-node.mjs';
import { runCommand } from './arguments/run-command.ts';
import { createNodeSiteOpener } from './data/open-node-site.ts';
import { readDataCommand, runDataCommand } from './data/run-data-command.ts';

const command = readDataCommand(process.argv.slice(2));
await runCommand(async () => {
  if (command.place !== 'node') {
    ensureEdgeTools();
    const words = ['data', command.command, command.file, `--${command.place}`];
    process.exitCode = await runPinned(['edge/main.ts', ...words]);
    return '';
  }
  const { DATA_DIR, ARTICLE_SOURCE, TIME_ZONE } = process.env;
  const config = parseSettings({ DATA_DIR, TIME_ZONE });
  const articleSource = ARTICLE_SOURCE?.trim() || 'files';
  if (!ARTICLE_SOURCE_NAMES.some((name) => name === articleSource)) {
    throw new SettingsError([`ARTICLE_SOURCE: must be one of ${ARTICLE_SOURCE_NAMES.join(', ')}`]);
  }
  const opener = createNodeSiteOpener(path.resolve(config.DATA_DIR), articleSource);
  return runDataCommand(command, opener, config.TIME_ZONE);
});
