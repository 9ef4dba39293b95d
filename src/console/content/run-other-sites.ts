import { JournalError } from '../../content-files/journal.ts';
import { acceptLink } from '../../server/outbound/link-watch.ts';
import type { Handlers, otherSiteActions } from '../actions.ts';
import { type ActionOutcome, buildFailure, type ConsoleSite } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { onForm, showForm } from './edit-file.ts';
import { testOutgoing } from './edit-notes.ts';
import { checkLinksNow } from './links.ts';

const LOCATION = buildConsoleAddress('content');

/** Accepts what other sites and systems have changed, and tests where a link to one leads. */
export const runOtherSites: Handlers<typeof otherSiteActions.actions> = {
  async 'accept-deletions'({ content }) {
    const count = await content.articles.acceptDeletions();
    if (count === 0) return buildFailure(LOCATION, 'No deletion is held back any more. Nothing was changed.');
    const subject = count === 1 ? 'The deletion of 1 article was' : `The deletions of ${count} articles were`;
    const message = `${subject} accepted. What the source still does not have is removed when it is read next.`;
    return { location: LOCATION, message, isError: false };
  },
  async 'accept-link'(site, { url }) {
    const record = await acceptLink(site.clock, site.content.links, url);
    const message =
      record === null
        ? 'The last check of the link has found nothing to accept. Correct its address, or watch.expect in the file of its partner.'
        : `Accepted: the link is right when it leads to ${record.result.finalHost}${record.result.finalPath}.`;
    const location = buildConsoleAddress('content', {}, { rest: ['links'] });
    return { location, message, isError: record === null };
  },
  'check-links': (site) => checkLinksNow(site),
  'finish-writing': async (site) => resolveHold(site, 'finish'),
  'undo-writing': async (site) => resolveHold(site, 'undo'),
  'test-destination': onForm(async (site, posted) => {
    const { parameters, viewer } = posted.request;
    const destination = parameters.get('destination') ?? '';
    const { message, isError } = await testOutgoing(site, posted.piece.text, destination, viewer);
    return { ...showForm(posted, 200, message), isError };
  }),
};

/** Finishes or undoes what another site has begun to write into the content folder. */
function resolveHold(site: ConsoleSite, choice: 'finish' | 'undo'): ActionOutcome {
  try {
    site.platform.content.files?.journal.resolve(choice);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return buildFailure(LOCATION, error.message);
  }
  const done = choice === 'finish' ? 'finished' : 'undone';
  return { location: LOCATION, message: `The change of the other site was ${done}.`, isError: false };
}
