import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { formatConsoleAddress } from '../console/access/console-host.ts';
import { ContentFolder } from '../content-files/content-folder.ts';
import { readShown } from '../content-files/content-source.ts';
import { fillLabels, readNetworks } from '../content-files/networks.ts';
import { readPartnerFiles } from '../content-files/read-content.ts';
import { getSecretsFile } from '../content-files/secret-file.ts';
import type { Networks } from '../core/commissions/networks/network.schema.ts';
import type { Partner } from '../core/outbound/partner.ts';
import { ARTICLE_SOURCE_NAMES, getArticleCacheFile } from '../server/articles/article-sources.ts';
import type { PurgePlatform } from '../server/articles/purge-articles.ts';
import { LabelReader } from '../server/commissions/labels.ts';
import { CommissionLedger } from '../server/commissions/ledger.ts';
import type { NetworkSecrets } from '../server/commissions/secrets.ts';
import type { Log } from '../server/log.ts';
import type { LinkWatchSite } from '../server/outbound/link-watch.ts';
import {
  addTypedSettings,
  parseSettings,
  type SETTINGS,
  type Settings,
  SettingsError,
} from '../server/settings.ts';
import { openStores, type Stores } from '../server/site.ts';
import { BodyProcessor } from '../sources/articles/html/body-processor.ts';
import { guardedGet } from '../sources/http/guarded-http.ts';
import { createLinkRequests } from '../sources/links/node-link.ts';
import { ArchivedEventReader } from '../stores/archive.ts';
import type { ContentVersions } from '../stores/content-versions.ts';
import type { Costs } from '../stores/costs.ts';
import { findMissingData } from '../stores/data-folder.ts';
import { type EventReader, SqlEventStore } from '../stores/events.ts';
import { ARCHIVE_FOLDER, createFolderEventArchive } from '../stores/folder-archive.ts';
import type { Ledger } from '../stores/ledger.ts';
import type { Links } from '../stores/links.ts';
import type { ContactMessages } from '../stores/messages.ts';
import {
  CONSOLE_FILE,
  LEDGER_FILE,
  OUTBOX_FILE,
  openArticleDatabase,
  UncreatedDatabase,
} from '../stores/node-databases.ts';
import type { Operators } from '../stores/operators.ts';
import type { Rollups } from '../stores/rollups.ts';
import {
  createNodeSqliteReader,
  DATABASE_FILE,
  NodeSqliteExecutor,
} from '../stores/sql/node-sqlite/node-sqlite-executor.ts';
import type { SqlExecutor } from '../stores/sql/sql-executor.ts';
import { createNodeSiteOpener } from './data/node-data.ts';
import type { SiteOpener } from './data/transfer.ts';

type SettingName = (typeof SETTINGS)[number];

/** The stored events, a reader of archive and database as one, and the ledger, which has copies of visits. */
export interface OpenedEvents extends Stores {
  readonly reader: EventReader;
}

/** The operators, and where their console is. */
export interface OpenedOperators {
  readonly store: Operators;
  /** Writes where a path of the console is, a line for each address. */
  readonly formatAddress: (path: string) => string;
}

/** The copies of articles, and what reads their source again. */
export interface OpenedCopies {
  readonly database: SqlExecutor;
  readonly platform: PurgePlatform;
}

/** The ledger of commissions. */
export interface OpenedLedger {
  readonly config: Settings;
  readonly partners: ReadonlyMap<string, Partner>;
  readonly networks: Networks;
  readonly store: Ledger;
  readonly secrets: NetworkSecrets;
  /** What campaigns cost. */
  readonly costs: Costs;
  /** Counts of visits and clicks; null while there are no events. */
  readonly rollups: Rollups | null;
  readonly ledger: CommissionLedger;
}

/**
 * The site that a command works on: the files of the Node server, or the storage of a worker. Nothing is opened or
 * created before a command calls a method.
 */
export interface CommandSite {
  readonly isWorker: boolean;
  /**
   * Reads these settings, or all: others may be invalid, or need secrets that are not on this machine. Throws
   * `SettingsError`.
   */
  readSettings(...names: readonly SettingName[]): Settings;
  /** Opens the events for reading. Rejects when no database exists. */
  openEventReader(): Promise<EventReader>;
  /** Opens the events for reading and writing. Rejects when no database exists. */
  openEvents(): Promise<OpenedEvents>;
  /** Rejects where a site has no data yet, unless the operators may begin them (`creates`). */
  openOperators(creates?: boolean): Promise<OpenedOperators>;
  openCopies(config: Settings): Promise<OpenedCopies>;
  /** Opens the ledger alone. The first write creates a missing one. Rejects where a site has no data yet. */
  openLedgerStore(): Promise<Ledger>;
  /** Opens everything that moves with a site. Rejects where a site has no data yet, unless they begin (`creates`). */
  openData(creates?: boolean): SiteOpener;
  /** Closes what was opened. */
  close(): Promise<void>;
}

