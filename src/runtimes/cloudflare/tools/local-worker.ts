import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EDGE, type Miniflare, unstable_getMiniflareWorkerOptions } from '#cloudflare-tools';
import { checkContent } from '../../../../scripts/build/check-content.ts';
import { ROOT } from '../../../../scripts/start/pinned-node.mjs';
import { CONTENT_PARTS } from '../../../content-files/built-content.ts';
import { SECRET_NAME } from '../../../core/commissions/networks/network.schema.ts';
import { FORMER_SETTINGS, parseSettings, SETTINGS } from '../../../server/settings.ts';
import {
  copyDraft,
  createFolder,
  createPrivateFolder,
  remove,
  writePrivateFile,
} from '../../../stores/disk.ts';
import { protectDataFolder } from '../../../stores/private-files.ts';
import { applyMigrations, createMiniflare, repeatWhileLocked, WORKER_CONFIG } from './bindings.ts';

const WORKER_CONTENT = path.resolve(EDGE, '../content');

/**
 * Checks what the build cannot, because it does not know the settings: with articles from files, every article that a
 * page names has to exist. Throws what is wrong, by file and field.
 */
export async function checkWorkerContent(articleSource: string | undefined): Promise<void> {
  const problem = await checkContent(WORKER_CONTENT, hasArticleFiles(articleSource));
  if (problem !== null) throw new Error(problem);
}

/** Whether the articles are the files of the content folder, as they are by default. */
function hasArticleFiles(articleSource = 'files'): boolean {
  return articleSource === 'files';
}

export const DEFAULT_PORT = '4322';
/** What belongs to the program in front of workerd. */
const OWN: ReadonlySet<string> = new Set(['HOST', 'PORT', 'DATA_DIR', 'CONTENT_DIR']);

/** Reads the settings of the environment. Throws `SettingsError`. */
export function readLocalOptions(environment: NodeJS.ProcessEnv): LocalOptions {
  const config = parseSettings({ ...environment, PORT: environment['PORT']?.trim() || DEFAULT_PORT });
  const secrets = Object.keys(environment).filter((name) => SECRET_NAME.test(name));
  const settings = [...new Set([...SETTINGS, ...FORMER_SETTINGS, ...secrets])].flatMap(
    (name): [string, string][] => {
      const value = environment[name]?.trim() ?? '';
      return value === '' || OWN.has(name) ? [] : [[name, value]];
    },
  );
  return {
    host: config.HOST,
    port: config.PORT,
    dataDir: path.resolve(config.DATA_DIR),
    contentDir: path.resolve(config.CONTENT_DIR),
    settings: Object.fromEntries(settings),
  };
}

const DIST = path.join(EDGE, 'dist');
const SERVER = path.join(DIST, 'server');

/** Loaded when it is needed: most commands read no content. */
const loadBuild = () => import('../../../../scripts/build/build-worker-content.ts');

/** Copies without the rights of the folders, which may be read-only. */
async function copyFiles(from: string, to: string): Promise<void> {
  createFolder(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const copy = entry.isDirectory() ? copyFiles : copyDraft;
    await copy(path.join(from, entry.name), path.join(to, entry.name));
  }
}

/** Makes the worker of a site, of the package's code and the content; a clone has built its own. */
export async function makeWorker(): Promise<void> {
  if (EDGE === path.join(ROOT, 'edge')) return;
  const { writeWorkerContent } = await loadBuild();
  remove(DIST);
  await copyFiles(path.join(ROOT, 'edge/dist'), DIST);
  await copyFiles(path.join(ROOT, 'dist/card-fonts'), path.join(DIST, 'card-fonts'));
  await writeWorkerContent(WORKER_CONTENT, DIST, path.join(EDGE, 'node_modules/.cache/signpost'));
}

/** How the worker is served on this machine. */
export interface LocalOptions {
  readonly host: string;
  readonly port: number;
  /** The databases are in the folder `edge` below. */
  readonly dataDir: string;
  /** The content folder; another one than that of the build is read now, with the images of the build. */
  readonly contentDir: string;
  /** Settings by their environment names. */
  readonly settings: Readonly<Record<string, string>>;
  /** Source of a module around the worker, `./main.mjs`, such as one whose bindings fail. */
  readonly entry?: string;
}

/**
 * Starts workerd with the built worker and simulators of its bindings, and applies the migrations. Needs no account and
 * no network. The caller disposes of it; `onCreated` is called before the first request can arrive.
 */
export async function startLocalWorker(
  options: LocalOptions,
  onCreated: (miniflare: Miniflare) => void = () => undefined,
): Promise<Miniflare> {
  const { host, port, settings } = options;
  const { workerOptions } = unstable_getMiniflareWorkerOptions(WORKER_CONFIG);
  protectDataFolder(options.dataDir);
  const formKey = settings['FORM_KEY'] || readFormKey(path.join(options.dataDir, 'edge'));
  const worker = {
    ...workerOptions,
    modules: [...buildEntry(options.entry), ...listModules(), ...(await listContent(options))],
    modulesRoot: SERVER,
    bindings: {
      HOST: host,
      PORT: String(port),
      ...settings,
      FORM_KEY: formKey,
    },
  };
  const miniflare = createMiniflare(worker, options);
  onCreated(miniflare);
  await miniflare.ready;
  await repeatWhileLocked(() => applyMigrations(miniflare));
  return miniflare;
}

/** The module that workerd calls comes first. */
function buildEntry(contents?: string) {
  return contents === undefined
    ? []
    : [{ type: 'ESModule' as const, path: path.join(SERVER, 'entry.mjs'), contents }];
}

function listModules() {
  const rank = (file: string) => (file === 'main.mjs' ? 0 : 1);
  return readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mjs'))
    .sort((one, other) => rank(one) - rank(other))
    .map((file) => ({ type: 'ESModule' as const, path: path.join(SERVER, file) }))
    .map((module) => ({ ...module, contents: readFileSync(module.path, 'utf8') }));
}

async function listContent({ contentDir, settings }: LocalOptions) {
  const source = settings['ARTICLE_SOURCE'];
  const toModule = (name: string, contents?: string) => {
    const file = path.join(SERVER, `${name}.json`);
    return { type: 'Text' as const, path: file, contents: contents ?? readFileSync(file, 'utf8') };
  };
  if (contentDir === WORKER_CONTENT) {
    await checkWorkerContent(source);
    return CONTENT_PARTS.map((name) => toModule(name));
  }
  const { buildWorkerContent } = await loadBuild();
  const parts = await buildWorkerContent(contentDir, DIST, hasArticleFiles(source));
  return Object.entries(parts).map(([name, contents]) => toModule(name, contents));
}

/** The key of forms on this machine, created with the first start. */
function readFormKey(folder: string): string {
  const file = path.join(folder, 'form-key');
  createPrivateFolder(folder);
  if (!existsSync(file)) writePrivateFile(file, randomBytes(32).toString('hex'));
  return readFileSync(file, 'utf8');
}
