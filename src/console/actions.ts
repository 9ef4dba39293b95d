import { z } from 'zod';
import type { ConsoleViewKey } from '../core/console/console-view.ts';
import type { Capability } from '../core/console/operator.ts';
import { MESSAGE_STATES } from '../core/contact/contact-message.ts';
import type { ActivitySubject } from '../stores/activity.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from './console-site.ts';
import type { ShownDraft } from './content/edit-file.ts';

/** What is asked for with the password again, unless that or the sign-in was in the last hours, or in the last minutes. */
interface Confirmation {
  readonly purpose: string;
  readonly within: 'hours' | 'minutes';
}

/** A form of the console. */
export interface FormAction {
  /**
   * Whom it is taken from. `by state`: from operators who may edit content; its handler refuses what visitors see to those
   * who may not publish.
   */
  readonly needs: 'every operator' | 'by state' | readonly Capability[];
  readonly confirm: Confirmation | null;
  readonly fields: z.ZodObject;
}

/** What a form did: see `ActionOutcome`; or it is shown again, or answered by data. */
export type ActionResult = ActionOutcome | ShownDraft | Response;

type Actions = Readonly<Record<string, FormAction>>;

/** What each action does with the fields of its form. */
export type Handlers<A extends Actions> = {
  readonly [Name in keyof A]: (
    site: ConsoleSite,
    fields: z.output<A[Name]['fields']>,
    request: ViewRequest,
  ) => Promise<ActionResult>;
};

/** The forms of a view, with the subject under which the log of changes has them. */
export interface ActionGroup<A extends Actions = Actions> {
  readonly view: ConsoleViewKey;
  readonly subject: ActivitySubject;
  readonly actions: A;
}

const declare = <const A extends Actions>(
  view: ConsoleViewKey,
  subject: ActivitySubject,
  actions: A,
): ActionGroup<A> => ({ view, subject, actions });

/** All values of a field, none when it is missing. */
const values = z.array(z.union([z.string(), z.instanceof(File)]));
/** The text of a field without the spaces around it, at most `max` characters; empty when it is missing or a file. */
const text = (max = 2_000) =>
  values.transform(([value]) => (typeof value === 'string' ? value.trim().slice(0, max) : ''));
const oneOf = <const T extends readonly [string, ...string[]]>(choices: T) => text().pipe(z.enum(choices));

/** The tasks of the overview. */
export const overviewActions = declare('overview', 'settings', {
  snooze: {
    needs: ['manage'],
    confirm: null,
    fields: z.object({ task: text(), until: oneOf(['day', 'week', 'month']) }),
  },
  'end-snooze': { needs: ['manage'], confirm: null, fields: z.object({ task: text() }) },
});

/** The messages of visitors. */
export const messageActions = declare('messages', 'messages', {
  'mark-message': {
    needs: ['manage'],
    confirm: null,
    fields: z.object({ id: text(), state: oneOf(MESSAGE_STATES) }),
  },
  'delete-message': { needs: ['manage'], confirm: null, fields: z.object({ id: text() }) },
});

/** Every form of the views. */
export const ACTION_GROUPS = [overviewActions, messageActions] as const;

type KeyOf<T> = T extends unknown ? keyof T : never;
/** Name of a form. */
export type ActionName = KeyOf<(typeof ACTION_GROUPS)[number]['actions']>;
