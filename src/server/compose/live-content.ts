import type { Content } from '../../core/pages/content.ts';

/** The content that is shown, which a valid edit replaces as a whole. */
export interface LiveContent {
  /** Reads from the present content: keep this object, not its fields. A copy of it is a snapshot. */
  readonly content: Content;
  replace(next: Content): void;
}

/** Creates the content that is shown from the content of the start. */
export function createLiveContent(initial: Content): LiveContent {
  let current = initial;
  const content: Content = {
    get site() {
      return current.site;
    },
    get partners() {
      return current.partners;
    },
    get authors() {
      return current.authors;
    },
    get brand() {
      return current.brand;
    },
    get claims() {
      return current.claims;
    },
    get plans() {
      return current.plans;
    },
    get figures() {
      return current.figures;
    },
    get assessment() {
      return current.assessment;
    },
    get images() {
      return current.images;
    },
    get pages() {
      return current.pages;
    },
  };
  return {
    content,
    replace(next) {
      current = next;
    },
  };
}