/** The clock of this machine, in which a command believes. */
export const CLOCK = { now: Date.now, monotonic: () => performance.now() };
const FILES = { commissions: LEDGER_FILE, console: CONSOLE_FILE, notifications: OUTBOX_FILE };
/** A command may wait for the disk and for the lock of a running site: it has nothing else to do. */
const SQLITE = { lockWaitMs: 5_000, isInline: true } as const;

/** The files of the Node server, in the data folder that the environment names, also while the server runs. */
export class DataFolderSite implements CommandSite {
  readonly isWorker = false;
  readonly environment: NodeJS.ProcessEnv;
  readonly #report: (message: string) => void;
  readonly #opened: { close(): Promise<void> }[] = [];

  /** `report` takes a line about a file that needs attention. */
  constructor(environment: NodeJS.ProcessEnv, report: (message: string) => void) {
    this.environment = environment;
    this.#report = report;
  }

  readSettings(...names: readonly SettingName[]): Settings {
    const environment = addTypedSettings(this.environment);
    if (names.length === 0) return parseSettings(environment);
    return parseSettings(Object.fromEntries(names.map((name) => [name, environment[name]])));
  }

  async openEventReader(): Promise<EventReader> {
    const { dataDir, settings } = this.#findEvents('events');
    // Without an archive the database is only read, whatever its version; its list tells whether one is missing.
    if (existsSync(path.join(dataDir, ARCHIVE_FOLDER))) return (await this.openEvents()).reader;
    const { archive, events } = this.#openStores(settings, 'read').visitors;
    return new ArchivedEventReader(archive, events);
  }

  async openEvents(): Promise<OpenedEvents> {
    const stores = this.#openStores(this.#findEvents('events').settings, 'write');
    return { ...stores, reader: new ArchivedEventReader(stores.visitors.archive, stores.visitors.events) };
  }

  /** Opens the messages of the contact form. Rejects when there is no database. */
  async openMessages(): Promise<ContactMessages> {
    return this.#openStores(this.#findEvents('messages').settings, 'write').visitors.messages;
  }

  /**
   * Opens the ledger. A missing one is empty; the first write creates it. Rejects where a site has no data yet, unless they
   * begin with it (`creates`).
   */
  async openLedger(creates = false): Promise<OpenedLedger> {
    const config = this.readSettings();
    this.#findData(config.DATA_DIR, creates);
    const folder = new ContentFolder(config.CONTENT_DIR);
    const files = readPartnerFiles(folder);
    const networks = readNetworks(folder, files.partners);
    const partners = fillLabels(folder, files.partners, networks);
    folder.finish();
    const { money } = this.#openStores(config, 'read');
    const { ledger: store, costs, clicks, rollups, secrets } = money;
    const { TIME_ZONE: timeZone } = config;
    const terms = new Map([...partners].map(([key, partner]) => [key, partner.terms]));
    const report: Log['warn'] = (message, fields) => this.#report(`${message}: ${String(fields?.['error'])}`);
    const ledger = new CommissionLedger({
      store,
      clicks,
      now: Date.now,
      newId: randomUUID,
      ownHosts: config.siteHosts,
      timeZone,
      labels: new LabelReader({ store, rollups, readPartners: () => partners, timeZone }),
      readTerms: () => terms,
      log: { info: report, warn: report, error: report },
    });
    const hasEvents = existsSync(path.join(config.DATA_DIR, DATABASE_FILE));
    return { config, partners, networks, store, secrets, costs, rollups: hasEvents ? rollups : null, ledger };
  }

  /**
   * Opens what is known of the links to other sites, with the content that has them. `creates`: they are stored. Rejects
   * with `ContentError`.
   */
  async openLinks(creates: boolean): Promise<LinkWatchSite> {
    const settings = this.readSettings();
    if (creates) this.#findData(settings.DATA_DIR, true);
    const { content } = readShown(path.resolve(settings.CONTENT_DIR));
    const sendLink = createLinkRequests(settings.TEST_HOSTS);
    const links = this.openLinkStore();
    return { settings, content: { read: () => content, links }, sendLink, clock: CLOCK };
  }

