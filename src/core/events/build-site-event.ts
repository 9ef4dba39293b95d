import { CAMPAIGN_PARAMETERS } from './campaign-parameters.ts';
import { cleanLines, cleanText } from './clean-text.ts';
import { EVENT_LIMITS } from './event-limits.ts';
import { buildPrivateFields } from './privacy-signal.ts';
import type { EventDatum, EventFlag, EventName, SiteEvent } from './site-event.ts';
import { parseSitePath } from './site-path.ts';

/** What a handler knows of an event before it is safe to keep. Texts may be anything a visitor can send. */
export interface EventParts {
  /** UUID; a new one from the caller, or the browser's. */
  readonly id: string;
  readonly name: EventName;
  readonly session?: string | undefined;
  readonly page?: string | undefined;
  readonly label?: string | undefined;
  readonly value?: number | undefined;
  readonly data?: Readonly<Record<string, EventDatum | null | undefined>> | undefined;
  readonly campaign?: Readonly<Record<string, string | undefined>> | undefined;
  /** The browser's clock in ms since 1970, as sent. Leave out when the server itself saw the event. */
  readonly clientTime?: unknown;
}

/** What the server adds: its clock, and how the event counts. */
export interface EventContext {
  /** ms since 1970. */
  readonly now: number;
  /** The visitor sent `Sec-GPC: 1`. */
  readonly gpc: boolean;
  readonly flags?: readonly EventFlag[];
  /** Data keys whose text may have lines and 5,000 characters (a contact message). */
  readonly longText?: readonly string[];
}

const DAY = 86_400_000;
const DATA_KEY = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
const SESSION = /^[A-Za-z0-9_-]{1,64}$/;
/** Names that reach a prototype when someone copies the object carelessly. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether custom data may have this key: a letter, then letters, digits and `_`, at most 40. */
export function isDataKey(key: string): boolean {
  return DATA_KEY.test(key) && !isForbiddenKey(key);
}

export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN_KEYS.has(key);
}

/** Builds the event that is stored. Never throws: what cannot be kept is cut or left out, by the rules of docs/attribution.md. */
export function buildSiteEvent(parts: EventParts, context: EventContext): SiteEvent {
  const time = clampClientTime(parts.clientTime, context.now);
  const flags = new Set<EventFlag>(context.flags);
  if (time.isWrong) flags.add('clock');
  if (context.gpc) flags.add('gpc');
  const campaign = cleanCampaign(parts.campaign ?? {});
  const data = cleanData(parts.data ?? {}, new Set(context.longText));
  return {
    id: parts.id.toLowerCase(),
    name: parts.name,
    session: SESSION.test(parts.session ?? '') ? (parts.session ?? '') : '',
    page: parseSitePath(parts.page ?? '') ?? '',
    label: tellsAnAnswer(parts.name, context.gpc) ? '' : cleanText(parts.label ?? '', EVENT_LIMITS.label),
    value: cleanNumber(parts.value ?? 0),
    data: context.gpc ? buildPrivateFields(data) : data,
    campaign: context.gpc ? buildPrivateFields(campaign) : campaign,
    clientTime: time.value,
    serverTime: context.now,
    flags: [...flags],
  };
}

/** The label of an assessment event is `businessType_to_platform`: an answer. */
function tellsAnAnswer(name: EventName, gpc: boolean): boolean {
  return gpc && name.startsWith('assessment_');
}

function clampClientTime(time: unknown, now: number): { value: number | null; isWrong: boolean } {
  if (time === undefined) return { value: null, isWrong: false };
  if (typeof time !== 'number' || !Number.isFinite(time)) return { value: null, isWrong: true };
  const value = Math.round(Math.min(Math.max(time, now - DAY), now + DAY));
  return { value, isWrong: Math.abs(time - value) >= 1 };
}

/** Finite, and never -0, which would print as `-0` in one export and `0` in another. */
function cleanNumber(value: number): number {
  return Number.isFinite(value) ? value + 0 : 0;
}

function cleanCampaign(campaign: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const name of CAMPAIGN_PARAMETERS) {
    const text = Object.hasOwn(campaign, name) ? campaign[name] : undefined;
    const value = text ? cleanText(text, EVENT_LIMITS.campaignValue) : '';
    if (value) clean[name] = value;
  }
  return clean;
}

function cleanData(
  data: Readonly<Record<string, EventDatum | null | undefined>>,
  longText: ReadonlySet<string>,
): Record<string, EventDatum> {
  const clean: Record<string, EventDatum> = {};
  let keys = 0;
  for (const [key, value] of Object.entries(data)) {
    if (value === null || value === undefined || !isDataKey(key)) continue;
    if (++keys > EVENT_LIMITS.dataKeys) break;
    clean[key] = cleanDatum(value, longText.has(key));
  }
  return clean;
}

function cleanDatum(value: EventDatum, isLong: boolean): EventDatum {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return cleanNumber(value);
  if (typeof value === 'string') {
    return isLong ? cleanLines(value, EVENT_LIMITS.longText) : cleanText(value, EVENT_LIMITS.dataText);
  }
  return value.slice(0, EVENT_LIMITS.listItems).map((item) => cleanText(item, EVENT_LIMITS.listText));
}
