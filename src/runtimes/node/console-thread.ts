import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Console, createConsole } from '../../console/console.ts';
import { createConsoleResponder } from '../../console/http.ts';
import { ArticleSourceError } from '../../core/articles/article-source.ts';
import { onProgress } from '../../core/clock.ts';
import { nameContentFiles } from '../../core/paths.ts';
import { MoveInThread } from '../../move-in/move-in-thread.ts';
import { createApp } from '../../server/app.ts';
import type { Articles } from '../../server/articles/articles.ts';
import type { Visitor } from '../../server/http/route.ts';
import { createLog } from '../../server/log.ts';
import { addTypedSettings, parseSettings } from '../../server/settings.ts';
import { createCommissionJobs, createSite, type Site } from '../../server/site.ts';
import { pageHashes, render } from '../astro/render.ts';
import {
  type ConsoleThreadMessage,
  type ConsoleThreadReply,
  type ConsoleThreadStart,
  listMoved,
  type SentRequest,
  type SentResponse,
  type SiteSnapshot,
} from './console-thread-client.ts';
import { createNodePlatform } from './node-platform.ts';
import { compressResponse } from './stored-response.ts';
import { spareForImport } from './v8-flags.mjs';

/** A thread that works gives a sign so often. */
const BEAT_MS = 1_000;

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
  const start: ConsoleThreadStart = workerData;
  const live = () => void Atomics.add(start.beat, 0, 1);
  setInterval(live, BEAT_MS).unref();
  onProgress(live);
  const deletions: Deletions = new Questions((id) => reply(port, { id, accepts: 'deletions' }));
  const edits: Edits = new Questions((id, files) => reply(port, { id, edits: files }));
  const bodies: Bodies = new Questions((id, request) => reply(port, { id, bodyOf: request }));
  const opening = openThreadConsole(start, deletions, edits, () => reply(port, { settings: 'typed' }));
  const respond = async (id: number, sent: SentRequest) => {
    const request = buildRequest(sent, sent.hasBody ? openBody(bodies, id) : null);
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
    else if (kind === 'accepted') deletions.receive(message.id, message.count);
    else if (kind === 'applied') edits.receive(message.id, null);
    else {
      const { id } = message;
      const work = kind === 'close' ? close() : respond(id, message.request);
      void work.then((response) => reply(port, { id, response }));
    }
  });
}

/** The site has the articles: it accepts their deletions, and says how many there were. */
type Deletions = Questions<null, number>;
/** The site shows the content: it applies the edits of files, and says when that is done. */
type Edits = Questions<readonly string[], null>;
/** The site has the body of a request, by the number of the request. */
type Bodies = Questions<number, ReadableStream<Uint8Array>>;

/**
 * Opens the console over what the site shows, which `show` takes over; `respond` resolves with null for an address that
 * the console does not have.
 */
async function openThreadConsole(
  start: ConsoleThreadStart,
  deletions: Deletions,
  edits: Edits,
  tellSettings: () => void,
) {
  const settings = parseSettings(addTypedSettings(process.env));
  const log = createLog(
    (line) => process.stderr.write(line),
    Date.now,
    (text) => nameContentFiles(text, settings.CONTENT_DIR),
  );
  let shown = start.site;
  const platform = createNodePlatform(settings, log, pageHashes, {
    imageManifest: path.resolve(import.meta.dirname, '../images.json'),
    buildTime: __BUILD_TIME__,
    isConsoleThread: true,
    knownFiles: start.known,
    tellSettings,
    shown: {
      read: () => shown.content,
      articles: createShownArticles(() => shown, deletions),
      readWarnings: () => shown.warnings,
      onChange: () => undefined,
      refreshPrices: () => undefined,
      applyEdits: async (files) => void (await edits.ask(files)),
    },
  });
  const site = await createSite(settings, platform);
  site.dataHealth.note(shown.noted);
  const operatorConsole = createConsole(
    site,
    (shown, request) => render(request, { site: shown, ...NO_VISITOR }),
    new MoveInThread(
      site.platform.contentDir,
      path.resolve(settings.DATA_DIR),
      spareForImport,
      undefined,
      settings.TEST_HOSTS,
    ),
  );
  const jobs = createCommissionJobs(site);
  for (const job of jobs) job.start();
  return {
    respond: createResponder(site, operatorConsole),
    show(next: SiteSnapshot) {
      shown = next;
      site.dataHealth.note(next.noted);
    },
    close: () =>
      site.close(0, () => Promise.all([operatorConsole.close(), ...jobs.map((job) => job.stop())])),
  };
}

/** Creates the function that responds to a request for the console, with null where the console has no page. */
function createResponder(site: Site, operatorConsole: Console) {
  const respond = createConsoleResponder(site, operatorConsole, render);
  const declined = new WeakSet<Request>();
  const decline = async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) });
  const app = createApp(
    {
      ...site,
      routes: [],
      content: { read: () => NO_ADDRESSES, pageParameters: new Map() },
      visitors: { renderLimiter: UNLIMITED, crawlers: site.visitors.crawlers },
      async console(context) {
        const response = await respond(context);
        if (response === null) declined.add(context.req.raw);
        return response;
      },
    },
    { render: decline, submit: decline },
    { compress: compressResponse },
  );
  return async (request: Request, visitor: Visitor) => {
    const response = await app.fetch(request, visitor);
    return declined.has(request) ? null : response;
  };
}

function createShownArticles(getShown: () => SiteSnapshot, deletions: Deletions): Articles {
  const none = async () => null;
  const refuse = () => Promise.reject(new ArticleSourceError('failed', 'this thread reads no articles'));
  return {
    getSummaries: () => getShown().summaries,
    getUnpublished: () => getShown().unpublished,
    getHeldDeletions: () => getShown().held,
    acceptDeletions: () => deletions.ask(null),
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

/** What the thread asks of the site, one kind of question each, until the site has replied. */
class Questions<Question, Reply> {
  readonly #post: (id: number, question: Question) => void;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #lastId = 0;

  constructor(post: (id: number, question: Question) => void) {
    this.#post = post;
  }

  ask(question: Question): Promise<Reply> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#post(id, question);
    });
  }

  receive(id: number, reply: Reply): void {
    this.#waiting.get(id)?.(reply);
    this.#waiting.delete(id);
  }
}

/** The body of a request that is with another thread until it is read; nothing is read ahead. */
function openBody(bodies: Bodies, request: number): ReadableStream<Uint8Array> {
  const read = async function* () {
    yield* await bodies.ask(request);
  };
  const chunks = read();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = await chunks.next();
    if (done === true) controller.close();
    else controller.enqueue(value);
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
