import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ContentImage } from '../core/pages/images/content-image.ts';
import type { FileDrawing } from './drawn/plan.ts';

/** Converts an image of the content folder. */
export interface ConvertJob {
  readonly kind: 'convert';
  /** `images/` of the content folder. */
  readonly source: string;
  /** Path of the image below it. */
  readonly name: string;
  /** Folders in which files of the image may be already. */
  readonly built: string;
  /** Where the others are written. */
  readonly converted: string;
}

/** Checks an image that an operator has sent, and writes it as it is stored. */
export interface PrepareJob {
  readonly kind: 'prepare';
  readonly content: Uint8Array;
  /** Extension of the format that it gets; null: that of its own. */
  readonly extension: string | null;
  /** The part that is kept, in pixels; left out: all of it. */
  readonly area?: Readonly<Record<'left' | 'top' | 'width' | 'height', number>> | undefined;
}

/** Draws a file of the site. */
export interface DrawJob {
  readonly kind: 'draw';
  readonly drawing: FileDrawing;
  /** `images/` of the content folder. */
  readonly source: string;
  /** The files of the heading font. */
  readonly fonts: readonly string[];
  /** The file that is written. */
  readonly target: string;
}

/** Prepares the heading font that `brand.yaml` names. */
export interface FontJob {
  readonly kind: 'font';
  readonly contentDir: string;
  /** Where the files are written. */
  readonly converted: string;
}

/** A heading font of the brand that is ready. */
export interface DrawnFont {
  /** The address of the file that pages load. */
  readonly address: string;
  /** What the styles of each page add. */
  readonly styles: string;
  /** The file that sharing images are drawn with. */
  readonly heading: string;
}

/** What the thread of images does. */
export type ImageJob = ConvertJob | PrepareJob | DrawJob | FontJob;
type ImageResult = ConvertedImage | PreparedImage | DrawnFont | null;

/** What became of an image: what is shown of it and which files were written, or why it cannot be used. */
export type ConvertedImage =
  | { readonly image: ContentImage; readonly written: readonly string[] }
  | { readonly reason: string };

/** An image as it is written to the content folder, or why it cannot be used. */
export type PreparedImage =
  | {
      readonly content: Uint8Array;
      /** File ending of the format. */
      readonly extension: string;
    }
  | { readonly reason: string };

/** What the thread posts: a result, or the message and the code of an error. */
export type ImageThreadReply =
  | { readonly result: ImageResult }
  | { readonly failure: string; readonly code: string };

/** An image that could not be converted. `code`: `timeout`, `failed`, or that of the file system. */
export class ImageThreadError extends Error {
  override readonly name = 'ImageThreadError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether an error says that a package is not installed, or has no program for this system. */
export function isMissingPackage(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String(error.code))
  );
}

/** The largest image that is accepted takes a few seconds; who uploads another one waits for it. */
const TIMEOUT_MS = { convert: 30_000, prepare: 10_000, draw: 30_000, font: 30_000 };
/** The thread and its library take about 40 MB, so it ends when it has been idle for a while. */
const IDLE_MS = 30_000;
const MAX_HEAP_MB = 256;
/** What cannot be done, in a sentence that begins with the file. */
const CANNOT: Readonly<Record<ImageJob['kind'], string>> = {
  convert: 'cannot be converted',
  prepare: 'cannot be converted',
  draw: 'cannot be drawn',
  font: 'cannot be shown',
};

/** Next to this file: TypeScript, or JavaScript in the bundle. */
const WORKER_FILE = `./image-worker${path.extname(import.meta.filename)}`;

/** Decodes and converts images in a thread that starts with the first of them, one after the other. */
export class ImageThread {
  readonly #timeoutMs: Readonly<Record<ImageJob['kind'], number>>;
  #last: Promise<unknown> = Promise.resolve();
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  /** `timeoutMs`: how long one image may take. */
  constructor(timeoutMs?: number) {
    const limits = Object.entries(TIMEOUT_MS).map(([kind, usual]) => [kind, timeoutMs ?? usual]);
    this.#timeoutMs = Object.fromEntries(limits);
  }

  /** Does a job after those before it. Rejects with `ImageThreadError`. */
  run(job: ConvertJob): Promise<ConvertedImage>;
  run(job: PrepareJob): Promise<PreparedImage>;
  run(job: FontJob): Promise<DrawnFont | null>;
  run(job: DrawJob): Promise<null>;
  run(job: ImageJob): Promise<ImageResult> {
    const done = this.#last.then(() => this.#run(job));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#worker?.terminate();
  }

  async #run(job: ImageJob): Promise<ImageResult> {
    clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const done = Promise.withResolvers<ImageResult>();
    const fail = (code: string, message: string) =>
      done.reject(new ImageThreadError(code, `${CANNOT[job.kind]}: ${message}`));
    const limit = this.#timeoutMs[job.kind];
    const timer = setTimeout(() => {
      this.#worker = null;
      void worker.terminate();
      fail('timeout', `it takes longer than ${limit / 1_000} s`);
    }, limit);
    const onMessage = (reply: ImageThreadReply) =>
      'result' in reply ? done.resolve(reply.result) : fail(reply.code, reply.failure);
    const onEnd = (cause: unknown) =>
      fail('failed', cause instanceof Error ? cause.message : 'its thread has ended');
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    // The process waits for a busy thread, but not for an idle one.
    worker.ref();
    worker.postMessage(job);
    try {
      return await done.promise;
    } finally {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd).unref();
      this.#idleTimer = setTimeout(() => void worker.terminate(), IDLE_MS).unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL(WORKER_FILE, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    // Errors are those of a job.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }
}
