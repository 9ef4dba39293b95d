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
  /** Returns the arrival at this page (`src/browser/shell/load-visit.ts`). */
  readArrival: () => import('../core/events/journey.ts').Arrival;
}
