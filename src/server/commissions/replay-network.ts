import type { ReportedFact } from '../../core/commissions/ledger/commission-fact.ts';
import {
  CommissionSourceError,
  type MessageFields,
} from '../../core/commissions/ledger/commission-source.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { type FileRow, simplifyHeading } from '../../core/commissions/ledger/csv-columns.ts';
import { collectStrings, simplifyName } from '../../core/commissions/ledger/message-fields.ts';
import { listMessageFields, type MessageField } from '../../core/commissions/ledger/message-mapping.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import {
  type ExpectedFact,
  messageSchema,
  type NetworkFile,
  type Networks,
} from '../../core/commissions/networks/network.schema.ts';
import { parseNetworkMessage } from '../../core/commissions/networks/parse-message.ts';
import { parseSentJson } from '../../core/text/parse-text.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { readRecordedResponse } from '../../sources/networks/network-api.ts';
import { isSignatureValid, signMessage } from '../../sources/networks/network-functions.ts';
import { NO_ROWS, readPartRows } from './csv-import.ts';
import { detectImportFormat } from './detect-import-format.ts';
import { parseForm } from './postbacks.ts';

type Sample = NetworkFile['messages'][number];

/** The click that `CLICK` stands for in the messages of a network's file. */
const CLICK = '0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12';

/** What a message of a network's file becomes. */
type Outcome = 'test' | 'ignored' | 'unread' | readonly ExpectedFact[];

/** A message of a network's file, with what it becomes. */
export type Replayed = Awaited<ReturnType<typeof replay>>;

/** What a message becomes, why, its way, and its fields. */
type Reading = [becomes: Outcome, reason: string, way: string, fields: unknown];

const splitPath = (path: string) =>
  path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .map(simplifyName);

/** The fields that no path of its way names: one names every field that ends as it does, because records are parts of messages. */
function listUnread(file: NetworkFile, way: string, fields: MessageFields): readonly string[] {
  const { push, interface: api, report, reports, status, kind } = file;
  const part = way === 'interface' ? api : way === 'report' ? report : (reports[way] ?? push);
  const known: (readonly string[])[] = [];
  JSON.stringify([part, [...status, ...kind].map(({ field }) => field)], (_, value: unknown) => {
    if (typeof value === 'string') known.push(splitPath(value));
    return value;
  });
  const isNamed = (path: string) => {
    const names = splitPath(path);
    return known.some((one) => one.length > 0 && one.join('.') === names.slice(-one.length).join('.'));
  };
  return listMessageFields(fields).flatMap(({ path, text }) =>
    isNamed(path) ? [] : [`${path}=${text.slice(0, 40)}`],
  );
}

/** What nobody has confirmed yet, with all that can be wrong with it. */
function describeReading(
  { unit }: NetworkFile,
  becomes: Outcome,
  fields: readonly MessageField[],
  unread: readonly string[],
): string {
  const write = (one: object) =>
    `{ ${Object.entries(one)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ')} }`;
  const facts = typeof becomes === 'string' ? [] : becomes;
  const isWhole = ({ amount, currency }: ExpectedFact) => {
    const text = formatDecimalAmount(amount, currency);
    return unit === 'decimal' && fields.some((field) => `${field.text}.00` === text);
  };
  return [
    `is unconfirmed, and reads as ${typeof becomes === 'string' ? becomes : becomes.map(write).join(', ')}`,
    facts.some(isWhole) ? 'its amount is whole: if it is in cents, write unit: minor' : '',
    unread.length > 0 ? `not read: ${unread.join(', ')}` : '',
    'correct the file, then write what is right as becomes',
  ]
    .filter(Boolean)
    .join('; ');
}

/** What the messages of a file are read with. `now`: ms since 1970. */
interface Context {
  readonly file: NetworkFile;
  readonly networks: Networks;
  readonly now: number;
}

/** Sends the messages of a network's file through the reader. `now`: ms since 1970. */
export async function replayNetwork(
  name: string,
  networks: Networks,
  now: number,
): Promise<readonly Replayed[]> {
  const file = networks.get(name);
  if (file === undefined) throw new RangeError(`There is no network ${name}.`);
  return Promise.all(file.messages.map((sample) => replay(name, sample, { file, networks, now })));
}

