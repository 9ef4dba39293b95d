import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { applyMigrations } from './apply-migrations.ts';
import { createMiniflare } from './create-miniflare.ts';

const CONFIG = path.join(import.meta.dirname, 'wrangler.jsonc');
const SERVER = path.join(import.meta.dirname, 'dist', 'server');
const MODULE_TYPES: Readonly<Record<string, 'ESModule' | 'Text'>> = {
  '.mjs': 'ESModule',
  '.yaml': 'Text',
  '.md': 'Text',
  '.json': 'Text',
};

/** How the worker is served on this machine. */
export interface LocalOptions {
  readonly host: string;
  readonly port: number;
  /** The databases are in the folder `edge` below. */
  readonly dataDir: string;
  /** The content folder; its articles and pages are read now, its images were built. */
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
  const { workerOptions } = unstable_getMiniflareWorkerOptions(CONFIG);
  const formKey = settings['FORM_KEY'] || readFormKey(path.join(options.dataDir, 'edge'));
  const worker = {
    ...workerOptions,
    modules: [
      ...buildEntry(options.entry),
      ...listModules(SERVER, ''),
      ...listModules(options.contentDir, 'content/'),
    ],
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
  await applyMigrations(miniflare);
  return miniflare;
}

/** The module that workerd calls comes first. */
function buildEntry(contents?: string) {
  return contents === undefined
    ? []
    : [{ type: 'ESModule' as const, path: path.join(SERVER, 'entry.mjs'), contents }];
}

/** The files of a folder as modules below `prefix`, the entry of the worker first. */
function listModules(folder: string, prefix: string) {
  const rank = (file: string) => (file === 'main.mjs' ? 0 : 1);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.startsWith('content/') && !file.endsWith('.schema.json'))
    .sort((one, other) => rank(one) - rank(other))
    .flatMap((file) => {
      const type = MODULE_TYPES[path.extname(file)];
      if (type === undefined) return [];
      const contents = readFileSync(path.join(folder, file), 'utf8');
      return [{ type, path: path.join(SERVER, prefix, file), contents }];
    });
}

/** The key of forms on this machine, created with the first start. */
function readFormKey(folder: string): string {
  const file = path.join(folder, 'form-key');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}
