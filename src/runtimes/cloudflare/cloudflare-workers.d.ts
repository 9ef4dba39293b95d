/** The part of workerd's own module that the worker uses. */
declare module 'cloudflare:workers' {
  /** Keeps the worker running until a promise settles, also after the response of the request was sent. */
  export function waitUntil(promise: Promise<unknown>): void;
}
