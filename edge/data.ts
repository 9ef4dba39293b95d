import { existsSync } from 'node:fs';
import path from 'node:path';
import { readDataCommand, runDataCommand } from '../scripts/commands/data/run-data-command.ts';
import type { SiteOpener, TransferSite } from '../scripts/commands/data/transfer-site.ts';
import { DATABASES } from '../scripts/commands/data/transfer-tables.ts';
import { parseSettings } from '../src/server/settings.ts';
import { createR2EventArchive } from '../src/stores/r2-event-archive.ts';
import { D1Executor } from '../src/stores/sql/d1/d1-executor.ts';
import { type OpenedBindings, openLocalBindings, openRemoteBindings } from './open-bindings.ts';

/** Moves the data of the local state, or of the deployed worker, as `npm run data` does for the Node server. */
export async function moveData(args: readonly string[]): Promise<void> {
  const command = readDataCommand(args);
  const { DATA_DIR, TIME_ZONE } = process.env;
  const config = parseSettings({ DATA_DIR, TIME_ZONE });
  const dataDir = path.resolve(config.DATA_DIR);
  const opener = command.place === 'remote' ? createRemoteOpener() : createLocalOpener(dataDir);
  process.stdout.write(await runDataCommand(command, opener, config.TIME_ZONE));
}

function createLocalOpener(dataDir: string): SiteOpener {
  return {
    async openForExport() {
      if (existsSync(path.join(dataDir, 'edge', 'd1'))) return openSite(await openLocalBindings(dataDir));
      throw new Error(`There are no data of npm run edge in ${dataDir}: set DATA_DIR to the site's.`);
    },
    openForImport: async () => openSite(await openLocalBindings(dataDir)),
  };
}

function createRemoteOpener(): SiteOpener {
  const open = async () => openSite(await openRemoteBindings());
  return { openForExport: open, openForImport: open };
}

/** The data behind the bindings of a worker. */
async function openSite({ miniflare, close }: OpenedBindings): Promise<TransferSite> {
  const databases = await Promise.all(
    DATABASES.map(async (name) => {
      const connection = await miniflare.getD1Database(name.toUpperCase());
      return [name, new D1Executor(connection)] as const;
    }),
  );
  const archive = createR2EventArchive(await miniflare.getR2Bucket('ARCHIVE'));
  return { databases: new Map(databases), archive, close };
}
