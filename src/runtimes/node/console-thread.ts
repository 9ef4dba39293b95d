import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createConsole } from '../../console/console.ts';
import { renderConsolePage } from '../../console/http.ts';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import { MoveIn } from '../../move-in/move-in.ts';
import { createApp } from '../../server/app.ts';
import type { Articles } from '../../server/articles/articles.ts';
import type { Visitor } from '../../server/http/route.ts';
import { createLog } from '../../server/log.ts';
import { parseSettings } from '../../server/settings.ts';
import { createCommissionJobs, createSite } from '../../server/site.ts';
import { pageHashes, render } from '../astro/render.ts';
import {
  type ConsoleThreadMessage,
  type ConsoleThreadReply,
  listMoved,
  type SentRequest,
  type SentResponse,
  type SiteSnapshot,
} from './console-thread-client.ts';
import { createNodePlatform } from './node-platform.ts';
import { compressResponse } from './stored-response.ts';

/** The operator whom a preview is for is no visitor. */
const NO_VISITOR = { requestId: '', clientAddress: '' };

/** Only the site knows the addresses of pages. */
const NO_ADDRESSES = { site: { aliases: {} }, redirects: new Map() };

/** Only the site responds to visitors, and limits them. */
const UNLIMITED = { take: () => 0 };

/** The program of the thread in which the console runs. The site posts `ConsoleThreadMessage`s to it. */
export function runConsoleThread(): void {
  const port = parentPort;
  if (port === null) throw new Error('the console runs in a thread of the site');
  letVisitorsGoFirst();
  const accepting = new AcceptedDeletions((id) => reply(port, { id, accepts: 'deletions' }));
  const applying = new AppliedEdits((id, edits) => reply(port, { id, edits }));
  const opening = openThreadConsole(workerData, accepting, applying);
  const bodies = new RequestedBodies((id) => reply(port, { id, needs: 'body' }));
  const respond = async (id: number, sent: SentRequest) => {
    const request = buildRequest(sent, sent.hasBody ? bodies.open(id) : null);
    if (request === null) return null;
    const response = await (await opening).respond(request, sent.visitor);
    return response === null ? null : packResponse(response);
  };
  const close = async () => {
    await (await opening).close();
    return null;
  };
  port.on('message', (message: ConsoleThreadMessage) => {
    const { kind } = message;
    if (kind === 'site') void opening.then(({ show }) => show(message.site));
    else if (kind === 'body') bodies.receive(message.id, message.body);
    else if (kind === 'accepted') accepting.receive(message.id, message.count);
    else if (kind === 'applied') applying.receive(message.id);
    else {
      const { id } = message;
      const work = kind === 'close' ? close() : respond(id, message.request);
      void work.then((response) => reply(port, { id, response }));
    }
  });
}

interface ThreadConsole {
  /** Responds to a request; null where there is no console. */
  respond(request: Request, visitor: Visitor): Promise<Response | null>;
  /** Takes over what the site shows now. */
  show(shown: SiteSnapshot): void;
  close(): Promise<void>;
}

async function openThreadConsole(
  initial: SiteSnapshot,
  accepting: AcceptedDeletions,
  applying: AppliedEdits,
): Promise<ThreadConsole> {
  const settings = parseSettings(process.env);
  const log = createLog((line) => process.stderr.write(line), Date.now);
  let shown = initial;
  const platform = createNodePlatform(settings, log, pageHashes, {
    imageManifest: path.resolve(import.meta.dirname, '../images.json'),
    buildTime: __BUILD_TIME__,
    isConsoleThread: true,
    shown: {
      read: () => shown.content,
      articles: createShownArticles(() => shown, accepting),
      readWarnings: () => shown.warnings,
      onChange: () => undefined,
      refreshPrices: () => undefined,
      applyEdits: (files) => applying.apply(files),
    },
  });
  const site = await createSite(settings, platform);
  const operatorConsole = createConsole(
    site,
    (shown, request) => render(request, { site: shown, ...NO_VISITOR }),
    new MoveIn(site.platform.contentDir, site.platform.content.files?.journal),
  );
  const jobs = createCommissionJobs(site);
  for (const job of jobs) job.start();
  // Where there is no console, the site responds in place of the thread.
  const declined = new WeakSet<Request>();
  const decline = async () => new Response(null, { status: 404 });
  const app = createApp(
    {
      ...site,
      routes: [],
      content: { read: () => NO_ADDRESSES, pageParameters: new Map() },
      visitors: { renderLimiter: UNLIMITED, crawlers: site.visitors.crawlers },
      async console(context) {
        const { env, req } = context;
        const response = await operatorConsole.respond(context, (consolePage, status, held) =>
          renderConsolePage(
            site,
            (request) => render(request, { site: held, ...env, consolePage }),
            env.requestId,
            status,
          ),
        );
        if (response === null) declined.add(req.raw);
        return response;
      },
    },
    { render: decline, submit: decline },
    { compress: compressResponse },
  );
  return {
    async respond(request, visitor) {
      const response = await app.fetch(request, visitor);
      return declined.has(request) ? null : response;
    },
    show(next) {
      shown = next;
    },
    close: () =>
      site.close(0, () => Promise.all([operatorConsole.close(), ...jobs.map((job) => job.stop())])),
  };
}