async function replay(name: string, sample: Sample, context: Context) {
  const { file, now } = context;
  const own = messageSchema.parse(JSON.parse(JSON.stringify(sample).replaceAll('CLICK', CLICK)));
  const stated = sample.response === undefined ? file.currency : (file.interface?.currency ?? file.currency);
  const terms = { ...DEFAULT_TERMS, network: name, currency: own.currency ?? stated ?? 'USD' };
  const [becomes, reason, way, sent] = await read(own, terms, context);
  const fields = { ...(typeof sent === 'object' && sent) };
  const unread = listUnread(file, way, fields);
  const found =
    own.becomes === 'unconfirmed'
      ? describeReading(file, becomes, listMessageFields(fields), unread)
      : findDifference(own.becomes, becomes);
  const difference =
    found?.startsWith('has currency') && (await isCurrencyEmpty(own, terms, context))
      ? `${found}: its path is empty in the message, so that ${terms.currency} is assumed`
      : found;
  const problem = difference === null ? findSignatureProblem(file, sample, now) : difference;
  return {
    name: sample.name,
    becomes,
    /** How it comes: `postback`, `webhook` (signed), `documented`, `interface`, `report`, or the name of a further report. */
    way,
    /** Its fields that no path of the file names, with their values. */
    unread,
    /** What is another than the file says, or null. */
    problem: problem === null ? null : `${problem}${reason && `: ${reason}`}`,
  };
}

/** A currency that no message names. */
const UNLIKELY = 'ZWG';

/** Whether a message names no currency: without an assumed one it has none. */
async function isCurrencyEmpty(sample: Sample, terms: CommissionTerms, context: Context) {
  const [becomes] = await read(sample, { ...terms, currency: UNLIKELY }, context);
  return Array.isArray(becomes) && becomes.some(({ currency }) => currency === UNLIKELY);
}

/** What a file describes and no message of it shows. `now`: ms since 1970. */
export function listUnshown(
  file: NetworkFile,
  replayed: readonly Replayed[],
  now: number,
): readonly string[] {
  const { push, interface: api, report, reports, messages } = file;
  const ways = [push && 'postback', api && 'interface', report && 'report', ...Object.keys(reports)];
  const shown = new Set(replayed.flatMap(({ way, becomes }) => (Array.isArray(becomes) ? [way] : [])));
  if (shown.has('webhook')) shown.add('postback');
  const unshown = ways.flatMap((way) =>
    way === undefined || shown.has(way) ? [] : [`No message shows: ${way}.`],
  );
  const sent =
    messages.find(({ json, form }) => (json ?? form) !== undefined) ?? messages.find((one) => one.query);
  if (push?.signature === undefined || sent === undefined || shown.has('webhook')) return unshown;
  const headers =
    push.signature.uses === 'svix'
      ? { 'svix-id': 'test', 'svix-timestamp': String(Math.floor(now / 1_000)) }
      : {};
  const signed = signMessage(push.signature, 'test', buildSent(sent, headers, now));
  const all = [...Object.entries(headers), signed].map((pair) => pair.join(': ')).join(', ');
  return [...unshown, `No message is signed. With the secret "test", "${sent.name}" has ${all}.`];
}

/** A message as it is sent. */
function buildSent(sample: Sample, headers: Readonly<Record<string, string>>, now: number) {
  const { json, query, form } = sample;
  const text =
    query ??
    (form ? String(new URLSearchParams(form)) : typeof json === 'string' ? json : JSON.stringify(json));
  const fields = json === undefined ? parseForm(text) : {};
  return { headers: new Headers(headers), body: Buffer.from(text), fields, now };
}

/** Why a message has not the signature that it should have; null when it has, or has to have none. */
function findSignatureProblem({ push }: NetworkFile, sample: Sample, now: number): string | null {
  const { signed } = sample;
  if (signed === undefined) return null;
  if (push?.signature === undefined) return 'is signed, and push names no signature';
  if (sample.query !== undefined && push.signature.field === undefined)
    return 'is a query, and a header signs the body alone: give it as form';
  const time = signed.headers['svix-timestamp'];
  const sent = buildSent(sample, signed.headers, time === undefined ? now : Number(time) * 1_000);
  const [name, text] = signMessage(push.signature, signed.secret, sent);
  return isSignatureValid(push.signature, signed.secret, sent, [name])
    ? null
    : `has not the signature of its secret, by which ${name} is ${text}`;
}

async function read(sample: Sample, terms: CommissionTerms, context: Context): Promise<Reading> {
  const { file, networks, now } = context;
  if (sample.csv !== undefined) return readReport(sample.csv, terms, context);
  if (sample.response !== undefined) {
    const page = readRecordedResponse(file, sample.response, terms, now);
    const reports = page?.reports ?? [];
    if (page === undefined || page.refused.length > 0)
      return [
        'unread',
        page?.refused[0]?.problem ?? 'it has no list of records',
        'interface',
        sample.response,
      ];
    const facts = reports.map(({ reported, strings }) => describeReport(reported, strings));
    return [facts, '', 'interface', sample.response];
  }
  const json = typeof sample.json === 'string' ? parseSentJson(sample.json) : sample.json;
  const fields: MessageFields =
    json === undefined
      ? parseForm(sample.query ?? new URLSearchParams(sample.form).toString())
      : { ...(json as object) };
  const message = parseNetworkMessage(fields, terms, networks, now);
  const isOwn = file.push === undefined || hasOwnShape(fields, terms, context);
  const way = isOwn ? (sample.signed === undefined ? 'postback' : 'webhook') : 'documented';
  const note = isOwn ? '' : 'no push.own holds for it, so that it is read as the documented postback';
  if (message.kind === 'ignored') return ['ignored', note, way, fields];
  if (message.kind === 'invalid')
    return ['unread', [note, message.detail].filter(Boolean).join(': '), way, fields];
  if (message.reports.every(({ isTest }) => isTest)) return ['test', note, way, fields];
  const facts = message.reports.map((reported) => describeReport(reported, collectStrings(fields)));
  return [facts, note, way, fields];
}

