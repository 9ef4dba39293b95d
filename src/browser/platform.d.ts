/** What browsers have and TypeScript's library does not list yet. */
interface Document {
  /** The page is being loaded ahead of a visit that may never come (Chromium). */
  readonly prerendering?: boolean;
}

interface Navigator {
  /** The visitor asks for privacy: https://w3c.github.io/gpc/ */
  readonly globalPrivacyControl?: boolean;
}

interface Window {
  /** Resolves with the first paint of the page (`src/browser/shell/after-paint.ts`). */
  painted?: Promise<unknown>;
}
