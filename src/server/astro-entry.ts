import { createApp } from 'astro/app/entrypoint';

const app = createApp({ streaming: false });

/** Renders one request through Astro's routes and middleware. Never rejects for a page error: that is a 500 page. */
export function render(request: Request, locals: App.Locals): Promise<Response> {
  return app.render(request, { locals, addCookieHeader: true });
}
