declare namespace App {
  interface Locals {
    readonly services: import('./server/services.ts').Services;
    readonly requestId: string;
  }
}

declare namespace Astro {
  interface ClientDirectives {
    /** Loads the island when a visitor first points at it, focuses it, or types in it. */
    'client:touch'?: boolean;
  }
}
