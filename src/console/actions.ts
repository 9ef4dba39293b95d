import { z } from 'zod';
import type { ContentDraft } from '../content-files/content-files.ts';
import type { Capability } from '../core/console/capabilities.ts';
import type { ConsoleViewKey } from '../core/console/console-view.ts';
import { WEEK_STARTS } from '../core/console/operator.ts';
import { MESSAGE_STATES } from '../core/contact/contact-message.ts';
import { PRODUCT_KINDS } from '../core/products/product.ts';
import { FORMER_SYSTEMS } from '../move-in/former-settings.ts';
import type { ActivitySubject } from '../stores/activity.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from './console-site.ts';

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
  /** Whether it makes something new each time: the same form that is sent again makes nothing. */
  readonly isOnce?: true;
}

/** A posted form whose text is not saved: it is shown again, with `status`. */
export interface ShownDraft {
  readonly draft: ContentDraft;
  readonly status: 200 | 403 | 409 | 422 | 503;
  readonly message: string;
  readonly isError: boolean;
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

/** A form that asks for no confirmation when none is given. */
const form = <Fields extends z.ZodObject>(
  needs: FormAction['needs'],
  fields: Fields,
  confirm: Confirmation | null = null,
) => ({ needs, confirm, fields });

/** A form that makes something new each time. */
const once = <Action extends FormAction>(action: Action) => ({ ...action, isOnce: true }) as const;

/** All values of a field, none when it is missing. */
const values = z.array(z.union([z.string(), z.instanceof(File)]));
/** The text of a field without the spaces around it, at most `max` characters; empty when it is missing or a file. */
const text = (max = 2_000) =>
  values.transform(([value]) => (typeof value === 'string' ? value.trim().slice(0, max) : ''));
const oneOf = <const T extends readonly [string, ...string[]]>(choices: T) => text().pipe(z.enum(choices));
/** A text as it was sent, such as a password. */
const secret = values.transform(([value]) => (typeof value === 'string' ? value.slice(0, 2_000) : ''));
/** A field that may be there several times. */
const list = values.transform((sent) =>
  sent.slice(0, 1_000).filter((value): value is string => typeof value === 'string'),
);
const file = values.transform(([value]) => (value instanceof File ? value : null));
const none = z.object({});

/** The tasks of the overview. */
export const overviewActions = declare('overview', 'settings', {
  snooze: form(['manage'], z.object({ task: text(), until: oneOf(['day', 'week', 'month']) })),
  'end-snooze': form(['manage'], z.object({ task: text() })),
});

/** The messages of visitors. */
export const messageActions = declare('messages', 'messages', {
  'mark-message': form(['manage'], z.object({ id: text(), state: oneOf(MESSAGE_STATES) })),
  'delete-message': form(['manage'], z.object({ id: text() })),
});

const costFields = z.object({ campaign: text(), amount: text(), currency: text(), period: text() });

const payment = { partner: text(600), account: text(600), currency: text(), day: text() };

/** Payments that arrived. */
export const moneyActions = declare('money', 'commissions', {
  arrived: form(
    ['manage'],
    z.object({ ...payment, amount: text(), arrivedCurrency: text(), arrivedDay: text() }),
  ),
  'not-arrived': form(['manage'], z.object(payment)),
});

const commission = { partner: text(600), account: text(600), id: text(600) };

/** Decisions about commissions without a click. */
export const unmatchedActions = declare('unmatched', 'commissions', {
  assign: form(['manage'], z.object({ ...commission, click: text(600) })),
  match: form(['manage'], z.object({ match: list })),
  dismiss: form(['manage'], z.object(commission)),
  reset: form(['manage'], z.object(commission)),
});

/** Asks for the password unless it was given in the last minutes. */
const again = (purpose: string) => ({ purpose, within: 'minutes' }) as const;
const named = z.object({ id: text() });
/** Each has a field of its own: the page that asks for the password repeats no name. */
const capabilities = {
  'can-money': text(),
  'can-content': text(),
  'can-publish': text(),
  'can-manage': text(),
} satisfies Record<`can-${Capability}`, z.ZodType>;
const ended = { passkey: list, invitation: list, 'share-link': list };
/** Days for which a share link can be valid. */
export const SHARE_DAYS = [1, 7, 30, 90] as const;

/**
 * Operators, and what gives them and others access. Sessions can be ended at once, because that gives no access and may be
 * urgent; the form of the password asks for the password itself.
 */
export const accessActions = declare('settings', 'access', {
  'end-session': form('every operator', named),
  'end-other-sessions': form('every operator', none),
  'end-all-sessions': form('every operator', none),
  'change-password': form('every operator', z.object({ current: secret, password: secret, ...ended })),
  'remove-passkey': form('every operator', named, again('Remove a passkey')),
  // The session is confirmed by it, and shows the form that adds a passkey.
  confirm: form('every operator', none, again('Add a passkey')),
  invite: form(['manage'], z.object({ name: text(), ...capabilities }), again('Add an operator')),
  'withdraw-setup': form(['manage'], named, again('Withdraw a one-time address')),
  'change-capabilities': form(
    ['manage'],
    z.object({ id: text(), ...capabilities }),
    again('Change what an operator may do'),
  ),
  'remove-operator': form(['manage'], named, again('Remove an operator')),
  share: once(
    form(
      ['manage', 'money'],
      z.object({ address: text(), label: text(80), days: text() }),
      again('Create a share link'),
    ),
  ),
  'revoke-share': form(['manage'], named, again('Revoke a share link')),
});

/** Names and paths that an operator has given to what a file or a message has, each in a field of its own. */
const others = values.transform(([value]) => (typeof value === 'string' ? value.trim().slice(0, 600) : ''));
const rate = { base: text(), quote: text(), day: text() };

/** Choices for all operators, and exchange rates. */
export const settingActions = declare('settings', 'settings', {
  preferences: form(['manage'], z.object({ digest: text(), 'week-start': oneOf(WEEK_STARTS) })),
  'unlock-settings': form(
    ['manage'],
    z.object({ at: oneOf(['address', 'mail', 'others']) }),
    again('Change the settings of the site'),
  ),
  'check-address': form(['manage'], z.object({ address: text(200) }), again('Change the address')),
  'save-mail': form(
    ['manage'],
    z.object({
      server: text(),
      host: text(200),
      user: text(200),
      password: secret,
      from: text(),
      to: text(),
    }),
    again('Change the mail'),
  ),
  'test-mail': form(['manage'], none),
  'save-settings': form(['manage'], z.object({}).catchall(others), again('Change the settings of the site')),
  'reporting-currency': form(['manage', 'money'], z.object({ currency: text() })),
  'import-rates': form(['manage', 'money'], z.object({ file })),
  'remove-rates': form(['manage', 'money'], none),
  'set-rate': form(['manage', 'money'], z.object({ ...rate, rate: text() })),
  'remove-rate': form(['manage', 'money'], z.object(rate)),
});

const upload = z.object({ upload: text() });
const report = z.object({ file });

/** For how many days what is renewed is accepted. */
const acceptDays = oneOf(['7', '30', '1', '0']).transform(Number);

/** What campaigns have cost: typed, or in the file of a platform. */
export const campaignActions = declare('campaigns', 'commissions', {
  'set-cost': form(['manage'], costFields),
  'upload-costs': form(['manage'], report.extend({ platform: text() }).catchall(others)),
  'answer-costs': form(['manage'], upload.catchall(others)),
  'commit-costs': form(['manage'], upload),
  'discard-costs': form(['manage'], upload),
  'undo-costs': form(['manage'], z.object({ entry: text() })),
  'assign-cost': form(['manage'], z.object({ platform: text(), name: text(), campaign: text() })),
  'add-expense': once(
    form(['manage'], z.object({ name: text(80), amount: text(), currency: text(), period: text() })),
  ),
  'remove-expense': form(['manage'], z.object({ id: text() })),
});

/** Files and messages that bring commissions. */
export const importActions = declare('partners', 'commissions', {
  upload: form(['manage'], report.extend({ partner: text() }).catchall(others)),
  'answer-file': form(['manage'], upload.catchall(others)),
  commit: form(['manage'], upload),
  discard: form(['manage'], upload),
  undo: form(['manage'], z.object({ import: text() })),
  'map-messages': form(['manage'], z.object({ message: text() }).catchall(others)),
  'read-messages': form(['manage'], z.object({ message: text() })),
  'answer-id': form(['manage'], z.object({ message: text(), order: oneOf(['same', 'other']) })),
  'discard-messages': form(['manage'], z.object({ message: text() })),
  'create-postbacks': form(['manage'], z.object({ from: text(200) })),
  'renew-postback': form(['manage'], z.object({ partner: text(), days: acceptDays, from: text(200) }), {
    purpose: 'Renew a postback address',
    within: 'hours',
  }),
  'test-postback': form(['manage'], z.object({ partner: text(), from: text(200) })),
  sync: form(['manage'], none),
});

const changesSecrets = again('Change the secrets of networks');
const networkSecret = z.object({ network: text(), name: text() });

/** The secrets of networks. Which are asked for after the password: no page repeats one that was typed in. */
export const secretActions = declare('partners', 'commissions', {
  'unlock-secrets': form(['manage'], z.object({ network: text() }), changesSecrets),
  'set-secret': form(['manage'], networkSecret.extend({ secret, days: acceptDays }), changesSecrets),
  'remove-secret': form(['manage'], networkSecret, changesSecrets),
});

/** Asks for the password unless that or the sign-in was in the last hours. */
const recent = (purpose: string) => ({ purpose, within: 'hours' }) as const;
const former = {
  system: text().transform((name) => FORMER_SYSTEMS.find(({ key }) => key === name)?.key ?? 'wordpress'),
  prefixes: text(200),
  bases: text(200),
  amazon: text(200),
  name: text(60),
  about: text(100),
};

/** Moving a site in, which changes what visitors see. */
export const moveInActions = declare('settings', 'content', {
  'upload-site': form(
    ['manage', 'publish'],
    z.object({ file, links: file, ...former }),
    recent('Move a site in'),
  ),
  'commit-site': form(
    ['manage', 'publish'],
    upload.extend({ hash: text(), sample: text(), images: text() }).catchall(others),
    recent('Move a site in'),
  ),
  'discard-site': form(['manage', 'publish'], none),
});

/** What a new site begins with. */
export const startActions = declare('settings', 'content', {
  'start-empty': form(
    ['manage', 'publish'],
    z.object({
      name: text(60),
      about: text(100),
      kind: oneOf(PRODUCT_KINDS),
      currency: text(10),
      look: text(),
    }),
    recent('Start an empty site'),
  ),
  'start-sample': form(['manage'], none),
  'end-sample': form(['manage'], none),
});

/** A network that is made from messages which could not be read: its file is content. */
export const networkActions = declare('partners', 'content', {
  'make-network': form(
    ['manage', 'money', 'publish'],
    z.object({ message: text(), name: text(40), title: text(60) }).catchall(others),
    again('Make a network'),
  ),
});

/** Which pages have an id of a network is content. */
export const partnerActions = declare('partners', 'content', {
  'move-label': form(
    ['manage', 'publish'],
    z.object({ partner: text(), move: text() }),
    recent('Move an id of a network'),
  ),
});

const imageConfirm = recent('Change the images');
const changedImage = z.object({ version: text() });
const imageActions = {
  'add-image': form(
    ['content'],
    z.object({ file, alt: text(), folder: text(), name: text(100) }),
    imageConfirm,
  ),
  'add-picture': form(
    ['content'],
    z.object({ file, address: text(), of: text(), area: text(40), name: text(100) }),
    imageConfirm,
  ),
  'replace-image': form('by state', changedImage.extend({ file }), imageConfirm),
  'remove-image': form(['content'], changedImage, imageConfirm),
  'describe-image': form(['publish'], z.object({ alt: text() }), imageConfirm),
} as const;

/** The form of a file: its fields have names of their own, and are taken as they were sent. */
const written = z
  .object({})
  .catchall(values.transform(([value]) => (typeof value === 'string' ? value : '')));
/** What changes or confirms the file of a network, which decides where secrets go and how money is read. */
export const NETWORK_CONFIRMATION = again('Change how a network is read');
/** What writes a file asks for a sign-in of the last hours. */
const writes = form('by state', written, recent('Save the content'));
/** What shows the form again, or responds with data. */
const shows = form(['content'], written);

/** Files of the content folder. */
export const contentActions = declare('content', 'content', {
  ...imageActions,
  'confirm-payee': form(
    ['manage'],
    z.object({ partner: text(), hash: text() }),
    recent('Confirm who is paid'),
  ),
  create: once(
    form(
      'by state',
      z.object({
        kind: text(),
        pattern: text(),
        title: text(),
        link: text(),
        role: text(),
        bio: text(5_000),
        network: text(40),
        parameter: text(40),
        shop: text(500),
      }),
      recent('Save the content'),
    ),
  ),
  save: writes,
  overwrite: writes,
  restore: writes,
  publish: writes,
  schedule: writes,
  'take-down': writes,
  duplicate: once(writes),
  rename: writes,
  'take-down-page': writes,
  remove: writes,
  check: shows,
  preview: shows,
  blocks: shows,
  paste: shows,
  pictures: shows,
  open: shows,
  compare: shows,
  state: shows,
  keep: shows,
  'drop-copy': shows,
  'take-copy': shows,
  choices: shows,
  find: form('every operator', none),
  'save-prices': form(['publish'], z.object({ changes: text(200_000) }), recent('Save the content')),
  'save-live-page': form(
    ['publish'],
    z.object({ page: text(), state: text(), day: text(10), id: list, says: list, file }),
    recent('Save the content'),
  ),
  'take-changes': form('by state', z.object({ line: list, only: text(40) }), recent('Save the content')),
  // Its handler refuses what visitors see to those who may not publish.
  'undo-changes': form(['content'], none, recent('Save the content')),
  'open-shop': form(['content'], z.object({ offer: text(200) })),
});

/** What is accepted of other sites and systems: deletions, links, and a change of the content that another site began. */
export const otherSiteActions = declare('content', 'content', {
  'accept-deletions': form(['publish'], none, recent('Remove articles')),
  'check-links': form(['content'], none),
  'accept-link': form(['publish'], z.object({ url: text() }), recent('Accept the link')),
  'finish-writing': form(['publish'], none, recent('Finish the change of another site')),
  'undo-writing': form(['publish'], none, recent('Undo the change of another site')),
  // An operator who may not publish tests only hosts that a saved partner names.
  'test-destination': form('by state', written),
});

/** Every form of the views. */
export const ACTION_GROUPS = [
  overviewActions,
  messageActions,
  campaignActions,
  moneyActions,
  unmatchedActions,
  accessActions,
  settingActions,
  importActions,
  secretActions,
  networkActions,
  partnerActions,
  moveInActions,
  startActions,
  contentActions,
  otherSiteActions,
] as const;

type KeyOf<T> = T extends unknown ? keyof T : never;
/** Name of a form. */
export type ActionName = KeyOf<(typeof ACTION_GROUPS)[number]['actions']>;
