import { isDeepStrictEqual } from 'node:util';
import { type Transferable, Worker } from 'node:worker_threads';
import type { Console } from '../../console/console.ts';
import type { KnownFiles } from '../../content-files/content-folder.ts';
import { DAY_MS } from '../../core/clock.ts';
import type { AppContext, Visitor } from '../../server/http/route.ts';
import { PeriodicJob } from '../../server/periodic-job.ts';
import type { Site } from '../../server/site.ts';
import { OperatorStoreError } from '../../stores/operators.ts';

/** What the site does for the thread. */
interface ThreadDuties {
  /** Whether there is work that waits for no operator, such as alerts to be sent. */
  readonly hasWork: () => boolean;
  /** Takes over the settings that an operator has typed in. */
  readonly applySettings: () => void;
  /** As `Console.createEntryPath`, without the thread. */
  readonly createEntryPath: () => Promise<string>;
}

interface Waiting {
  /** Beginning of the path, without what may be secret. */
  readonly view: string;
  /** Returns the body of the request, when the thread asks for it. */
  readonly readBody: () => ReadableStream<Uint8Array> | null;
  readonly resolve: (response: SentResponse | null) => void;
  readonly reject: (error: OperatorStoreError) => void;
}

/** New objects of the console: operators may wait for a collection more often than visitors. */
const YOUNG_GENERATION_MB = 24;
/** After the start, when the site has other things to do. */
const FIRST_LOOK_MS = 1_000;
const LOOK_MS = 60_000;
/** A thread that ended by a fault is not started again before. */
const RESTART_MS = 2_000;
/**
 * A thread that has given no sign at so many looks in a row is ended. Looks are counted, not time: on a machine that
 * slept, everything was silent.
 */
const WATCH = { everyMs: 5_000, looks: 12 };

/**
 * The console in a thread of its own: however long a view takes to compute, visitors do not wait for it, and a
 * fault or a lack of memory there does not end the site. The thread starts with the first request or the first work.
 */
export class ConsoleThreadClient implements Console {
  readonly #site: Site;
  readonly #program: URL;
  readonly #duties: ThreadDuties;
  readonly #watch: typeof WATCH;
  readonly #waiting = new Map<number, Waiting>();
  readonly #looking: PeriodicJob;
  #worker: Worker | null = null;
  #shown: readonly unknown[] = [];
  #lastId = 0;
  #endedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /** `program` is where the thread begins, see `console-thread.ts`. */
  constructor(site: Site, program: URL, duties: ThreadDuties, watch = WATCH) {
    this.#site = site;
    this.#program = program;
    this.#duties = duties;
    this.#watch = watch;
    const start = async () => {
      // The alerts of the thread are about what the site shows, also while no operator requests anything.
      if (this.#worker !== null) this.#showChanges(this.#worker);
      else if (duties.hasWork()) this.#getWorker();
    };
    const failure = 'the console could not be started';
    this.#looking = new PeriodicJob(
      { ...site.log, warn: site.log.error },
      failure,
      start,
      LOOK_MS,
      FIRST_LOOK_MS,
    );
    this.#looking.start();
  }

  /** Rejects with `OperatorStoreError` when the thread ends before it has responded. */
  respond = async ({ req: { raw }, env }: AppContext): Promise<Response | null> => {
    const request = buildSentRequest(raw, env);
    const worker = this.#getWorker();
    this.#showChanges(worker);
    const readBody = () => (request.hasBody ? raw.body : null);
    const [view] = /^\/console\/[a-z-]+/.exec(new URL(request.url).pathname) ?? [];
    const response = await this.#post(worker, (id) => ({ kind: 'request', id, request }), readBody, view);
    if (response === null) return null;
    const { status, headers, body } = response;
    // Bytes are sent as they are; an `ArrayBuffer` would be read through a stream.
    return new Response(body instanceof ArrayBuffer ? new Uint8Array(body) : body, { status, headers });
  };

  createEntryPath(): Promise<string> {
    return this.#duties.createEntryPath();
  }

  /** The thread has timers. */
  async runDueJobs(): Promise<void> {}

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking.stop();
    if (this.#worker === null) return;
    const worker = this.#worker;
    await this.#post(worker, (id) => ({ kind: 'close', id })).catch(() => null);
    await worker.terminate();
  }

