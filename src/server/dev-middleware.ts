import { defineMiddleware } from 'astro:middleware';
import { composeNode } from './compose-node.ts';
import { parseConfig } from './config.ts';
import { buildResponse, createWebCall } from './http/web-call.ts';
import { createLog } from './log.ts';
import type { Services } from './services.ts';

let composed: Promise<Services> | undefined;

/**
 * In production the front server hands the services down with each request. In development nobody does:
 * they are composed here once, and the content is read again for every page, so that an edit shows at once.
 * API handlers, which the front server calls ahead of Astro, are called here too.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  composed ??= composeNode(
    parseConfig(process.env),
    createLog((line) => process.stderr.write(line), Date.now),
    { reload: true },
  );
  const services = await composed;
  const handler = services.findHandler(context.url.pathname);
  if (handler) {
    const { clientAddress } = context;
    return buildResponse(
      await handler(createWebCall(context.request, { clientAddress, requestId: 'development' })),
    );
  }
  Object.assign(context.locals, {
    services: { ...services, content: services.readContent() },
    requestId: 'development',
  });
  return next();
});
