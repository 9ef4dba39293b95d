import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createApp } from '../app.ts';
import { pageHashes, render } from '../astro/render.ts';
import { openNodeBackOffice } from '../compose/node-back-office.ts';
import { parseConfig } from '../config.ts';
import { createPages } from '../http/pages.ts';
import { createLog } from '../log.ts';
import {
  listMoved,
  type OfficeMessage,
  type OfficeReply,
  type SentRequest,
  type SentResponse,
} from './back-office-messages.ts';
import { compressResponse } from './stored-response.ts';

/** What the thread responds where there is no console: the site responds in its place. */
const NO_CONSOLE = new Response(null, { status: 404 });

/** Only the site responds to visitors, and limits them. */
const UNLIMITED = { take: () => 0 };

/** The program of the thread in which the back office runs. The site posts `OfficeMessage`s to it. */
export function runBackOffice(): void {
  const port = parentPort;
  if (port === null) throw new Error('the back office runs in a thread of the site');
  letVisitorsGoFirst();
  const config = parseConfig(process.env);
  const log = createLog((line) => process.stderr.write(line), Date.now);
  const office = openNodeBackOffice(config, log, pageHashes, workerData, {
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
    siteUrl: config.siteUrl,
    siteOrigin: null,
  });
  const app = createApp(
    {
      routes: [],
      console: office,
      content: { site: { aliases: {} } },
      pageParameters: new Map(),
      security,
      renderLimiter: UNLIMITED,
      log,
    },
    { ...pages, render: async () => NO_CONSOLE, submit: async () => NO_CONSOLE },
    { compress: compressResponse },
  );
  const respond = async (sent: SentRequest) => {
    const request = buildRequest(sent);
    const response = request === null ? NO_CONSOLE : await app.fetch(request, sent.visitor);
    return response === NO_CONSOLE ? null : packResponse(response);
  };
  port.on('message', (message: OfficeMessage) => {
    if (message.kind === 'site') office.show(message.site);
    else if (message.kind === 'close')
      void office.close().finally(() => reply(port, { id: message.id, response: null }));
    else void respond(message.request).then((response) => reply(port, { id: message.id, response }));
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
function buildRequest({ url, method, headers, body }: SentRequest): Request | null {
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
  port.postMessage(message, listMoved(message.response?.body ?? null));
}
