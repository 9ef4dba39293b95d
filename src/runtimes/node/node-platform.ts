import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RenderPreview } from '../../console/content/preview.ts';
import { createImageManifestReader, type KnownFiles } from '../../content-files/content-folder.ts';
import { LAST_CONTENT_FILE, openFolderContent } from '../../content-files/content-source.ts';
import { ContentWatcher } from '../../content-files/content-watcher.ts';
import { createImageReader, ImageFolder, type ImagePlaces } from '../../content-files/image-folder.ts';
import { ContentJournal, createOwnerReader } from '../../content-files/journal.ts';
import { getSecretsFile, getSettingsFile } from '../../content-files/secret-file.ts';
import { getArticleCacheFile } from '../../server/articles/article-sources.ts';
import type { PageHashes } from '../../server/http/security-headers.ts';
import type { Log } from '../../server/log.ts';
import type { Platform, ShownSite } from '../../server/platform.ts';
import { type Settings, SettingsError } from '../../server/settings.ts';
import { BodyProcessor } from '../../sources/articles/html/body-processor.ts';
import { guardedGet, nodePost } from '../../sources/http/guarded-http.ts';
import { createLinkRequests } from '../../sources/links/node-link.ts';
import { createSmtpChannel } from '../../sources/mail/smtp-channel.ts';
import { findCopyProblems } from '../../stores/data-copy.ts';
import { CommitTimes, findFolderProblems, findScarceFiles } from '../../stores/data-folder.ts';
import { remove } from '../../stores/disk.ts';
import { type EventStore, EventStoreError, SqlEventStore } from '../../stores/events.ts';
import { ARCHIVE_FOLDER, createFolderEventArchive } from '../../stores/folder-archive.ts';
import { readLastBackup, readSampleState } from '../../stores/last-backup.ts';
import {
  CONSOLE_FILE,
  LEDGER_FILE,
  OUTBOX_FILE,
  openArticleDatabase,
  UncreatedDatabase,
} from '../../stores/node-databases.ts';
import { protectDataFolder } from '../../stores/private-files.ts';
import { openMemoryExecutor } from '../../stores/sql/node-sqlite/memory-executor.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from '../../stores/sql/node-sqlite/node-sqlite-executor.ts';
import { describeSqliteError } from '../../stores/sql/node-sqlite/sqlite-error.ts';
import { UploadFolder } from '../../stores/upload-folder.ts';
import { openCopy } from './copy-client.ts';
import { spareMemory } from './v8-flags.mjs';

const MEGABYTE = 1_048_576;

/** What the build left and how the process serves it. */
export interface NodeOptions {
  /** The list of images that the build wrote. */
  readonly imageManifest: string;
  /** When the build was made, in ms since 1970: the clock cannot be earlier. */
  readonly buildTime?: number;
  /** true: edits of the content folder are shown while the process runs. */
  readonly watch?: boolean;
  /** true: another program converts images when a page requests them (development). */
  readonly convertsOnRequest?: boolean;
  /** Renders pages of unsaved content for a console without a thread of its own. */
  readonly renderPreview?: RenderPreview;
  /** Where the console thread begins; left out: it shares the event loop with the visitors. */
  readonly consoleProgram?: URL;
  /** true: this is the console thread, which may wait for the disk. */
  readonly isConsoleThread?: boolean;
  /** What another thread shows; left out: this thread reads the content and the articles. */
  readonly shown?: ShownSite;
  /** Tells the other thread that settings were typed in. */
  readonly tellSettings?: () => void;
  /** What another thread has parsed of the content. */
  readonly knownFiles?: KnownFiles;
}

/** The files of the databases that a site opens by name. Only a lost outbox is replaced by an empty one. */
const DATABASES = {
  commissions: { name: LEDGER_FILE, isReplaceable: false },
  console: { name: CONSOLE_FILE, isReplaceable: false },
  notifications: { name: OUTBOX_FILE, isReplaceable: true },
} as const;

