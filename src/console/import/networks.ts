import { editYaml } from '../../content-files/edit-yaml.ts';
import { writeNetwork } from '../../content-files/networks.ts';
import { DAY_MS } from '../../core/clock.ts';
import { COMMISSION_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import type { ParsedMessage } from '../../core/commissions/ledger/commission-source.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { collectStrings } from '../../core/commissions/ledger/message-fields.ts';
import { listMessageFields, MESSAGE_MEANINGS } from '../../core/commissions/ledger/message-mapping.ts';
import {
  isDocumented,
  type NetworkFile,
  sendsMessages,
} from '../../core/commissions/networks/network.schema.ts';
import { parseNetworkMessage } from '../../core/commissions/networks/parse-message.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { buildPostbackPath } from '../../core/paths.ts';
import {
  beginFile,
  buildPush,
  hideClick,
  type PushChoice,
  parseProposal,
  proposeChoice,
} from '../../server/commissions/propose-network.ts';
import { listUnshown, replayNetwork } from '../../server/commissions/replay-network.ts';
import { listWebhookNames } from '../../server/commissions/secrets.ts';
import { readSyncRows } from '../../server/commissions/sync-networks.ts';
import { groupByShape, parseStoredFields } from '../../server/commissions/unread-messages.ts';
import type { UnreadMessage } from '../../stores/ledger-rows.ts';
import type { Handlers, networkActions, secretActions } from '../actions.ts';
import { noteContentChange } from '../activity/note-activity.ts';
import { type ActionOutcome, buildFailure, type ConsoleSite, type ViewRequest } from '../console-site.ts';
import { READ_ONLY_BUILD } from '../content/drafts.ts';
import { buildFileAddress } from '../content/file-address.ts';
import { findSaveProblem, storeVersion } from '../content/note-saved.ts';
import { readSaving } from '../content/written-files.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { fail, finish } from './run-imports.ts';

/** The address of the page of a network; without a name, of their list. */
export const buildNetworkAddress = (name = '') =>
  buildConsoleAddress('partners', {}, { rest: ['networks', name].filter(Boolean) });

/** Where networks that send messages send those of partners, and what came last. `shown`: the partner whose address is asked for. */
export async function readPostbacks(site: ConsoleSite, shown: string | null) {
  const { settings, money } = site;
  const content = site.content.read();
  const [tokens, former, last] = await Promise.all([
    money.postbackAddresses.readTokens(),
    money.postbackAddresses.readFormer(),
    site.money.ledger.readLastMessages(),
  ]);
  const all = [...content.partners].filter(
    ([key, { terms }]) => last.has(key) || sendsMessages(content.networks.get(terms.network)),
  );
  const rows = all.map(([key, { name, terms }]) => {
    const { title = terms.network, template } = content.networks.get(terms.network) ?? {};
    const currency = terms.currency ?? content.site.newProducts.currency;
    const address = settings.siteUrl + buildPostbackPath(key, tokens?.build(key) ?? '');
    return {
      partner: key,
      name,
      network: terms.network,
      title,
      /** The secret address; null until it is requested. */
      address: tokens !== null && shown === key ? address : null,
      /** What is entered at the network behind the address. */
      template: template?.replace('currency=USD', `currency=${currency}`) ?? null,
      lastMessageAt: last.get(key) ?? null,
      /** The address before the last renewal, while it is accepted. */
      former: former.get(key) ?? null,
    };
  });
  return { hasPostbacks: tokens !== null, rows };
}

/** Reads how the commissions of one partner arrive; null without the partner, or the right to see money. */
export async function readConnection(
  site: ConsoleSite,
  partner: string,
  { viewer, parameters }: ViewRequest,
) {
  const content = site.content.read();
  const network = content.partners.get(partner)?.terms.network ?? '';
  const file = content.networks.get(network);
  if (file === undefined || viewer.kind === 'share' || !isAllowed(viewer, 'money')) return null;
  const canChange = isAllowed(viewer, 'manage');
  const { hasPostbacks, rows } = await readPostbacks(site, canChange ? parameters.get('show') : null);
  const postbacks = rows.filter((row) => row.partner === partner);
  return { file, network, hasPostbacks, canChange, postbacks, now: site.clock.now() };
}

/** How sure the reading of a network is: a real message was stored, the network documents it, or other programs say so. */
async function readLevels(site: ConsoleSite): Promise<(name: string, file: NetworkFile) => string> {
  const { partners } = site.content.read();
  const activity = await site.money.commissions.table.readActivity();
  const tried = new Set([...activity.keys()].map((key) => partners.get(key)?.terms.network));
  return (name, file) =>
    tried.has(name) ? 'tried' : isDocumented(file, 'push', 'interface', 'report') ? 'documented' : 'guessed';
}

/** Reads the list of networks: those of the partners first. */
export async function readNetworkList(site: ConsoleSite) {
  const { networks, partners } = site.content.read();
  const findLevel = await readLevels(site);
  const rows = [...networks].map(([name, file]) => ({ ...file, name, level: findLevel(name, file) }));
  const shown = rows.map(({ name, level, title, push, interface: api, report, reversal }) => ({
    name,
    level,
    title,
    reversal: reversal ?? null,
    partners: [...partners.values()].flatMap((one) => (one.terms.network === name ? [one.name] : [])),
    ways: [push && 'messages', api && 'interface', report && 'reports'].filter((way) => way !== undefined),
  }));
  return {
    page: 'networks' as const,
    rows: shown.sort((one, other) => other.partners.length - one.partners.length),
  };
}

/** What a network's secret is for. */
type SecretUse = 'interface' | 'optional' | 'signature' | 'encryption';

/** The secrets that a network can have here, with what they are for. */
function listSecrets(file: NetworkFile, partners: readonly string[]) {
  const { push, interface: api } = file;
  const uses = new Map<string, SecretUse>();
  for (const name of api?.needs ?? []) uses.set(name, 'interface');
  for (const name of api?.optional ?? []) uses.set(name, 'optional');
  const webhooks = [
    [push?.signature?.secret, 'signature'],
    [push?.decrypt?.secret, 'encryption'],
  ] as const;
  for (const [name, use] of webhooks) {
    if (name === undefined) continue;
    uses.set(name, use);
    // Each partner of a network may have a secret of its own.
    for (const one of partners) for (const own of listWebhookNames(one, name)) uses.set(own, use);
  }
  return uses;
}

const MAX_MESSAGES = 10;

/** Reads the page of a network; null without it. Rejects with `LedgerError`. */
export async function readNetwork(
  site: ConsoleSite,
  name: string,
  { parameters, viewer, sessionId = '' }: ViewRequest,
) {
  const { clock, money, operators, sessions } = site;
  const { networks, partners: all } = site.content.read();
  const file = networks.get(name);
  if (file === undefined) return null;
  const canChange = isAllowed(viewer, 'manage');
  const partners = [...all].flatMap(([key, { terms }]) => (terms.network === name ? [key] : []));
  const uses = listSecrets(file, partners);
  const [{ hasPostbacks, rows }, secrets, messages, unread, syncs, replayed, own] = await Promise.all([
    readPostbacks(site, canChange ? parameters.get('show') : null),
    money.secrets.describe([...uses.keys()]),
    money.ledger.readNewestFacts(partners, MAX_MESSAGES),
    money.ledger.countUnread(),
    readSyncRows(site),
    replayNetwork(name, networks, clock.now()),
    operators.accounts.readSessions(viewer.id),
  ]);
  return {
    page: 'network' as const,
    name,
    level: (await readLevels(site))(name, file),
    file,
    hasPostbacks,
    canChange,
    now: clock.now(),
    partners: [...all].flatMap(([key, one]) => (partners.includes(key) ? [{ key, name: one.name }] : [])),
    postbacks: rows.filter(({ network }) => network === name),
    secrets: secrets.map((one) => ({ ...one, use: uses.get(one.name) ?? 'optional' })),
    /** false: the platform has the secrets. */
    storesSecrets: money.secrets.file !== null,
    /** Whether the operator has given the password again, so that secrets can be typed in. */
    isConfirmed: own.some((session) => session.id === sessionId && sessions.isConfirmed(session)),
    sync: syncs.find(({ network }) => network === name)?.last ?? null,
    /** The messages of its file, read now: what the test of the network shows. */
    unshown: listUnshown(file, replayed, clock.now()),
    replayed: replayed.map((one, index) => ({ ...one, is: file.messages[index]?.is ?? 'composed' })),
    messages,
    unread: unread
      .filter(({ partner }) => partners.includes(partner))
      .reduce((sum, { count }) => sum + count, 0),
  };
}

const MAX_WORDS = 20;
const MAX_EXAMPLES = 3;
/** Words that no message has had yet, such as that of a reversal. */
const OTHER_WORDS = [1, 2] as const;

/** What an operator has said about the fields of messages; `isAsked`: the form was sent, else it is proposed. */
function parseChoice(
  getText: (key: string) => string,
  group: readonly UnreadMessage[],
  isAsked: boolean,
): PushChoice & { readonly found: readonly string[] } {
  const [newest] = group.slice(-1);
  const fields = newest === undefined ? {} : parseStoredFields(newest);
  const proposed = proposeChoice(fields);
  const means = isAsked
    ? new Map(
        listMessageFields(fields).flatMap(({ path }) => {
          const meaning = MESSAGE_MEANINGS.find((one) => one === getText(`means ${path}`));
          return meaning === undefined ? [] : [[path, meaning] as const];
        }),
      )
    : proposed.means;
  const status = [...means].find(([, meaning]) => meaning === 'status')?.[0];
  const words = group.flatMap((message) =>
    listMessageFields(parseStoredFields(message)).flatMap(({ path, text }) =>
      path === status ? [text] : [],
    ),
  );
  const found = [...new Set(words.map((word) => word.toLowerCase()))].slice(0, MAX_WORDS);
  const pairs = [
    ...found.map((word) => [word, getText(`word ${word}`)] as const),
    ...OTHER_WORDS.map(
      (at) => [getText(`other-word-${at}`).toLowerCase(), getText(`other-status-${at}`)] as const,
    ),
  ].flatMap(([word, text]) => {
    const chosen = COMMISSION_STATUSES.find((one) => one === text);
    return word === '' || chosen === undefined ? [] : [[word, chosen] as const];
  });
  const unit = (['decimal', 'minor', 'fractions'] as const).find((one) => one === getText('unit'));
  const currency = getText('currency').toUpperCase();
  return {
    means,
    found,
    words: Object.fromEntries(pairs),
    unit: unit ?? proposed.unit,
    ...(getText('dates') === 'day-first' && { dates: 'day-first' }),
    ...(/^[A-Z]{3}$/.test(currency) && { currency }),
  };
}

/** Builds the file of a network from messages of one shape, each with what it becomes; a text says why it cannot. */
async function buildFile(
  site: ConsoleSite,
  name: string,
  title: string,
  choice: PushChoice,
  group: readonly UnreadMessage[],
) {
  const missing = (['id', 'amount'] as const).find((one) => ![...choice.means.values()].includes(one));
  if (missing !== undefined) return `choose the field of the ${missing}`;
  const { networks } = site.content.read();
  const now = site.clock.now();
  const samples = group.slice(-MAX_EXAMPLES).map((message, index) => {
    const fields = parseStoredFields(message);
    return {
      name: `message ${index + 1}`,
      is: 'quoted',
      json: hideClick(fields, choice, fields),
      becomes: 'unread' as const,
    };
  });
  const draft = { ...beginFile(title, now), ...buildPush(choice), messages: samples };
  const parsed = parseProposal(draft);
  if (typeof parsed === 'string') return parsed;
  const replayed = await replayNetwork(name, new Map([...networks, [name, parsed]]), now);
  const messages = samples.map((one, index) => ({
    ...one,
    becomes: replayed[index]?.becomes ?? one.becomes,
  }));
  const isReversed = messages.some(
    ({ becomes }) => typeof becomes !== 'string' && becomes.some(({ status }) => status === 'reversed'),
  );
  const { reversal, ...known } = { ...draft, messages };
  const file = isReversed ? known : { ...known, reversal };
  return { file: parsed, text: writeNetwork(file) };
}

async function findGroup(site: ConsoleSite, message: string) {
  const groups = groupByShape(await site.money.ledger.readUnread());
  return groups.find((messages) => messages.some(({ id }) => id === message)) ?? null;
}

/** The name and title of a network that messages of a partner are made into. */
function proposeName(site: ConsoleSite, partner: string): string {
  const { networks } = site.content.read();
  const names = [partner, `${partner}-network`, `${partner}-network-2`];
  return names.find((name) => !networks.has(name)) ?? '';
}

/** Reads the form that makes a network of an unread message, with what it becomes; null without the message. */
export async function readNewNetwork(site: ConsoleSite, { parameters, viewer }: ViewRequest) {
  const group = await findGroup(site, parameters.get('message') ?? '');
  const newest = group?.at(-1);
  if (group === null || newest === undefined || !isAllowed(viewer, 'manage')) return null;
  const getText = (key: string) => (parameters.get(key) ?? '').trim().slice(0, 600);
  const choice = parseChoice(getText, group, parameters.has('unit'));
  const content = site.content.read();
  const partner = content.partners.get(newest.partner);
  const { name: partnerName = newest.partner, terms = DEFAULT_TERMS } = partner ?? {};
  const name = getText('name') || proposeName(site, newest.partner);
  const title = getText('title') || partnerName;
  const built = await buildFile(site, name, title, choice, group);
  return {
    page: 'new-network' as const,
    message: newest.id,
    partnerName,
    count: group.length,
    name,
    title,
    choice,
    now: site.clock.now(),
    /** The network by which its partner was read so far; null: by the documented postback. */
    former:
      terms.network === 'generic' ? null : (content.networks.get(terms.network)?.title ?? terms.network),
    fields: listMessageFields(parseStoredFields(newest)),
    others: OTHER_WORDS.map((at) => ({
      at,
      word: getText(`other-word-${at}`),
      status: getText(`other-status-${at}`),
    })),
    /** The file that would be written; null: `problem` says why none would. */
    text: typeof built === 'string' ? null : built.text,
    problem: typeof built === 'string' ? built : findNameProblem(site, name),
    examples: typeof built === 'string' ? [] : await readExamples(site, name, built.file, group, terms),
    /** Why nothing can be written here; null: it can. */
    refusal: site.platform.content.files === null ? READ_ONLY_BUILD : null,
  };
}

/** What a message becomes: a commission with whether its click is known, or why it still cannot be read. */
export async function describeExample(
  site: ConsoleSite,
  message: UnreadMessage,
  parsed: ParsedMessage | null,
) {
  const { id, arrivedAt } = message;
  if (parsed?.kind !== 'reports') {
    const problem =
      parsed?.kind === 'invalid' ? parsed.detail : 'choose the fields of the commission and of its id';
    return { message: id, arrivedAt, report: null, isMatched: false, problem };
  }
  const strings = collectStrings(parseStoredFields(message));
  const reports = parsed.reports.map((reported) => ({ reported, strings }));
  const { clickIds } = await site.money.commissions.matchClicks(reports);
  return {
    message: id,
    arrivedAt,
    report: parsed.reports[0] ?? null,
    isMatched: clickIds[0] !== null,
    problem: '',
  };
}

const NAME = /^[a-z0-9-]{1,40}$/;

function findNameProblem(site: ConsoleSite, name: string): string | null {
  if (!NAME.test(name)) return 'the name has only a-z, 0-9 and -';
  return site.content.read().networks.has(name) ? `there is a network ${name} already` : null;
}

/** What the newest messages of a group become by a file. */
function readExamples(
  site: ConsoleSite,
  name: string,
  file: NetworkFile,
  group: readonly UnreadMessage[],
  partnerTerms: CommissionTerms,
) {
  const networks = new Map([...site.content.read().networks, [name, file]]);
  const terms = { ...partnerTerms, network: name };
  return Promise.all(
    group.slice(-MAX_EXAMPLES).map((message) => {
      const fields = parseStoredFields(message);
      return describeExample(site, message, parseNetworkMessage(fields, terms, networks, site.clock.now()));
    }),
  );
}

/** Writes the file of a network, and names it in the file of its partner. */
export const runNetworks: Handlers<typeof networkActions.actions> = {
  async 'make-network'(site, { message, name, title, ...sent }, { viewer }) {
    const { files } = site.platform.content;
    const asked = Object.entries(sent).filter(([key]) =>
      /^(?:means|word|other-)|^(?:unit|dates|currency)$/.test(key),
    );
    const extra = { message, name, title, ...Object.fromEntries(asked) };
    const form = buildConsoleAddress('partners', {}, { rest: ['new-network'], extra });
    const refuse = (reason: string) => buildFailure(form, `Nothing was written: ${reason}`);
    const group = await findGroup(site, message);
    const newest = group?.at(-1);
    if (group === null || newest === undefined)
      return fail('These messages were read or discarded meanwhile.');
    if (files === null) return refuse(READ_ONLY_BUILD);
    const problem = findNameProblem(site, name);
    if (problem !== null) return refuse(`${problem}.`);
    const { partner } = newest;
    const { name: partnerName = partner, terms = DEFAULT_TERMS } =
      site.content.read().partners.get(partner) ?? {};
    const choice = parseChoice((key) => sent[key] ?? '', group, true);
    const built = await buildFile(site, name, title || partnerName, choice, group);
    if (typeof built === 'string') return refuse(`${built}.`);
    const [example] = (await readExamples(site, name, built.file, group, terms)).slice(-1);
    if (example === undefined || example.report === null)
      return refuse(`the newest message cannot be read by it: ${example?.problem}.`);
    const file = `networks/${name}.yaml`;
    const partnerFile = `partners/${partner}.yaml`;
    const before = files.read(partnerFile);
    if ('problem' in before) return refuse(`content/${partnerFile} ${before.problem}.`);
    const edited = editYaml(before.text, [{ kind: 'set', path: ['network'], value: name }]);
    if ('problem' in edited) return refuse(`content/${partnerFile} ${edited.problem}.`);
    const changes = [
      { file, text: built.text, opened: null },
      { file: partnerFile, text: edited.text, opened: before.hash },
    ];
    const unsaved = findSaveProblem(files.saveTogether(changes, readSaving(site, viewer)));
    if (unsaved !== null) return refuse(unsaved);
    const note =
      (await storeVersion(site, file, { before: null, text: built.text, viewer })) +
      (await storeVersion(site, partnerFile, { before, text: edited.text, viewer }));
    const text = `Created content/${file}, by which messages of ${partnerName} are read.`;
    const committed = await noteContentChange(
      site,
      viewer,
      changes.map((one) => one.file),
      text,
      buildFileAddress(file),
    );
    return {
      ...finish(`${text} Read the stored messages again below.${note}${committed}`, '#unread'),
      note: '',
    };
  },
};

/** Types secrets in, and removes them. Their text is in no message, and in no address. */
export const runSecrets: Handlers<typeof secretActions.actions> = {
  'unlock-secrets': async (site, { network }) => {
    if (!site.content.read().networks.has(network)) return fail('There is no such network.');
    return { location: at(network), message: 'You can type secrets in now.', isError: false, note: '' };
  },
  async 'set-secret'(site, { network, name, secret, days }, { viewer }) {
    const refused = findSecretProblem(site, network, name);
    if (refused !== null) return fail(refused);
    const refuse = (message: string) => buildFailure(at(network), message);
    const text = secret.trim();
    if (text === '') return refuse(`Type ${name} in: it was not stored.`);
    const operator = viewer.kind === 'operator' ? viewer.name : '';
    const problem = await site.money.secrets.set(name, text, days * DAY_MS, operator);
    return problem === null ? done(network, `${name} was stored. It is never shown again.`) : refuse(problem);
  },
  async 'remove-secret'(site, { network, name }) {
    const refused = findSecretProblem(site, network, name);
    if (refused !== null) return fail(refused);
    const problem = await site.money.secrets.remove(name);
    return problem === null ? done(network, `${name} was removed.`) : buildFailure(at(network), problem);
  },
};

const at = (network: string) => `${buildNetworkAddress(network)}#secrets`;
const done = (network: string, message: string): ActionOutcome => ({
  location: at(network),
  message,
  isError: false,
});

/** Only the secrets that a network's file names are stored. */
function findSecretProblem(site: ConsoleSite, network: string, name: string): string | null {
  const { networks, partners } = site.content.read();
  const file = networks.get(network);
  if (file === undefined) return 'There is no such network.';
  const own = [...partners].flatMap(([key, { terms }]) => (terms.network === network ? [key] : []));
  return listSecrets(file, own).has(name) ? null : `The network ${network} has no secret of this name.`;
}
