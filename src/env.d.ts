/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    readonly services: import('./server/services.ts').Services;
    readonly requestId: string;
  }
}

declare namespace Astro {
  interface ClientDirectives {
    /** Loads the island when a visitor first touches it, or, given a selector, one of the elements it names. */
    'client:touch'?: boolean | string;
  }
}
