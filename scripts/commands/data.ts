// npm run -s data -- --help: moves everything of a site between the Node server and Cloudflare Workers.
import path from 'node:path';
import { z } from 'zod';
import { ARTICLE_SOURCE_NAMES } from '../../src/server/articles/article-sources.ts';
import { parseConfig } from '../../src/server/config.ts';
import { ensureEdgeTools } from '../start/ensure-dependencies.mjs';
import { runPinned } from '../start/pinned-node.mjs';
import { createNodeSiteOpener } from './data/open-node-site.ts';
import { readDataCommand, runDataCommand } from './data/run-data-command.ts';

const command = readDataCommand(process.argv.slice(2));
try {
  if (command.place === 'node') {
    const { DATA_DIR, ARTICLE_SOURCE, TIME_ZONE } = process.env;
    const config = parseConfig({ DATA_DIR, TIME_ZONE });
    const articleSource = z.enum(ARTICLE_SOURCE_NAMES).parse(ARTICLE_SOURCE || 'files');
    const opener = createNodeSiteOpener(path.resolve(config.DATA_DIR), articleSource);
    await runDataCommand(command, opener, config.TIME_ZONE);
  } else {
    ensureEdgeTools();
    const words = ['data', command.command, command.file, `--${command.place}`];
    process.exitCode = await runPinned(['edge/main.ts', ...words]);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