  #post(
    worker: Worker,
    build: (id: number) => ConsoleThreadMessage,
    readBody: Waiting['readBody'] = () => null,
    view = '',
  ): Promise<SentResponse | null> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      worker.postMessage(build(id));
      this.#waiting.set(id, { resolve, reject, readBody, view });
    });
  }

  #receive(worker: Worker, reply: ConsoleThreadReply): void {
    if ('settings' in reply) this.#duties.applySettings();
    else if ('accepts' in reply) void this.#acceptDeletions(worker, reply.id);
    else if ('edits' in reply) void this.#applyEdits(worker, reply.id, reply.edits);
    else if ('response' in reply) {
      this.#waiting.get(reply.id)?.resolve(reply.response);
      this.#waiting.delete(reply.id);
    } else {
      const body = this.#waiting.get(reply.bodyOf)?.readBody() ?? new Blob().stream();
      worker.postMessage(
        { kind: 'body', id: reply.id, body } satisfies ConsoleThreadMessage,
        listMoved(body),
      );
    }
  }

  async #acceptDeletions(worker: Worker, id: number): Promise<void> {
    const { log } = this.#site;
    const { articles } = this.#site.content;
    const count = await articles.acceptDeletions().catch((error: unknown) => {
      log.error('articles: the deletions could not be accepted', { error });
      return 0;
    });
    this.#showChanges(worker);
    worker.postMessage({ kind: 'accepted', id, count } satisfies ConsoleThreadMessage);
  }

  async #applyEdits(worker: Worker, id: number, edits: readonly string[]): Promise<void> {
    await this.#site.content.applyEdits(edits);
    this.#showChanges(worker);
    worker.postMessage({ kind: 'applied', id } satisfies ConsoleThreadMessage);
  }

  #getWorker(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { clock, log } = this.#site;
    if (this.#isClosed || clock.monotonic() - this.#endedAt < RESTART_MS)
      throw new OperatorStoreError('unavailable', 'the console does not run');
    const site = readSite(this.#site);
    this.#shown = listParts(site);
    // The thread reads its settings from the environment of the process, whose V8 flags apply to it too.
    const { known } = this.#site.platform.content;
    const beat = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { site, known, beat } satisfies ConsoleThreadStart;
    const worker = new Worker(this.#program, {
      workerData,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const watching = this.#watchOver(worker, beat);
    worker.on('message', (reply: ConsoleThreadReply) => this.#receive(worker, reply));
    worker.on('error', (error) => log.error('the console failed', { error }));
    worker.on('exit', () => {
      clearInterval(watching);
      this.#worker = null;
      this.#endedAt = clock.monotonic();
      for (const { reject } of this.#waiting.values())
        reject(new OperatorStoreError('unavailable', 'the console ended'));
      this.#waiting.clear();
    });
    this.#worker = worker;
    return worker;
  }

  /** Ends a thread that is stuck, and says so for a day; the next request or the next work starts it again. */
  #watchOver(worker: Worker, beat: Int32Array): NodeJS.Timeout {
    let [last, silent] = [0, 0];
    const { dataHealth, clock } = this.#site;
    const timer = setInterval(() => {
      const beats = Atomics.load(beat, 0);
      silent = beats === last ? silent + 1 : 0;
      last = beats;
      if (silent < this.#watch.looks) return;
      clearInterval(timer);
      void worker.terminate();
      const views = [...new Set([...this.#waiting.values()].map(({ view }) => view))].filter(Boolean).sort();
      const where = views.length === 0 ? '' : ` Requests waited for: ${views.join(', ')}.`;
      const detail = `It was stuck for a minute, and what it did then was not finished.${where}`;
      const problem = { key: 'console-thread', title: 'The console was ended and starts again', detail };
      dataHealth.note([{ problem, until: clock.now() + DAY_MS }]);
    }, this.#watch.everyMs);
    return timer.unref();
  }

  #showChanges(worker: Worker): void {
    const site = readSite(this.#site);
    const parts = listParts(site);
    if (isDeepStrictEqual(parts, this.#shown)) return;
    this.#shown = parts;
    worker.postMessage({ kind: 'site', site } satisfies ConsoleThreadMessage);
  }
}

/** What can change; equal parts that are long are the same objects, so that comparing them costs nothing. */
function listParts({ content, ...parts }: SiteSnapshot): readonly unknown[] {
  return [...Object.values(content), ...Object.values(parts)];
}

/** What the site shows at one moment, copied from thread to thread. */
const readSite = ({ content: { read, articles, readWarnings }, dataHealth }: Site) => ({
  content: read(),
  warnings: readWarnings(),
  summaries: articles.getSummaries(),
  unpublished: articles.getUnpublished(),
  held: articles.getHeldDeletions(),
  noted: dataHealth.getNoted(),
});
export type SiteSnapshot = ReturnType<typeof readSite>;

/** What the console thread starts with. */
export interface ConsoleThreadStart {
  readonly site: SiteSnapshot;
  /** What the site has parsed of the content, so that the thread does not parse it again. */
  readonly known: KnownFiles;
  /** One number in shared memory, which the thread counts up while it works. */
  readonly beat: Int32Array;
}

/**
 * A request on its way to the thread, which asks for the body when it reads it: where there is no console, the site still
 * needs it.
 */
const buildSentRequest = ({ url, method, headers }: Request, { requestId, clientAddress }: Visitor) => ({
  visitor: { requestId, clientAddress },
  url,
  method,
  headers: [...headers],
  hasBody: method === 'POST',
});
export type SentRequest = ReturnType<typeof buildSentRequest>;

/** A response on its way back. A body of known length is moved as a whole, any other as a stream. */
export interface SentResponse {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: ArrayBuffer | ReadableStream<Uint8Array> | null;
}

/** What the site posts to the console thread. */
export type ConsoleThreadMessage =
  | { readonly kind: 'site'; readonly site: SiteSnapshot }
  | { readonly kind: 'request'; readonly id: number; readonly request: SentRequest }
  | { readonly kind: 'body'; readonly id: number; readonly body: ReadableStream<Uint8Array> }
  | { readonly kind: 'accepted'; readonly id: number; readonly count: number }
  | { readonly kind: 'applied'; readonly id: number }
  | { readonly kind: 'close'; readonly id: number };

/**
 * What the thread replies: that settings were typed in, that it needs the body of a request, that the operator accepts the held
 * deletions of articles or has changed content files, or a response, which is null on a site without a console and after `close`.
 */
export type ConsoleThreadReply =
  | { readonly settings: 'typed' }
  | { readonly id: number; readonly bodyOf: number }
  | { readonly id: number; readonly accepts: 'deletions' }
  | { readonly id: number; readonly edits: readonly string[] }
  | { readonly id: number; readonly response: SentResponse | null };

/** What of a body is moved with its message. */
export function listMoved(body: SentResponse['body']): readonly Transferable[] {
  const bodies: readonly unknown[] = [body];
  return bodies.filter(isMovable);
}

/** The types of Node and of the DOM describe the same streams. */
const isMovable = (body: unknown): body is Transferable =>
  body instanceof ReadableStream || body instanceof ArrayBuffer;
