import { buildConsoleAddress } from '../../core/console/build-console-address.ts';
import type { ConsoleFrame } from '../../core/console/console-page.ts';

/** The link to the whole table as CSV, for the query on screen. Nothing where it cannot be exported. */
export function CsvLink({ frame }: { readonly frame: ConsoleFrame }) {
  if (frame.exportHref === null) return null;
  return <a href={buildConsoleAddress(frame.view, frame.query, { suffix: '.csv' })}>CSV</a>;
}
