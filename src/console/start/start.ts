import { JournalError } from '../../content-files/journal.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { LOOKS } from '../../core/pages/brand/brand.schema.ts';
import { MoveInError } from '../../move-in/former-item.ts';
import { findSample, startEmpty } from '../../move-in/sample.ts';
import type { Handlers, startActions } from '../actions.ts';
import { noteContentChange } from '../activity/note-activity.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { getMaxUploadMb } from '../import/uploads.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { isShipped, START_PATH } from './steps.ts';

/** Whether the content is what ships, which nobody has edited. */
export function isUntouched({ platform: { content, contentDir } }: ConsoleSite): boolean {
  return content.files !== null && findSample(contentDir)?.edited.length === 0;
}

/** Reads what there is to choose. */
export async function readStart(site: ConsoleSite, { viewer }: ViewRequest) {
  const { files } = site.platform.content;
  const { name, tagline: about, newProducts } = site.content.read().site;
  return {
    page: 'start' as const,
    canStart: isUntouched(site),
    /** What was said of a new site when it was created. */
    named: isShipped(site) ? null : { name, about, ...newProducts },
    canMoveIn: site.moveIn !== null && isAllowed(viewer, 'money'),
    hasSample: site.platform.sample !== undefined,
    /** Why nothing can be written; null when it can. */
    readOnly: files === null ? 'The content is part of the build.' : await files.findWriteProblem(),
    pages: site.content.read().pages.size,
    partners: site.content.read().partners.size,
    maxFileMb: getMaxUploadMb(site.platform.uploads).site,
  };
}

const done = (location: string, message: string, note = message): ActionOutcome => ({
  location,
  message,
  note,
  isError: false,
});
const fail = (message: string): ActionOutcome => ({ location: START_PATH, message, isError: true });

/** Begins a site in the running process. */
export const runStart: Handlers<typeof startActions.actions> = {
  async 'start-empty'(site, { name, about, kind, currency, ...chosen }, { viewer }) {
    const { content, contentDir } = site.platform;
    if (name === '' || about === '') return fail('A site needs a name, and what it is about.');
    if (!/^[A-Z]{3}$/i.test(currency)) return fail('The currency is a code of three letters, such as USD.');
    const look = LOOKS.find(({ key }) => key === chosen.look)?.key ?? 'signpost';
    if (content.files === null) return fail('The content is part of the build: nothing was changed.');
    const day = new Date(site.clock.now()).toISOString().slice(0, 10);
    try {
      const changed = startEmpty(
        contentDir,
        content.files.journal,
        { name, about, kind, currency: currency.toUpperCase(), look },
        day,
      );
      await site.sample.end(site);
      await site.money.ledger.writeReportingCurrency(currency.toUpperCase());
      // What shipped is no loss that somebody has to accept.
      await noteContentChange(site, viewer, changed, `Started ${name} without the sample.`);
      await site.content.articles.acceptDeletions();
    } catch (error) {
      if (!(error instanceof MoveInError || error instanceof JournalError)) throw error;
      return fail(error.message);
    }
    const location = buildConsoleAddress('content', {}, { rest: ['new'], extra: { kind: 'article' } });
    return done(
      location,
      `${name} is here: a front page, a blog, and the legal pages. Now write its first piece.`,
      '',
    );
  },
  async 'start-sample'(site) {
    const { sample } = site.platform;
    if (sample === undefined) return fail('There is no sample here.');
    if (!sample.isMade()) await sample.make();
    return done(
      buildConsoleAddress('overview'),
      'This is the sample. Nothing that you do in it reaches readers.',
    );
  },
  async 'end-sample'(site) {
    await site.sample.end(site);
    return done(START_PATH, 'The sample has ended. Every figure from now on is yours.');
  },
};
