import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { weighMarkdown } from '../../../core/text/markdown-bounds.ts';
import { memoizeByKey } from '../../../core/text/memoize-by-key.ts';
import { BodyProcessorError, type ProcessBody } from '../article-mapper.ts';
import { type BodySource, createBodyPreparer } from './prepare-body.ts';
import type { SanitizePolicy } from './sanitize-html.ts';
import type { ArticleBody } from './structure-body.ts';

/** Larger bodies go to the worker thread. Below these bounds the slowest bodies take about 15 ms. */
const MAX_INLINE_CHARACTERS = { html: 50_000, markdown: 15_000 };
const MAX_INLINE_TAGS = 1_500;
const MAX_INLINE_WORK = 500_000;
/** Within the limits of an article the slowest bodies take less than a second. */
const TIMEOUT_MS = 10_000;
/** The thread takes about 20 MB, so it ends when it has been idle for a while. */
const IDLE_MS = 30_000;
const MAX_HEAP_MB = 256;
/** What a body needs is thrown away after it: with the default of the process, the space for it takes 60 MB. */
const YOUNG_GENERATION_MB = 12;

/** Next to this file: TypeScript, or JavaScript in the bundle. */
const WORKER_FILE = `./body-worker${path.extname(import.meta.filename)}`;

/**
 * Prepares bodies without blocking the event loop: small ones on it, one after the other with pauses for requests,
 * large ones in a worker thread that starts with the first of them.
 */
export class BodyProcessor {
  readonly #readPolicy: () => SanitizePolicy;
  readonly #timeoutMs: number;
  readonly #getPreparer = memoizeByKey(createBodyPreparer);
  readonly #pause = createTimeSlice();
  #lastInline: Promise<unknown> = Promise.resolve();
  #lastInWorker: Promise<unknown> = Promise.resolve();
  #worker: Worker | null = null;
  /** What the thread was started with. */
  #workerPolicy: SanitizePolicy | null = null;
  #job: PromiseWithResolvers<ArticleBody> | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  /**
   * `readPolicy` returns the same object until the policy changes. `timeoutMs`: how long a body may take in the worker
   * thread.
   */
  constructor(readPolicy: () => SanitizePolicy, timeoutMs = TIMEOUT_MS) {
    this.#readPolicy = readPolicy;
    this.#timeoutMs = timeoutMs;
  }

  /** Prepares a body. Rejects with `BodyProcessorError`. */
  readonly process: ProcessBody = (body) => {
    if (isLarge(body)) {
      const result = this.#lastInWorker.then(() => this.#runInWorker(body));
      this.#lastInWorker = result.catch(() => undefined);
      return result;
    }
    const result = this.#lastInline.then(this.#pause).then(() => this.#runInline(body));
    this.#lastInline = result.catch(() => undefined);
    return result;
  };

  /** Ends the worker thread; the body in work is rejected. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#worker?.terminate();
  }

  #runInline(body: BodySource): ArticleBody {
    try {
      return this.#getPreparer(this.#readPolicy())(body);
    } catch (cause) {
      throw buildFailure(cause);
    }
  }

  async #runInWorker(body: BodySource): Promise<ArticleBody> {
    clearTimeout(this.#idleTimer);
    const worker = this.#getWorker();
    const job = Promise.withResolvers<ArticleBody>();
    this.#job = job;
    const timer = setTimeout(() => {
      this.#worker = null;
      void worker.terminate();
      job.reject(new BodyProcessorError(`content took longer than ${this.#timeoutMs / 1_000} s to sanitize`));
    }, this.#timeoutMs);
    // The process waits for a busy thread, but not for an idle one.
    worker.ref();
    worker.postMessage(body);
    try {
      return await job.promise;
    } finally {
      clearTimeout(timer);
      worker.unref();
      this.#job = null;
      this.#idleTimer = setTimeout(() => void worker.terminate(), IDLE_MS).unref();
    }
  }

  /** The thread of the present policy; the one of a former policy has nothing to do any more. */
  #getWorker(): Worker {
    const policy = this.#readPolicy();
    const former = this.#worker;
    if (former !== null && policy === this.#workerPolicy) return former;
    const worker = this.#start(policy);
    this.#worker = worker;
    this.#workerPolicy = policy;
    void former?.terminate();
    return worker;
  }

  #start(policy: SanitizePolicy): Worker {
    const worker = new Worker(new URL(WORKER_FILE, import.meta.url), {
      workerData: policy,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const isCurrent = () => this.#worker === worker;
    worker.on('message', (body: ArticleBody) => isCurrent() && this.#job?.resolve(body));
    worker.on('error', (cause) => isCurrent() && this.#job?.reject(buildFailure(cause)));
    worker.on('exit', () => {
      if (!isCurrent()) return;
      this.#worker = null;
      this.#job?.reject(buildFailure());
    });
    return worker;
  }
}

function buildFailure(cause?: unknown): BodyProcessorError {
  return new BodyProcessorError('content could not be sanitized', { cause });
}

function isLarge({ format, source }: BodySource): boolean {
  if (source.length > MAX_INLINE_CHARACTERS[format]) return true;
  if (format === 'markdown' && weighMarkdown(source) > MAX_INLINE_WORK) return true;
  let tags = 0;
  for (let at = source.indexOf('<'); at >= 0; at = source.indexOf('<', at + 1)) tags += 1;
  return tags > MAX_INLINE_TAGS;
}

/** Longest time of continuous work between two chances for requests. */
const SLICE_MS = 8;

/** Creates a function that lets the event loop run when a slice of work has been done since it last ran. */
function createTimeSlice(): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < SLICE_MS) return;
    await setImmediate();
    start = performance.now();
  };
}
