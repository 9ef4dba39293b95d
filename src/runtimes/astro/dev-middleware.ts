import { defineMiddleware } from 'astro:middleware';
import { createApp } from '../../server/app.ts';
import { createLog } from '../../server/log.ts';
import type { Services } from '../../server/services.ts';
import { parseSettings } from '../../server/settings.ts';
import { composeNode } from '../node/compose-node.ts';
import { DEV_IMAGE_MANIFEST } from './dev-image-manifest.ts';

let composed: Promise<Services> | undefined;

/**
 * In production `server/node` runs the application in front of Astro. In development Astro's own server is in front, so
 * the application runs here: services are composed once, and the content is read again for every request, so that an
 * edit shows at once.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  composed ??= composeNode(
    parseSettings(process.env),
    createLog((line) => process.stderr.write(line), Date.now),
    { scripts: [], styles: new Set() },
    { imageManifest: DEV_IMAGE_MANIFEST, reload: true },
  );
  const composedServices = await composed;
  const services = { ...composedServices, content: composedServices.readContent() };
  const visitor = { requestId: 'development', clientAddress: context.clientAddress };
  Object.assign(context.locals, { services, ...visitor });
  const app = createApp(services, {
    render: () => next(),
    submit: () => next(),
    renderConsole: (consolePage) => {
      Object.assign(context.locals, { consolePage });
      return next();
    },
  });
  return app.fetch(context.request, visitor);
});
