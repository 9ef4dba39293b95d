declare namespace App {
  interface Locals {
    readonly services: import('./server/services.ts').Services;
    readonly requestId: string;
  }
}