/** Creates what only Node has. A thread that calls it gets connections of its own to the databases. */
export function createNodePlatform(
  settings: Settings,
  log: Log,
  pageHashes: PageHashes,
  options: NodeOptions,
): Platform {
  const { DATA_DIR: dataDir, MIN_FREE_MB: minFreeMb } = settings;
  // A machine without a battery starts in the past: events with such a time would soon be past their retention.
  const { buildTime = 0, isConsoleThread: isInline = false } = options;
  const warn = (message: string) => log.warn(message);
  const contentDir = path.resolve(settings.CONTENT_DIR);
  if (!isInline) protectDataFolder(dataDir);
  const isWatching = options.watch === true;
  const places = listImagePlaces(contentDir, dataDir, options.imageManifest);
  const images = isWatching && options.convertsOnRequest !== true ? new ImageFolder(places) : null;
  // The console thread reads what the thread of the site has converted.
  const readImages =
    images?.readImages ??
    (isInline ? createImageReader(places) : createImageManifestReader(options.imageManifest));
  const journal = new ContentJournal(contentDir, createOwnerReader(dataDir));
  const commitTimes = new CommitTimes(() => performance.now());
  const onCommit = (ms: number) => commitTimes.add(ms);
  const clock = { now: () => Math.max(Date.now(), buildTime), monotonic: () => performance.now() };
  return {
    log,
    pageHashes,
    shown: options.shown,
    clock,
    readCrawlerRanges: () => readCrawlerRanges(path.join(dataDir, 'crawler-ranges')),
    content: openFolderContent(contentDir, readImages, {
      now: clock.now,
      journal,
      known: options.knownFiles,
      copyFile: path.join(dataDir, LAST_CONTENT_FILE),
    }),
    contentDir,
    images,
    runSparing: spareMemory,
    openContentWatcher: isWatching ? () => openContentWatcher(contentDir, journal) : undefined,
    openEvents() {
      const file = path.join(dataDir, DATABASE_FILE);
      // Only one of the two threads replaces a damaged database.
      const executor = new NodeSqliteExecutor({
        file,
        report: warn,
        onCommit,
        isInline,
        isReplaceable: !isInline,
      });
      const store = guardDiskSpace(new SqlEventStore(executor), dataDir, minFreeMb);
      return { executor, store };
    },
    openEventArchive: () => createFolderEventArchive(path.join(dataDir, ARCHIVE_FOLDER)),
    openDatabase(migrations) {
      const { name, isReplaceable } = DATABASES[migrations];
      const file = path.join(dataDir, name);
      // All that the console's database reports is that it was created, as every first start does.
      const report = migrations === 'console' ? (message: string) => log.info(message) : warn;
      const open = () =>
        new NodeSqliteExecutor({ file, report, onCommit, migrations, isInline, isReplaceable });
      return new UncreatedDatabase(file, open);
    },
    secretsFile: getSecretsFile(dataDir),
    httpGet: guardedGet,
    httpPost: nodePost,
    createLinkRequests,
    ...createArticleOpener(settings, log),
    isConsoleThread: isInline,
    async readDataProblems() {
      const found = [
        ...(await findFolderProblems(dataDir, process.getuid?.())),
        ...(await findScarceFiles(dataDir)),
        ...commitTimes.findProblem(),
      ];
      return settings.LEDGER_COPY === '' ? found : [...found, ...findCopyProblems(dataDir, clock.now())];
    },
    copy: isInline ? undefined : openCopy(settings, log),
    createBodyProcessor: (readPolicy) => new BodyProcessor(readPolicy),
    createMailChannel: createSmtpChannel,
    uploads: new UploadFolder(path.resolve(dataDir, 'uploads')),
    readDisk: () => readDisk(settings),
    readCommitMs: () => commitTimes.read(),
    readLastBackup: () => readLastBackup(dataDir),
    isSample: readSampleState(dataDir) !== 'none',
    settingsFile: getSettingsFile(dataDir),
    ...(options.tellSettings && { tellSettings: options.tellSettings }),
    ...(isInline && { sample: openSample(settings, log, pageHashes, options) }),
    hasTimers: true,
    sharesWork: true,
  };
}

/** Next to this file: TypeScript, or JavaScript in the bundle. */
const SAMPLE_WORKER = `./sample-worker${path.extname(import.meta.filename)}`;

