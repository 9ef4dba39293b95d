import { hasDrafts, Piece } from '../../content-files/edit/piece.ts';
import { isOfKind } from '../../content-files/kinds.ts';
import { isNetworkFile, NETWORK_REFUSED } from '../../content-files/networks.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { type ConsoleViewer, isAllowed } from '../../core/console/capabilities.ts';

/** Why content that is part of the build cannot be changed in the console. */
export const READ_ONLY_BUILD =
  'This site runs where its content is part of the build, so it cannot be changed here. ' +
  'Edit the files of the project, then build and deploy it with “signpost edge deploy”.';

/**
 * Why an operator may not change a file, as a sentence; null when it is allowed. `texts` are those of the file before
 * and after the change, as far as there is one: a change of anything but drafts is seen by visitors.
 */
export function findPublishProblem(
  viewer: ConsoleViewer,
  file: string,
  texts: readonly string[],
): string | null {
  if (!isAllowed(viewer, 'content'))
    return 'You may look at content, but not edit it. An operator who manages can allow it in Settings.';
  // A partner that goes to another network is read, and its messages are checked, by another file.
  const pieces = texts.map((text) => new Piece(file, text));
  const isMoved = isOfKind(file, 'partner') && new Set(pieces.map(readNetwork)).size > 1;
  if ((isNetworkFile(file) || isMoved) && !(isAllowed(viewer, 'manage') && isAllowed(viewer, 'money')))
    return NETWORK_REFUSED;
  if (isAllowed(viewer, 'publish') || pieces.every(({ isDraft }) => isDraft)) return null;
  return hasDrafts(file)
    ? 'You may edit drafts, but visitors see this or will see it at its time. ' +
        'Set draft to true in a new file, or ask an operator who may publish.'
    : `You may edit drafts, but content/${file} applies to what visitors see. Ask an operator who may publish.`;
}

const readNetwork = ({ values }: Piece) => String(values?.['network'] ?? DEFAULT_TERMS.network);

/** Whether an operator may change the files of networks now: the password was given too. */
export const mayWriteNetworks = (viewer: ConsoleViewer): boolean =>
  viewer.kind === 'operator' &&
  viewer.isConfirmed === true &&
  isAllowed(viewer, 'manage') &&
  isAllowed(viewer, 'money');
