import { statSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { JournalError } from '../content-files/journal.ts';
import { nameCommand } from '../core/text/name-command.ts';
import { MoveInError } from './former-item.ts';
import type { PartnerDecision } from './merchants.ts';
import { MoveIn, type UploadedSite } from './move-in.ts';
import type { MoveInPreview } from './move-in-report.ts';
import type { PreparedMoveIn } from './move-site.ts';

/** What the thread is started with. `decisions` is null for a preview. */
export interface MoveInJob {
  readonly contentDir: string;
  readonly dataDir: string;
  /** Where requests to hosts go instead, in tests. */
  readonly testHosts: ReadonlyMap<string, string>;
  readonly uploaded: UploadedSite;
  readonly decisions: readonly PartnerDecision[] | null;
  /** Names of products that the operator has given. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

/** What the thread posts: a result, or why it failed. `code` is that of the file system, empty for others. */
export type MoveInReply =
  | { readonly preview: MoveInPreview }
  | { readonly counts: PreparedMoveIn['counts'] }
  | {
      readonly kind: 'MoveInError' | 'JournalError' | 'other';
      readonly failure: string;
      readonly code: string;
    };

const TIMEOUT_MS = 180_000;
/** What each megabyte of an export may take: 2.3 s were measured on a busy machine, more than 5 s on a very busy one. */
const TIMEOUT_MS_PER_MB = 20_000;
/** What images of a former site that responds slowly may take; the next import requests only those that are missing. */
const DOWNLOAD_MS = 3_600_000;
/** The heap of an import: half of the memory that is free, which an export of 2,000 long posts needs 128 MB of. */
const findHeapMb = () =>
  Math.max(128, Math.min(512, Math.floor(process.availableMemory() / 2 / 1024 / 1024)));
const ON_SERVER = `Nothing was imported. Divide the export, or run on the server: ${nameCommand('import wordpress export.xml')}`;

/** Next to this file: TypeScript, or JavaScript in the bundle. */
const WORKER_FILE = `./move-in-worker${path.extname(import.meta.filename)}`;

/**
 * Moves sites in as `MoveIn` does, one after the other, each in a thread of its own that ends with it: an export may take
 * minutes and hundreds of megabytes, and other operators and visitors do not wait for it.
 */
export class MoveInThread extends MoveIn {
  readonly #place: Pick<MoveInJob, 'contentDir' | 'dataDir' | 'testHosts'>;
  readonly #spare: () => () => void;
  readonly #timeoutMs: number;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * `spare` keeps the heaps of the other threads small until what it returns is called; `timeoutMs`: how long a small import may
   * take, with those that it waits for; a large one may take longer.
   */
  constructor(
    contentDir: string,
    dataDir: string,
    spare: () => () => void,
    timeoutMs = TIMEOUT_MS,
    testHosts: ReadonlyMap<string, string> = new Map(),
  ) {
    super(contentDir);
    this.#place = { contentDir, dataDir, testHosts };
    this.#spare = spare;
    this.#timeoutMs = timeoutMs;
  }

  override async preview(uploaded: UploadedSite): Promise<MoveInPreview> {
    const reply = await this.#queue({ ...this.#place, uploaded, decisions: null });
    if ('preview' in reply) return reply.preview;
    throw restoreError(reply);
  }

  override async commit(
    uploaded: UploadedSite,
    decisions: readonly PartnerDecision[],
    names?: ReadonlyMap<string, string>,
  ): Promise<PreparedMoveIn['counts']> {
    const reply = await this.#queue({ ...this.#place, uploaded, decisions, names });
    if ('counts' in reply) return reply.counts;
    throw restoreError(reply);
  }

  #queue(job: MoveInJob): Promise<MoveInReply> {
    const bytes = statSync(job.uploaded.export, { throwIfNoEntry: false })?.size ?? 0;
    const timeoutMs =
      this.#timeoutMs +
      Math.floor(bytes / 1_000_000) * TIMEOUT_MS_PER_MB +
      (job.uploaded.copiesImages ? DOWNLOAD_MS : 0);
    const until = performance.now() + timeoutMs;
    const done = this.#last.then(() => this.#run(job, timeoutMs, until));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #run(job: MoveInJob, timeoutMs: number, until: number): Promise<MoveInReply> {
    const heapMb = findHeapMb();
    const stopSparing = this.#spare();
    const worker = new Worker(new URL(WORKER_FILE, import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 24 },
    });
    const done = Promise.withResolvers<MoveInReply>();
    const timer = setTimeout(
      () => done.reject(new MoveInError(`The export takes longer than ${timeoutMs / 1_000} s. ${ON_SERVER}`)),
      until - performance.now(),
    );
    worker.on('message', (reply: MoveInReply) => done.resolve(reply));
    worker.on('error', (error) => {
      const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      done.reject(
        isFull ? new MoveInError(`The export takes more than ${heapMb} MB of memory. ${ON_SERVER}`) : error,
      );
    });
    worker.on('exit', () => done.reject(new MoveInError(`The import was ended. ${ON_SERVER}`)));
    try {
      return await done.promise;
    } finally {
      clearTimeout(timer);
      stopSparing();
      await worker.terminate();
    }
  }
}

function restoreError(reply: MoveInReply): Error {
  if (!('failure' in reply)) return new Error('the thread of the import has replied to another job');
  const { kind, failure, code } = reply;
  if (kind === 'other') return Object.assign(new Error(failure), code === '' ? {} : { code });
  return kind === 'JournalError' ? new JournalError(failure) : new MoveInError(failure);
}
