import { parsePathText } from '../text/parse-text.ts';
import type { ShownPage } from './journey.ts';

export interface Arrival extends ShownPage {
  /** The query of the URL. */
  readonly query: string;
  /** A reload or Back shows a URL again, which is not another arrival. */
  readonly isShownAgain: boolean;
}

/** Parses the pages that were left before they could be reported, from the stored journey record. */
export function parseLeftPages(record: unknown): readonly Arrival[] {
  const { left } = Object(record);
  return [left].flat().filter((page) => page?.now > 0 && parsePathText(page.path));
}
