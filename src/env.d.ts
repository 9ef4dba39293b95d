declare namespace App {
  interface Locals {
    readonly services: import('./server/services.ts').Services;
    readonly requestId: string;
  }
}

declare module 'astro' {
  interface AstroClientDirectives {
    /** Loads the island when a visitor first points at it, focuses it, or types in it. */
    'client:touch'?: boolean;
  }
}