/** The data that an operator looks at who has none yet; nothing of them is where those of the site are. */
function openSample(settings: Settings, ...rest: [Log, PageHashes, NodeOptions]): Platform['sample'] {
  const { CONTENT_DIR, TIME_ZONE: timeZone } = settings;
  const dataDir = path.resolve(settings.DATA_DIR, 'sample');
  const own = { ...settings, DATA_DIR: dataDir, LEDGER_COPY: '' };
  const clear = () => remove(dataDir);
  return {
    isMade: () => readSampleState(dataDir) === 'complete',
    open: () => ({ settings: own, platform: createNodePlatform(own, ...rest) }),
    async make() {
      clear();
      const workerData = { contentDir: path.resolve(CONTENT_DIR), dataDir, timeZone };
      const [code] = await once(new Worker(new URL(SAMPLE_WORKER, import.meta.url), { workerData }), 'exit');
      if (code !== 0) throw new Error('the sample could not be made');
    },
    remove: clear,
  };
}

/** The JSON files of a folder, which were downloaded from the operators of agents; none without the folder. */
export function readCrawlerRanges(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

/** Where the images of a site are; the build has its files beside their list. */
function listImagePlaces(contentDir: string, dataDir: string, builtList: string): ImagePlaces {
  return {
    source: path.join(contentDir, 'images'),
    built: path.join(path.dirname(builtList), 'client', 'images'),
    builtList,
    converted: path.join(dataDir, 'images'),
  };
}

/** Between two looks for edits that the system has not reported. */
const RELOAD_MS = 1_000;

async function openContentWatcher(folder: string, journal: ContentJournal): Promise<ContentWatcher> {
  if (!existsSync(folder)) throw new SettingsError([`CONTENT_DIR: there is no folder ${folder}`]);
  return ContentWatcher.open(folder, RELOAD_MS, journal);
}

async function readDisk({ DATA_DIR, MIN_FREE_MB: minFreeMb }: Settings): ReturnType<Platform['readDisk']> {
  try {
    return { freeMb: Math.floor((await readFreeBytes(DATA_DIR)) / MEGABYTE), minFreeMb };
  } catch {
    return null;
  }
}

/** Article files are searched in memory. Without a usable disk, copies are lost with the process as well. */
function createArticleOpener(settings: Settings, log: Log) {
  let problem: string | null = null;
  const open = () => {
    if (settings.ARTICLE_SOURCE === 'files') return openMemoryExecutor('articles');
    const file = getArticleCacheFile(settings);
    try {
      return openArticleDatabase(file, (message) => log.warn(message));
    } catch (error) {
      log.error('articles: the copies cannot be opened; they are in memory only', { error });
      problem = `articles: ${file} cannot be used, so copies are in memory only: ${describeSqliteError(error)}`;
      return openMemoryExecutor('articles');
    }
  };
  return { openArticles: async () => ({ database: open() }), readCopyProblem: () => problem };
}

/** Time between two checks of the disk; events can fill a few megabytes in it. */
const DISK_CHECK_MS = 1_000;

/**
 * Wraps a store so that it takes no events while less than `minFreeMb` MB are free on the disk of its folder (0: no
 * limit): the cache of articles, logs and other programs keep room. Reading and removing still work.
 */
export function guardDiskSpace(
  store: EventStore,
  folder: string,
  minFreeMb: number,
  readFree: (folder: string) => Promise<number> = readFreeBytes,
): EventStore {
  let isFull = false;
  const check = async () => {
    // Without an answer, the store itself finds out whether it can write.
    const free = await readFree(folder).catch(() => Number.POSITIVE_INFINITY);
    isFull = free < minFreeMb * MEGABYTE;
  };
  const timer = minFreeMb > 0 ? setInterval(() => void check(), DISK_CHECK_MS).unref() : undefined;
  const ready = minFreeMb > 0 ? check() : undefined;
  const reason = `less than ${minFreeMb} MB are free`;
  return {
    append: (events) =>
      isFull
        ? Promise.reject(new EventStoreError('unavailable', `[events] ${reason}`))
        : store.append(events),
    read: (filter) => store.read(filter),
    count: (filter) => store.count(filter),
    readTimeRange: () => store.readTimeRange(),
    remove: (filter) => store.remove(filter),
    async probe() {
      await ready;
      return isFull ? reason : store.probe();
    },
    close() {
      clearInterval(timer);
      return store.close();
    },
  };
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
