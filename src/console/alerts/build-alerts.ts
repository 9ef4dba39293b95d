import { describeHeld, type HeldDeletions } from '../../core/articles/held-deletions.ts';
import { DAY_MS } from '../../core/clock.ts';
import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import type { Task } from '../../core/console/task.ts';
import { nameCommand } from '../../core/text/name-command.ts';
import {
  BACKUP_DAYS,
  CONTENT_PROBLEM_KINDS,
  type ContentProblemKind,
  classifyContentProblem,
  DISK_FACTOR,
} from '../../server/http/health.ts';
import type { DataProblem } from '../../stores/data-folder.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatCount, formatMoney, formatNumber } from '../reports/format.ts';

/** A task that costs money or evidence while nothing is done about it: it is sent when it begins and when it is over. */
export interface ConsoleAlert extends Task {
  readonly detail: string;
  readonly view: ConsoleViewKey;
  /** Sent again each day, and when its level rises; left out: once for as long as it lasts. */
  readonly isDaily?: boolean;
  /** Kinds of alerts of which nothing is known while this one lasts. */
  readonly hides?: readonly string[];
}

/** Money that waits for a network; `amount` in minor units. */
export interface PendingMoney {
  readonly amount: number;
  readonly currency: string;
  /** What there is in other currencies, which is part of no amount. */
  readonly others?: readonly { readonly amount: number; readonly currency: string }[];
}

/** A partner as the alerts see it. Times are ms since 1970. */
export interface PartnerActivity {
  readonly partner: string;
  readonly name: string;
  /** When its network reported something: the last time of each day, in any order. */
  readonly arrivals: readonly number[];
  /** How many commissions arose, without later payments and corrections of the same customer. */
  readonly leads: number;
  /** Clicks since the last of `leads`, or since the first click without any. */
  readonly clicksSinceLead: number;
  readonly clicks: number;
  /** What to do so that its commissions find what earned them; null where links carry the click, or its reports have labels. */
  readonly advice: string | null;
  /** What it has reported and not decided yet, in the currency with the most of it; null without any. */
  readonly pending: PendingMoney | null;
}

/** Everything that alerts are computed from. */
export interface AlertFacts {
  /** ms since 1970. */
  readonly now: number;
  readonly partners: readonly PartnerActivity[];
  /** Messages that could not be read, by the name of the partner, with the reason of the newest one. */
  readonly unread: readonly { readonly name: string; readonly count: number; readonly problem: string }[];
  /** Links to partners that are broken or have changed, with the clicks and the money of 30 days. */
  readonly links: readonly {
    readonly partner: string;
    readonly name: string;
    /** The address, without parameters. */
    readonly address: string;
    readonly state: string;
    readonly reason: string;
    readonly clicks: number;
    readonly money: PendingMoney | null;
  }[];
  /** Networks whose last reading failed. */
  readonly failedSyncs: readonly {
    readonly network: string;
    readonly problem: string;
    readonly pending: PendingMoney | null;
  }[];
  /** Articles that the source no longer has and that are still shown, of all that are; null without any. */
  readonly heldDeletions: { readonly held: HeldDeletions; readonly known: number } | null;
  /** Free and reserved MB of the disk of the data; null when it is not known. */
  readonly disk: { readonly freeMb: number; readonly minFreeMb: number } | null;
  /** Parts of the data that cannot be used. */
  readonly data: readonly DataProblem[];
  /** What of the content is not shown as it is written, a line each. */
  readonly content: readonly string[];
  /** `last` and `firstEvent` are null without a backup or an event. */
  readonly backup: { readonly last: number | null; readonly firstEvent: number | null };
}

/** Fewer clicks without a commission are not unusual. */
const MIN_CLICKS = 300;
/** With fewer gaps, no gap is unusual. */
const MIN_GAPS = 10;
/** With fewer commissions, the share of clicks that earn is not known. */
const MIN_LEADS = 5;
/** Clicks without a commission are unusual when they are this unlikely at the usual rate. */
const MAX_CHANCE = 0.01;

/** Computes the alerts of a moment. The same facts give the same alerts, in the same order. */
export function buildAlerts(facts: AlertFacts): readonly ConsoleAlert[] {
  return [
    ...facts.data.map(describeDataProblem),
    ...facts.unread.map(describeUnread),
    ...facts.partners.flatMap((partner) => [
      ...findSilence(partner, facts.now),
      ...findMissingLeads(partner),
      ...findMissingSubId(partner),
    ]),
    ...facts.links.map(describeBrokenLink),
    ...facts.failedSyncs.map(describeSync),
    ...findHeldDeletions(facts.heldDeletions),
    ...findFullDisk(facts.disk),
    ...findOldBackup(facts),
    ...findContentProblems(facts.content),
  ];
}

