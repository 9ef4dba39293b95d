import type { WrittenFields } from '../../content-files/edit/plan-form.ts';
import { JournalError } from '../../content-files/journal.ts';
import { acceptLink } from '../../server/outbound/link-watch.ts';
import type { contentActions, Handlers } from '../actions.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import {
  type AskedChange,
  changeAddress,
  changeContentFile,
  readFileChoices,
  readFileState,
} from './edit-file.ts';
import { changeImages } from './images.ts';
import { createPiece } from './pieces.ts';

/** Hands the form of a file over with what its button asks for. */
const file =
  (build: (fields: WrittenFields, request: ViewRequest) => AskedChange) =>
  (site: ConsoleSite, fields: WrittenFields, request: ViewRequest) =>
    changeContentFile(site, fields, request, build(fields, request));
const plain = (kind: Exclude<AskedChange['kind'], 'overwrite' | 'restore' | 'test' | 'list'>) =>
  file(() => ({ kind }));
/** `item` and `to` of its address say what a button moves, copies, removes or adds. */
const list = (kind: 'move' | 'copy' | 'remove' | 'add') =>
  file((_, { parameters }) => {
    const [item, to] = [parameters.get('item') ?? '', parameters.get('to')];
    const isPosition = to !== null && /^\d{1,5}$/.test(to);
    return { kind: 'list', operation: { kind, item, to: isPosition ? Number(to) : undefined } };
  });

const LOCATION = buildConsoleAddress('content');

/** Changes the content, its images, and what is accepted of the source and of other sites. */
export const runContent: Handlers<typeof contentActions.actions> = {
  async 'accept-deletions'({ content }) {
    const count = await content.articles.acceptDeletions();
    if (count === 0)
      return {
        location: LOCATION,
        message: 'No deletion is held back any more. Nothing was changed.',
        isError: true,
      };
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
    return { location: `${LOCATION}#links`, message, isError: record === null };
  },
  'finish-writing': async (site) => resolveHold(site, 'finish'),
  'undo-writing': async (site) => resolveHold(site, 'undo'),
  'add-image': (site, fields, request) => changeImages(site, 'add-image', fields, request),
  'replace-image': (site, fields, request) => changeImages(site, 'replace-image', fields, request),
  'remove-image': (site, fields, request) => changeImages(site, 'remove-image', fields, request),
  'describe-image': (site, fields, request) => changeImages(site, 'describe-image', fields, request),
  create: (site, fields, { viewer }) => createPiece(site, fields, viewer),
  save: plain('save'),
  overwrite: file(({ current = '' }) => ({ kind: 'overwrite', replaced: current })),
  restore: file(({ version }) => ({ kind: 'restore', version: Number(version) })),
  publish: plain('publish'),
  schedule: plain('schedule'),
  'take-down': plain('take-down'),
  duplicate: plain('duplicate'),
  rename: (site, fields, request) => changeAddress(site, fields, request, 'rename'),
  'take-down-page': (site, fields, request) => changeAddress(site, fields, request, 'take-down'),
  remove: (site, fields, request) => changeAddress(site, fields, request, 'remove'),
  check: plain('check'),
  preview: plain('preview'),
  open: plain('open'),
  compare: plain('compare'),
  state: (site, _, { rest }) => readFileState(site, rest.join('/')),
  choices: readFileChoices,
  'move-item': list('move'),
  'copy-item': list('copy'),
  'remove-item': list('remove'),
  'add-item': list('add'),
  'test-destination': file((_, { parameters }) => ({
    kind: 'test',
    destination: parameters.get('destination') ?? '',
  })),
};

/** Finishes or undoes what another site has begun to write into the content folder. */
function resolveHold(site: ConsoleSite, choice: 'finish' | 'undo'): ActionOutcome {
  const location = LOCATION;
  try {
    site.platform.content.files?.journal.resolve(choice);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return { location, message: error.message, isError: true };
  }
  const done = choice === 'finish' ? 'finished' : 'undone';
  return { location, message: `The change of the other site was ${done}.`, isError: false };
}