  /** Opens the checks of links. A missing database has none. */
  openLinkStore(): Links {
    return this.#openStores(this.readSettings('DATA_DIR', 'TIME_ZONE'), 'read').content.links;
  }

  /** Opens the versions of content files. The first write creates a missing database. */
  openVersionStore(): ContentVersions {
    const settings = this.readSettings('DATA_DIR', 'TIME_ZONE');
    this.#findData(settings.DATA_DIR, true);
    return this.#openStores(settings, 'read').content.versions;
  }

  async openLedgerStore(): Promise<Ledger> {
    const settings = this.readSettings('DATA_DIR', 'TIME_ZONE');
    this.#findData(settings.DATA_DIR, false);
    return this.#openStores(settings, 'read').money.ledger;
  }

  async openOperators(creates = false): Promise<OpenedOperators> {
    const config = this.readSettings();
    this.#findData(config.DATA_DIR, creates);
    return {
      store: this.#openStores(config, 'read').operators.accounts,
      formatAddress: (address) => formatConsoleAddress(config, config.PORT, address),
    };
  }

  async openCopies(config: Settings): Promise<OpenedCopies> {
    this.#findData(config.DATA_DIR, false);
    const database = openArticleDatabase(getArticleCacheFile(config), () => undefined);
    return {
      database: this.#keep(database),
      platform: {
        clock: CLOCK,
        httpGet: guardedGet,
        createBodyProcessor: (readPolicy) => new BodyProcessor(readPolicy),
      },
    };
  }

  openData(creates = false): SiteOpener {
    const { DATA_DIR } = this.readSettings('DATA_DIR');
    const articleSource = this.environment['ARTICLE_SOURCE']?.trim() || 'files';
    if (!ARTICLE_SOURCE_NAMES.some((name) => name === articleSource)) {
      throw new SettingsError([`ARTICLE_SOURCE: must be one of ${ARTICLE_SOURCE_NAMES.join(', ')}`]);
    }
    this.#findData(DATA_DIR, creates);
    return createNodeSiteOpener(path.resolve(DATA_DIR), articleSource, this.#report);
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((part) => part.close()));
  }

  /** `access`: how the events are opened; a command that only reads them creates and changes no file. */
  #openStores(settings: Settings, access: 'read' | 'write'): Stores {
    const report = this.#report;
    const find = (name: string) => path.join(settings.DATA_DIR, name);
    const stores = openStores(settings, {
      clock: CLOCK,
      secretsFile: getSecretsFile(settings.DATA_DIR),
      // Their clock is not believed more than that of the site.
      hasTimers: true,
      openEvents() {
        const file = find(DATABASE_FILE);
        const reader = existsSync(file) ? createNodeSqliteReader(file, report, true) : NO_EVENTS;
        const executor = access === 'read' ? reader : new NodeSqliteExecutor({ file, report, ...SQLITE });
        return { executor, store: new SqlEventStore(executor) };
      },
      openEventArchive: () => createFolderEventArchive(find(ARCHIVE_FOLDER)),
      openDatabase(migrations) {
        const file = find(FILES[migrations]);
        const open = () =>
          new NodeSqliteExecutor({ file, report, migrations, isReplaceable: false, ...SQLITE });
        return new UncreatedDatabase(file, open);
      },
    });
    this.#keep({ close: () => stores.closeStores() });
    return stores;
  }

  /** The question of every command that needs what is there: throws where nothing is. `creates`: says so, and goes on. */
  #findData(dataDir: string, creates: boolean): void {
    const missing = findMissingData(dataDir);
    if (missing === null) return;
    if (!creates) throw new Error(missing);
    this.#report(`${missing} This command begins a site there.`);
  }

  #findEvents(what: string): { readonly dataDir: string; readonly settings: Settings } {
    const settings = this.readSettings('DATA_DIR', 'TIME_ZONE');
    const { DATA_DIR: dataDir } = settings;
    const file = path.join(dataDir, DATABASE_FILE);
    if (existsSync(file)) return { dataDir, settings };
    throw new Error(`There are no ${what} at ${file}: set DATA_DIR to the folder that the site writes to.`);
  }

  #keep<Part extends { close(): Promise<void> }>(part: Part): Part {
    this.#opened.push(part);
    return part;
  }
}

/** The events of a site that has none yet. */
const NO_EVENTS: SqlExecutor = {
  batch: async () => [],
  query: async () => [],
  close: async () => undefined,
};
