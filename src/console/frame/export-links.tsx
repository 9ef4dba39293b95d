import type { ConsoleFrame } from '../console-page.ts';
import { buildConsoleAddress } from '../figures/build-console-address.ts';

/** The link to the whole table as CSV, for the query on screen. Nothing where it cannot be exported. */
export function CsvLink({ frame }: { readonly frame: ConsoleFrame }) {
  if (frame.exportHref === null) return null;
  const isShared = frame.viewer.kind === 'share';
  const href = buildConsoleAddress(frame.view, frame.query, { suffix: '.csv' });
  return <a href={isShared ? frame.exportHref : href}>CSV</a>;
}

/** The same link for a view with parameters beyond the query: it keeps all parameters of the address. */
export function AddressCsvLink({
  frame: { exportHref, parameters },
}: {
  readonly frame: Pick<ConsoleFrame, 'exportHref' | 'parameters'>;
}) {
  return exportHref !== null && <a href={`${exportHref}${parameters && `?${parameters}`}`}>CSV</a>;
}
