import { existsSync } from 'node:fs';
import path from 'node:path';
import { DATABASES, type SiteOpener, type TransferSite } from '../../../commands/data/transfer.ts';
import {
  CLOCK,
  type CommandSite,
  type OpenedCopies,
  type OpenedEvents,
  type OpenedOperators,
} from '../../../commands/site.ts';
import { buildConsoleOrigin, getConsoleOrigin } from '../../../console/access/console-host.ts';
import { parseSettings, type Settings } from '../../../server/settings.ts';
import { openStores, type Stores } from '../../../server/site.ts';
import { createBodyPreparer } from '../../../sources/articles/html/prepare-body.ts';
import { fetchGet } from '../../../sources/http/fetch.ts';
import { ArchivedEventReader, createR2EventArchive } from '../../../stores/archive.ts';
import { type EventReader, SqlEventStore } from '../../../stores/events.ts';
import type { Ledger } from '../../../stores/ledger.ts';
import { Operators } from '../../../stores/operators.ts';
import { createDeliveredWrites } from '../../../stores/queued-events.ts';
import { D1Executor } from '../../../stores/sql/d1-executor.ts';
import { BucketDeadLetters } from '../queue-consumer.ts';
import { type OpenedBindings, openLocalBindings, openRemoteBindings, repeatWhileLocked } from './bindings.ts';
import { DEFAULT_PORT, readLocalOptions } from './local-worker.ts';
import { readWorkerAddress, readWorkerVars } from './wrangler.ts';

/** The storage of a worker: its local state, or with `isRemote` the databases and the bucket of the deployed one. */
export class WorkerSite implements CommandSite {
  readonly isWorker = true;
  readonly #isRemote: boolean;
  #opened: Promise<OpenedBindings> | null = null;

  constructor(isRemote: boolean) {
    this.#isRemote = isRemote;
  }

  readSettings(...names: readonly string[]): Settings {
    const own = this.#isRemote ? readWorkerVars() : { PORT: process.env['PORT']?.trim() || DEFAULT_PORT };
    const environment: Readonly<Record<string, string | undefined>> = { ...process.env, ...own };
    if (names.length === 0) return parseSettings(environment);
    return parseSettings(Object.fromEntries(names.map((name) => [name, environment[name]])));
  }

  async openEventReader(): Promise<EventReader> {
    return (await this.openEvents()).reader;
  }

  async openEvents(): Promise<OpenedEvents> {
    const stores = await this.#openStores();
    return { ...stores, reader: new ArchivedEventReader(stores.visitors.archive, stores.visitors.events) };
  }

  async openOperators(): Promise<OpenedOperators> {
    const origin = this.#isRemote ? getConsoleOrigin(readWorkerAddress()) : readLocalOrigin();
    if (origin === null) throw new Error('SITE_URL is missing under "vars" in edge/wrangler.jsonc.');
    return {
      store: new Operators((await this.#open('CONSOLE')).database),
      formatAddress: (address) => `Console: ${origin}${address}\n`,
    };
  }

  async openCopies(): Promise<OpenedCopies> {
    const { database } = await this.#open('ARTICLES');
    return {
      database,
      platform: {
        clock: CLOCK,
        httpGet: fetchGet,
        createBodyProcessor(readPolicy) {
          const prepare = createBodyPreparer(readPolicy());
          return { process: async (body) => prepare(body), close: async () => undefined };
        },
      },
    };
  }

  async openLedgerStore(): Promise<Ledger> {
    return (await this.#openStores()).money.ledger;
  }

  /** Opens the dead letters, and the store that takes their events as the queue's consumer does. */
  async openDeadLetters() {
    const { database, bucket } = await this.#open('EVENTS');
    return {
      letters: new BucketDeadLetters(bucket),
      store: new SqlEventStore(database, createDeliveredWrites),
    };
  }

  openData(): SiteOpener {
    const open = async (): Promise<TransferSite> => {
      const opened = await Promise.all(
        DATABASES.map(async (name) => [name, await this.#open(name.toUpperCase())] as const),
      );
      return {
        databases: new Map(opened.map(([name, { database }]) => [name, database])),
        archive: (await this.#open('EVENTS')).archive,
        close: () => this.close(),
      };
    };
    return {
      openForImport: open,
      openForExport: async () => {
        const dataDir = readDataDir();
        if (this.#isRemote || existsSync(path.join(dataDir, 'edge', 'd1'))) return open();
        throw new Error(`There are no data of signpost edge in ${dataDir}: set DATA_DIR to the site's.`);
      },
    };
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    await (await opened)?.close();
  }

  async #openStores(): Promise<Stores> {
    const { database: executor, archive } = await this.#open('EVENTS');
    const [commissions, console, notifications] = await Promise.all(
      ['COMMISSIONS', 'CONSOLE', 'NOTIFICATIONS'].map(async (name) => (await this.#open(name)).database),
    );
    const databases = { commissions, console, notifications };
    return openStores(this.readSettings('TIME_ZONE'), {
      clock: CLOCK,
      secretsFile: null,
      hasTimers: false,
      openEvents: () => ({ executor, store: new SqlEventStore(executor) }),
      openEventArchive: () => archive,
      openDatabase: (name) => databases[name] ?? executor,
    });
  }

  async #open(binding: string) {
    this.#opened ??= this.#isRemote ? openRemoteBindings() : openLocalBindings(readDataDir());
    const { miniflare } = await this.#opened;
    const bucket = await miniflare.getR2Bucket('ARCHIVE');
    return {
      bucket,
      database: new (this.#isRemote ? D1Executor : LocalD1Executor)(await miniflare.getD1Database(binding)),
      archive: createR2EventArchive(bucket),
    };
  }
}

/** Shares its database with a site that may run. What is written can safely run twice, as the port demands. */
class LocalD1Executor extends D1Executor {
  override batch(...statements: Parameters<D1Executor['batch']>) {
    return repeatWhileLocked(() => super.batch(...statements));
  }

  override query(...statement: Parameters<D1Executor['query']>) {
    return repeatWhileLocked(() => super.query(...statement));
  }
}

/** The folder whose `edge` has the local state. */
function readDataDir(): string {
  return path.resolve(parseSettings({ DATA_DIR: process.env['DATA_DIR'] }).DATA_DIR);
}

/** The origin of the console that `signpost edge` serves. */
function readLocalOrigin(): string {
  const { port } = readLocalOptions(process.env);
  return buildConsoleOrigin(parseSettings({ ...process.env, PORT: String(port) }), port);
}
