import { checkRuleText } from '../../content-files/check-rules.ts';
import { hasDrafts, hasGap, isDraft, isShown, readValues } from '../../content-files/edit/plan-state.ts';
import { isNetworkFile, NETWORK_REFUSED } from '../../content-files/networks.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { type ConsoleViewer, isAllowed } from '../../core/console/capabilities.ts';
import { hasPlaceholderCode } from '../../core/outbound/partner.ts';
import { listUsingFiles } from '../../core/pages/content-uses.ts';
import type { ConsoleSite } from '../console-site.ts';
import { readPlanTime } from './written-files.ts';

/** Why content that is part of the build cannot be changed in the console. */
export const READ_ONLY_BUILD =
  'This site runs where its content is part of the build, so it cannot be changed here. ' +
  'Edit the files of the project, then build and deploy it with “npm run edge -- deploy”.';

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
  const isMoved =
    file.startsWith('partners/') && new Set(texts.map((text) => readNetwork(file, text))).size > 1;
  if ((isNetworkFile(file) || isMoved) && !(isAllowed(viewer, 'manage') && isAllowed(viewer, 'money')))
    return NETWORK_REFUSED;
  if (isAllowed(viewer, 'publish') || texts.every((text) => isDraft(file, text))) return null;
  return hasDrafts(file)
    ? 'You may edit drafts, but visitors see this or will see it at its time. ' +
        'Set draft to true in a new file, or ask an operator who may publish.'
    : `You may edit drafts, but content/${file} applies to what visitors see. Ask an operator who may publish.`;
}

const readNetwork = (file: string, text: string) =>
  String(readValues(file, text)?.['network'] ?? DEFAULT_TERMS.network);

/** Whether an operator may change the files of networks now: the password was given too. */
export const mayWriteNetworks = (viewer: ConsoleViewer): boolean =>
  viewer.kind === 'operator' &&
  viewer.isConfirmed === true &&
  isAllowed(viewer, 'manage') &&
  isAllowed(viewer, 'money');

/**
 * Why a text may not be published or scheduled, as a sentence; null when it may, and for a draft. `before` is the text that
 * it replaces, null without one: what visitors read there already keeps nothing else from being saved.
 */
export function findUnpublishable(
  site: ConsoleSite,
  file: string,
  before: string | null,
  text: string,
): string | null {
  if (!hasDrafts(file) || isDraft(file, text)) return null;
  const isPublic = before !== null && isShown(file, before, readPlanTime(site));
  const known = isPublic ? listFaults(site, file, before).map(({ key }) => key) : [];
  for (const { key, sentence } of listFaults(site, file, text)) {
    const index = known.indexOf(key);
    if (index === -1) return sentence;
    known.splice(index, 1);
  }
  return null;
}

/**
 * What keeps a text from being published: links that nobody is paid for, what is to come, what a rule does not allow. `key`
 * is that of the same fault wherever it stands in the text.
 */
function listFaults({ content, settings, clock }: ConsoleSite, file: string, text: string) {
  const shown = content.read();
  const unpaid = [...shown.partners.values()]
    .filter(
      (one) => hasPlaceholderCode(one) && listUsingFiles('partner', one.key, [{ file, text }]).length > 0,
    )
    .map(({ key, name, affiliate }) => ({
      key: `partner ${key}`,
      sentence:
        `Its links to ${name} carry the placeholder “${affiliate?.value}” instead of your code: ` +
        'write it in the partner’s form first.',
    }));
  const gaps = hasGap(file, text) ? text.matchAll(/\bTK\b/g) : [];
  const sentence = 'A “TK” is left in the text, which stands for what is to come.';
  const rules = checkRuleText(file, text, shown, { siteUrl: settings.siteUrl, now: clock.now() })
    .filter(({ isError }) => isError)
    .map(({ finding, text: found }) => ({
      key: `${finding.rule} ${finding.message}`,
      sentence: `${found}. Correct it, or add it to “allow” with a reason.`,
    }));
  return [...unpaid, ...Array.from(gaps, () => ({ key: 'TK', sentence })), ...rules];
}
