/** What browsers have and TypeScript's library does not list yet. */
interface Document {
  /** The page is being loaded ahead of a visit that may never come (Chromium). */
  readonly prerendering?: boolean;
}

interface Navigator {
  /** The visitor asks for privacy: https://w3c.github.io/gpc/ */
  readonly globalPrivacyControl?: boolean;
}

/** What the script in the page (`src/browser/shell/load-visit.ts`) tells the other scripts. */
interface Window {
  /** Returns the arrival at this page. */
  readArrival: () => import('../core/events/journey.ts').Arrival;
  /** In storage-free mode, what stands for the browser's storage: it lives as long as the page. */
  held: Record<'local' | 'session', Record<string, string>> | undefined;
  /** What the link to this page carried of a visit without storage. */
  readonly carried: string | undefined;
  /** What the visitor has chosen; only where a record of visits is asked for. */
  choice?: string;
  /** The view that a page has reported when it was left early, until it is reported again. */
  leftView?: { readonly id: string };
  /** How the page follows its visit; replaced when the visitor agrees to a record, or deletes it. */
  visit?: import('./events/follow-visit.ts').FollowedVisit;
  /** Resolves when `held` is as the visitor's region asks; only where a proxy names regions. */
  regionKnown?: Promise<unknown>;
  /** Builds the query of a click that is counted past the redirect, in storage-free mode. */
  readVisitQuery?: () => string;
}