/** Completes an alert; `at` is the page and the part of the view in which something can be done about it. */
function buildAlert(
  key: string,
  view: ConsoleViewKey,
  [text, detail]: readonly [text: string, detail: string],
  more: { readonly money?: PendingMoney | null; readonly level?: number; readonly at?: string } = {},
): ConsoleAlert {
  const { money = null, level = 0, at = '' } = more;
  const others = (money?.others ?? []).map((one) => formatMoney(one.amount, one.currency));
  return {
    key,
    kind: key.split(':', 1)[0] ?? key,
    text,
    detail: others.length === 0 ? detail : `${detail} The amount is without ${others.join(', ')}.`,
    amount: money?.amount ?? null,
    currency: money?.currency ?? null,
    href: buildConsoleAddress(view) + at,
    level,
    view,
  };
}

function describeUnread({ name, count, problem }: AlertFacts['unread'][number]): ConsoleAlert {
  const messages = formatCount(count, 'message');
  return buildAlert(
    `unread:${name}`,
    'partners',
    [
      `${messages} of ${name} could not be read.`,
      `The newest: ${problem}. Commissions may be missing: say what the fields mean.`,
    ],
    { level: count, at: '/import#unread' },
  );
}

function findSilence({ partner, name, arrivals, pending }: PartnerActivity, now: number): ConsoleAlert[] {
  const days = [...new Set(arrivals.map((time) => Math.floor(time / DAY_MS)))].sort(
    (one, other) => one - other,
  );
  const gaps = days.slice(1).map((day, index) => day - (days[index] ?? day));
  const usual = findQuantile(gaps, 0.99);
  const silent = Math.floor(now / DAY_MS) - (days.at(-1) ?? 0);
  if (gaps.length < MIN_GAPS || usual === null || silent <= usual) return [];
  return [
    buildAlert(
      `silent:${partner}`,
      'partners',
      [
        `${name} has reported nothing for ${countDays(silent)}.`,
        `99 of 100 times it was silent for at most ${countDays(usual)}. Check the address of its messages, or read it now.`,
      ],
      { money: pending, at: '/import#postbacks' },
    ),
  ];
}

/** The smallest value that at least this share of the values does not exceed; null without values. */
export function findQuantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

function findMissingLeads({
  partner,
  name,
  leads,
  clicks,
  clicksSinceLead,
}: PartnerActivity): ConsoleAlert[] {
  const rate = leads < MIN_LEADS || clicks === 0 ? null : Math.min(1, leads / clicks);
  // At the usual rate, this many clicks without a commission happen once in a hundred times.
  const unusual =
    rate === null
      ? MIN_CLICKS
      : Math.max(MIN_CLICKS, Math.ceil(Math.log(MAX_CHANCE) / Math.log1p(-Math.min(rate, 0.99))));
  if (clicksSinceLead <= unusual) return [];
  const usual =
    rate === null
      ? 'No rate is known yet.'
      : `Usually one of ${formatCount(Math.round(1 / rate), 'click')} earns one.`;
  return [
    buildAlert(`no-leads:${partner}`, 'partners', [
      `${formatCount(clicksSinceLead, 'click')} to ${name} without a commission.`,
      `${usual} Open the link, and check that the program still counts it as yours.`,
    ]),
  ];
}

function findMissingSubId({ partner, name, advice, clicks }: PartnerActivity): ConsoleAlert[] {
  if (advice === null || clicks === 0) return [];
  return [
    buildAlert(`no-sub-id:${partner}`, 'partners', [
      `Links to ${name} do not carry the click.`,
      `Its commissions cannot be matched. ${advice}`,
    ]),
  ];
}

function describeBrokenLink(link: AlertFacts['links'][number]): ConsoleAlert {
  const { partner, name, address, state, reason, clicks, money } = link;
  const epc =
    money === null || clicks === 0 || money.others?.length
      ? ''
      : ` at ${formatMoney(money.amount / clicks, money.currency)}`;
  return buildAlert(
    `link:${address}`,
    'partners',
    [
      `A link to ${name} ${state === 'broken' ? 'is broken' : 'has changed'}: ${reason}.`,
      `${describeShare(address, clicks, epc)} in the last 30 days. ` +
        `Open it, then correct content/partners/${partner}.yaml or accept what it is now.`,
    ],
    { money, at: '#links' },
  );
}

