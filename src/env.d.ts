/// <reference types="astro/client" />

/** When the build was made, in ms since 1970. The build replaces the name by the number. */
declare const __BUILD_TIME__: number;

/** Changes with the sources of the build. */
declare const __SOURCE_STATE__: string;

/** See scripts/build/vite-plugins.ts. */
declare module 'virtual:beside-script' {
  /** `src/browser/events/beside-script.ts` as one script. */
  const text: string;
  export default text;
}

declare module 'virtual:script-names' {
  const names: import('./runtimes/astro/insert-styles.ts').ScriptNames;
  export default names;
}

declare namespace App {
  interface Locals {
    /** A snapshot of the site: edits that are applied meanwhile show with the next rendering. */
    readonly site: import('./server/site.ts').Site;
    readonly requestId: string;
    /** Address of the client after trusted proxy hops; empty for pages that are cached for every visitor. */
    readonly clientAddress: string;
    /** An authorized page of the operator's console, for its route alone. */
    readonly consolePage?: import('./console/console-page.ts').ConsolePage | undefined;
    /** In development alone. */
    readonly development?: import('./runtimes/astro/dev-middleware.ts').Development;
  }
}

declare namespace Astro {
  interface ClientDirectives {
    /** Hydrates the island when a visitor first uses it or an element marked `data-hydrates`. */
    'client:interaction'?: boolean;
  }
}