function createShownArticles(getShown: () => SiteSnapshot, accepting: AcceptedDeletions): Articles {
  const none = async () => null;
  const refuse = () => Promise.reject(new ArticleSourceError('failed', 'this thread reads no articles'));
  return {
    getSummaries: () => getShown().summaries,
    getUnpublished: () => getShown().unpublished,
    getHeldDeletions: () => getShown().held,
    acceptDeletions: () => accepting.accept(),
    list: refuse,
    search: refuse,
    get: refuse,
    preview: none,
    findMoved: none,
    findRelated: async () => [],
    readWarnings: () => [],
    readProblems: () => [],
    getCounts: () => ({ known: getShown().summaries.length, skipped: 0, failures: 0, lastSuccess: 0 }),
    onChange: () => undefined,
    runDueJobs: async () => undefined,
    prepareEdits: () => null,
    close: async () => undefined,
  };
}

/** Linux has a priority for each thread; other systems know no such file and treat all alike. */
function letVisitorsGoFirst(): void {
  try {
    const threadId = Number(path.basename(readlinkSync('/proc/thread-self')));
    setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without it the console only competes more.
  }
}

/** Null for a method such as TRACE that no request may have. */
function buildRequest(
  { url, method, headers }: SentRequest,
  body: ReadableStream<Uint8Array> | null,
): Request | null {
  try {
    // Without `duplex`, which the types do not know yet, a stream is refused.
    const init: RequestInit & { duplex: 'half' } = { method, headers, body, duplex: 'half' };
    return new Request(url, init);
  } catch {
    return null;
  }
}

async function packResponse(response: Response): Promise<SentResponse> {
  const { status, headers } = response;
  const hasLength = headers.has('content-length');
  return { status, headers: [...headers], body: hasLength ? await response.arrayBuffer() : response.body };
}

function reply(port: MessagePort, message: ConsoleThreadReply): void {
  port.postMessage(message, 'response' in message ? listMoved(message.response?.body ?? null) : []);
}

/** The site has the articles: it accepts their deletions, and says how many there were. */
class AcceptedDeletions {
  readonly #request: (id: number) => void;
  readonly #waiting = new Map<number, (count: number) => void>();
  #lastId = 0;

  constructor(request: (id: number) => void) {
    this.#request = request;
  }

  accept(): Promise<number> {
    const id = ++this.#lastId;
    this.#request(id);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  receive(id: number, count: number): void {
    this.#waiting.get(id)?.(count);
    this.#waiting.delete(id);
  }
}

/** The site shows the content: it applies the edits of operators, and says when that is done. */
class AppliedEdits {
  readonly #request: (id: number, files: readonly string[]) => void;
  readonly #waiting = new Map<number, () => void>();
  #lastId = 0;

  constructor(request: (id: number, files: readonly string[]) => void) {
    this.#request = request;
  }

  apply(files: readonly string[]): Promise<void> {
    const id = ++this.#lastId;
    this.#request(id, files);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  receive(id: number): void {
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
  }
}

/** Bodies of requests that are with another thread until they are read. */
class RequestedBodies {
  readonly #request: (id: number) => void;
  readonly #waiting = new Map<number, (body: ReadableStream<Uint8Array>) => void>();

  constructor(request: (id: number) => void) {
    this.#request = request;
  }

  /** Returns a stream that requests the body of a request when it is read first. */
  open(id: number): ReadableStream<Uint8Array> {
    let reader: Promise<ReadableStreamDefaultReader<Uint8Array>> | undefined;
    const begin = async () => {
      const received = new Promise<ReadableStream<Uint8Array>>((resolve) => this.#waiting.set(id, resolve));
      this.#request(id);
      return (await received).getReader();
    };
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      reader ??= begin();
      const { done, value } = await (await reader).read();
      if (done) controller.close();
      else controller.enqueue(value);
    };
    // Nothing is read ahead.
    return new ReadableStream({ pull }, { highWaterMark: 0 });
  }

  /** Takes the body of a request that was asked for. */
  receive(id: number, body: ReadableStream<Uint8Array>): void {
    this.#waiting.get(id)?.(body);
    this.#waiting.delete(id);
  }
}