const describeShare = (address: string, clicks: number, epc: string) => {
  if (clicks === 0) return `No link to this partner was clicked, so ${address} lost no reader`;
  return `${address} got ${clicks === 1 ? 'the one click' : `part of ${formatNumber(clicks)} clicks`}${epc}`;
};

function describeSync({ network, problem, pending }: AlertFacts['failedSyncs'][number]): ConsoleAlert {
  return buildAlert(
    `sync:${network}`,
    'partners',
    [`Commissions of ${network} could not be read.`, problem],
    {
      money: pending,
      at: '/import#sync',
    },
  );
}

function findHeldDeletions(deletions: AlertFacts['heldDeletions']): ConsoleAlert[] {
  if (deletions === null) return [];
  const { held, known } = deletions;
  const count = held.slugs.length;
  return [
    buildAlert(
      'held-deletions',
      'content',
      [
        `${formatNumber(count)} ${count === 1 ? 'article is' : 'articles are'} missing from the article source.`,
        describeHeld(held, known),
      ],
      { level: count, at: '#held' },
    ),
  ];
}

function findFullDisk(disk: AlertFacts['disk']): ConsoleAlert[] {
  if (disk === null || disk.minFreeMb === 0 || disk.freeMb >= disk.minFreeMb * DISK_FACTOR) return [];
  const isFull = disk.freeMb < disk.minFreeMb;
  const alert = buildAlert(
    'disk',
    'settings',
    [
      isFull ? 'The disk is full: no events are stored.' : 'The disk is almost full.',
      `${formatNumber(disk.freeMb)} MB are free; below ${formatNumber(disk.minFreeMb)} MB no events are stored.`,
    ],
    { level: isFull ? 2 : 1, at: '#data' },
  );
  return [isFull ? { ...alert, kind: 'disk-full' } : alert];
}

function findOldBackup({ backup, now }: AlertFacts): ConsoleAlert[] {
  const { last, firstEvent } = backup;
  const since = last ?? firstEvent;
  const days = since === null ? 0 : Math.floor((now - since) / DAY_MS);
  if (days <= BACKUP_DAYS) return [];
  return [
    buildAlert(
      'backup',
      'settings',
      [
        last === null ? 'There is no backup yet.' : `The last backup is ${countDays(days)} old.`,
        `Run: ${nameCommand('backup FOLDER')}. Commissions and their clicks exist only in the data folder.`,
      ],
      { at: '#data' },
    ),
  ];
}

function describeDataProblem({ key, title, detail }: DataProblem): ConsoleAlert {
  const alert = buildAlert(`data:${key}`, 'settings', [`${title}.`, detail], { at: '#data' });
  return { ...alert, isDaily: true };
}

const CONTENT_TEXTS: Readonly<Record<ContentProblemKind, readonly [one: string, several: string]>> = {
  'left-out': ['is left out of the site', 'are left out of the site'],
  copy: ['is shown from its last valid copy', 'are shown from their last valid copies'],
  articles: ['of the articles needs you', 'of the articles need you'],
  flaw: [
    'in a file leads nowhere, is missing or is not read any more',
    'in files lead nowhere, are missing or are not read any more',
  ],
  frozen: ['is not shown as it is written', 'are not shown as they are written'],
};
/** Lines that an alert has in full. */
const MAX_LINES = 8;

function findContentProblems(lines: readonly string[]): ConsoleAlert[] {
  return CONTENT_PROBLEM_KINDS.flatMap((kind): ConsoleAlert[] => {
    const [one, several] = CONTENT_TEXTS[kind];
    const own = lines.filter((line) => classifyContentProblem(line) === kind);
    if (own.length === 0) return [];
    const text = own.length === 1 ? `1 thing ${one}.` : `${formatNumber(own.length)} things ${several}.`;
    const rest =
      own.length > MAX_LINES
        ? [`… and ${formatNumber(own.length - MAX_LINES)} more; /readyz lists all.`]
        : [];
    const detail = [...own.slice(0, MAX_LINES), ...rest].join('\n');
    return [
      { ...buildAlert(`content:${kind}`, 'content', [text, detail], { level: own.length }), isDaily: true },
    ];
  });
}

/**
 * Builds the alert that others (`kinds`) cannot be computed. What is known of them stays as it was until they can be.
 */
export function buildUncomputedAlert(
  subject: string,
  kinds: readonly string[],
  reason: string,
): ConsoleAlert {
  const text = `The alerts about ${subject} cannot be computed.`;
  const alert = buildAlert(`uncomputed:${subject}`, 'settings', [text, `The reason: ${reason}`], {
    at: '#data',
  });
  return { ...alert, isDaily: true, hides: kinds };
}

const countDays = (days: number) => formatCount(days, 'day');
