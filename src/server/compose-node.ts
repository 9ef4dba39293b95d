import { readContent } from '../adapters/content/read-content.ts';
import { createHealthHandler, createReadyHandler } from './api/health.ts';
import { createArticles } from './compose-articles.ts';
import type { Config } from './config.ts';
import type { HttpHandler } from './http/message.ts';
import type { Services } from './services.ts';

/** Puts the process together: files, SQLite, clock. Throws what the parts throw (`ContentError`, …). */
export async function composeNode(config: Config): Promise<Services> {
  const readProblems = async (): Promise<readonly string[]> => [];
  const handlers = new Map<string, HttpHandler>([
    ['/healthz', createHealthHandler()],
    ['/readyz', createReadyHandler(readProblems)],
  ]);
  const content = readContent(config.CONTENT_DIR);
  return {
    config,
    content,
    articles: createArticles({
      config,
      content,
      clock: { now: Date.now, monotonic: () => performance.now() },
    }),
    readContent: () => readContent(config.CONTENT_DIR),
    findHandler: (path) => handlers.get(path),
    policyOpenings: null,
    readProblems,
    close: async () => {},
  };
}
