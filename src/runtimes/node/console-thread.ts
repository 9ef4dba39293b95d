import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { BackOffice } from '../../console/back-office.ts';
import { createBackOffice } from '../../console/create-back-office.ts';
import { listPartnerPaths } from '../../core/outbound/partner.ts';
import type { Content } from '../../core/pages/content.ts';
import { buildSpeculationRules } from '../../core/seo/site-files.ts';
import { createApp } from '../../server/app.ts';
import { createCommissions } from '../../server/commissions/commissions.ts';
import { createEventReaders, TrustedTime } from '../../server/events/events.ts';
import type { PageHashes, SecurityHeaders } from '../../server/http/security-headers.ts';
import { createLog, type Log } from '../../server/log.ts';
import { createLiveContent } from '../../server/pages/content-reload.ts';
import { createPages } from '../../server/pages/pages.ts';
import { parseSettings, type Settings } from '../../server/settings.ts';
import { createSiteSecurity } from '../../server/site-security.ts';
import { pageHashes, render } from '../astro/render.ts';
import {
  listMoved,
  type OfficeMessage,
  type OfficeReply,
  type SentRequest,
  type SentResponse,
  type SiteSnapshot,
} from './console-thread-client.ts';
import { createNodePlatform, type NodeOptions } from './node-platform.ts';
import { compressResponse } from './stored-response.ts';

/** Only the site responds to visitors, and limits them. */
const UNLIMITED = { take: () => 0 };

/** The program of the thread in which the back office runs. The site posts `OfficeMessage`s to it. */
export function runBackOffice(): void {
  const port = parentPort;
  if (port === null) throw new Error('the back office runs in a thread of the site');
  letVisitorsGoFirst();
  const settings = parseSettings(process.env);
  const log = createLog((line) => process.stderr.write(line), Date.now);
  const office = openNodeBackOffice(settings, log, pageHashes, workerData, {
    imageManifest: path.resolve(import.meta.dirname, '../images.json'),
    buildTime: __BUILD_TIME__,
    isBackOffice: true,
  });
  const { content, security } = office;
  const pages = createPages({
    render: (request, visitor, consolePage) =>
      render(request, { services: { content }, ...visitor, consolePage }),
    ...{ security, log },
    limiter: UNLIMITED,
    siteUrl: settings.siteUrl,
    siteOrigin: null,
  });
  // Where there is no console, the site responds in place of the thread.
  const declined = new WeakSet<Request>();
  const decline = async () => new Response(null, { status: 404 });
  const app = createApp(
    {
      routes: [],
      console: {
        async respond(context, render) {
          const response = await office.respond(context, render);
          if (response === null) declined.add(context.req.raw);
          return response;
        },
      },
      content: { site: { aliases: {} } },
      pageParameters: new Map(),
      security,
      renderLimiter: UNLIMITED,
      log,
    },
    { ...pages, render: decline, submit: decline },
    { compress: compressResponse },
  );
  const bodies = new RequestedBodies((id) => reply(port, { id, needs: 'body' }));
  const respond = async (id: number, sent: SentRequest) => {
    const request = buildRequest(sent, sent.hasBody ? bodies.open(id) : null);
    if (request === null) return null;
    const response = await app.fetch(request, sent.visitor);
    return declined.has(request) ? null : packResponse(response);
  };
  port.on('message', (message: OfficeMessage) => {
    const { kind } = message;
    if (kind === 'site') office.show(message.site);
    else if (kind === 'body') bodies.receive(message.id, message.body);
    else {
      const { id } = message;
      const work = kind === 'close' ? office.close().then(() => null) : respond(id, message.request);
      void work.then((response) => reply(port, { id, response }));
    }
  });
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

function reply(port: MessagePort, message: OfficeReply): void {
  port.postMessage(message, 'response' in message ? listMoved(message.response?.body ?? null) : []);
}

/** Bodies of requests that are with another thread until they are read. */
export class RequestedBodies {
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

/** The back office in its own thread. */
interface NodeBackOffice extends Pick<BackOffice, 'respond' | 'close'> {
  /** What was shown last. */
  readonly content: Content;
  readonly security: SecurityHeaders;
  /** Takes over what the site shows now. */
  show(site: SiteSnapshot): void;
}

/** Opens the back office over connections of its own to the databases of the site. */
export function openNodeBackOffice(
  settings: Settings,
  log: Log,
  pageHashes: PageHashes,
  initial: SiteSnapshot,
  options: NodeOptions,
): NodeBackOffice {
  const live = createLiveContent(initial.content);
  const { content } = live;
  let site = initial;
  const platform = createNodePlatform(settings, log, options);
  const { executor, store } = platform.openEvents();
  const events = createEventReaders(executor, new TrustedTime(store, platform.clock), settings.TIME_ZONE);
  const { readTrustedTime } = events;
  const shared = { settings, content, platform, log };
  const commissions = createCommissions({ ...shared, events: executor, readTrustedTime, runsJobs: true });
  const office = createBackOffice({
    ...{ ...shared, events, commissions },
    articles: { getSummaries: () => site.summaries, getUnpublished: () => site.unpublished },
    readContentWarnings: () => site.warnings,
  });
  const speculationRules = buildSpeculationRules(listPartnerPaths(content.partners));
  return {
    respond: office.respond,
    content,
    security: createSiteSecurity(settings, pageHashes, speculationRules),
    show(next) {
      live.replace(next.content);
      site = next;
    },
    async close() {
      await Promise.all([office.close(), commissions.close()]);
      await store.close();
    },
  };
}
