import { buildAddress, buildConsolePath } from '../../core/paths.ts';
import type { Handlers, messageActions } from '../actions.ts';
import type { ActionOutcome, ViewRequest } from '../console-site.ts';
import { parseState } from './read.ts';

function finish({ parameters }: ViewRequest, isKnown: boolean, message: string): ActionOutcome {
  const location = buildAddress(buildConsolePath('messages'), {
    state: parseState(parameters.get('state')) ?? undefined,
    p: parameters.get('p') ?? undefined,
  });
  return isKnown
    ? { location, message, isError: false }
    : { location, message: 'There is no such message. Nothing was changed.', isError: true };
}

/** Marks and deletes messages. */
export const runMessages: Handlers<typeof messageActions.actions> = {
  'mark-message': async ({ clock, visitors: { messages } }, { id, state }, request) =>
    finish(request, await messages.setState(id, state, clock.now()), `The message is marked as ${state}.`),
  'delete-message': async ({ visitors: { messages } }, { id }, request) =>
    finish(request, await messages.remove(id), 'The message was deleted.'),
};