/** Whether a message has the shape by which a network's file reads it. */
function hasOwnShape(
  fields: MessageFields,
  terms: CommissionTerms,
  { file, networks, now }: Context,
): boolean {
  const push = file.push && { ...file.push, rules: [{}] };
  const probe = new Map([...networks, [terms.network, { ...file, push }]]);
  return parseNetworkMessage(fields, terms, probe, now).kind === 'ignored';
}

async function readReport(
  csv: string,
  terms: CommissionTerms,
  { file, networks, now }: Context,
): Promise<Reading> {
  const open = async function* () {
    yield Buffer.from(csv);
  };
  const rows: FileRow[] = [];
  try {
    const opened = await detectCsvFormat(open);
    const readRows = () => readCsvRows(open, opened);
    const ledger = {
      matchClicks: async (texts: readonly { readonly reported: { readonly token: string } }[]) => ({
        clickIds: texts.map(({ reported: { token } }) => (token === CLICK ? CLICK : null)),
      }),
    };
    const profile = { currency: terms.currency ?? 'USD', timeZone: file.timeZone ?? terms.timeZone };
    for await (const row of readRows()) rows.push(row);
    const missing = findMissingHeading(file, Object.keys(rows[0]?.row ?? {}));
    if (missing !== null) return ['unread', missing, 'report', rows[0]?.row];
    const format = await detectImportFormat(
      { readRows },
      { ledger, terms, networks, profile, known: {}, now },
    );
    const context = {
      known: new Map(),
      alike: new Map(),
      labelled: new Map(),
      settled: new Map(),
      seen: new Map(),
    };
    const all = { format, line: 0, counts: NO_ROWS };
    const { read, problems } = readPartRows(all, rows, context, { partner: '', terms, networks });
    const [network, way = 'report'] = format.network.split('/');
    const own = network === terms.network ? way : '';
    if (problems[0] !== undefined) return ['unread', problems[0], own, rows[0]?.row];
    return [read.map(({ report, strings }) => describeReport(report, strings)), '', own, rows[0]?.row];
  } catch (error) {
    if (error instanceof CommissionSourceError) return ['unread', error.message, 'report', rows[0]?.row];
    throw error;
  }
}

/** Why headings are of none of a network's reports, although it names some; null when they are. */
function findMissingHeading({ report, reports }: NetworkFile, headers: readonly string[]): string | null {
  const names = new Set(headers.map(simplifyHeading));
  const missing = [...(report ? [report] : []), ...Object.values(reports)].map(({ recognize }) =>
    recognize.filter((heading) => !names.has(simplifyHeading(heading))),
  );
  return missing.length === 0 || missing.some((headings) => headings.length === 0)
    ? null
    : `it lacks headings of recognize: ${missing[0]?.join(', ')}`;
}

function describeReport(reported: ReportedFact, strings: readonly string[]): ExpectedFact {
  const { nativeId: id, status, kind, amount, saleAmount, currency, token, label } = reported;
  const { eventTime, changeTime } = reported;
  const time = eventTime ?? changeTime;
  const show = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '');
  return {
    id,
    status,
    kind,
    amount,
    currency,
    click: token === CLICK || strings.some((text) => text.includes(CLICK)),
    ...(label !== undefined && { label: label.id, items: label.items }),
    ...(saleAmount !== null && { sale: saleAmount }),
    ...(time !== null && { time: show(time) }),
    ...(changeTime !== null && changeTime !== time && { changed: show(changeTime) }),
  };
}

/** How an outcome differs from what a file says; null when it does not. */
function findDifference(expected: Sample['becomes'], outcome: Outcome): string | null {
  if (typeof expected === 'string' || typeof outcome === 'string')
    return expected === outcome
      ? null
      : `becomes ${typeof outcome === 'string' ? outcome : 'a commission'}, not ${typeof expected === 'string' ? expected : 'a commission'}`;
  if (expected.length !== outcome.length)
    return `becomes ${outcome.length} commissions, not ${expected.length}`;
  for (const [index, one] of expected.entries()) {
    const wanted = { kind: 'sale', ...one };
    for (const [field, value] of Object.entries(wanted)) {
      const found = outcome[index]?.[field as keyof ExpectedFact];
      const isTime = field === 'time' || field === 'changed';
      const isSame = isTime ? Date.parse(String(found)) === Date.parse(String(value)) : found === value;
      if (!isSame) return `has ${field} ${found ?? 'not at all'}, not ${value}`;
    }
  }
  return null;
}
