import { DAY_MS } from '../clock.ts';
import { dropFields, FREE_FIELDS, isLabelWithheld } from '../consent/gpc.ts';
import { cleanLines, cleanText } from '../text/parse-text.ts';
import { CAMPAIGN_PARAMETERS, MAX_CAMPAIGN_VALUE } from './campaign.ts';
import { type EventDataKey, type EventName, getEventDefinition } from './event-definitions.ts';
import {
  EVENT_LIMITS,
  type EventDatum,
  type EventFlag,
  isWithoutJourney,
  SESSION_PATTERN,
  type SiteEvent,
} from './site-event.ts';
import { parseSitePath, readPageParameter } from './site-path.ts';
import { parseVisitSource, readReferrerHost, type VisitSource, WITHOUT_JOURNEY } from './visit-source.ts';

/** What a handler knows of an event before it is cleaned. Texts may be anything that a visitor can send. */
export interface EventParts<Name extends EventName = EventName> {
  /** UUID: the browser's, or a new one. */
  readonly id: string;
  readonly name: Name;
  readonly session?: string | undefined;
  readonly page?: string | undefined;
  readonly label?: string | undefined;
  readonly value?: number | undefined;
  readonly data?: EventData<Name> | undefined;
  /** Unknown parameters and values that are not text are left out, so that newer pages lose no events. */
  readonly campaign?: Readonly<Record<string, unknown>> | undefined;
  /** The browser's clock in ms since 1970, as sent; left out for events of the server. */
  readonly clientTime?: unknown;
}

/** The custom data of an event; the keys that its definition lists. */
export type EventData<Name extends EventName> = Readonly<
  Partial<Record<EventDataKey<Name>, EventDatum | null>>
>;

/** What the server knows of the request that an event came with. */
export interface EventContext {
  /** ms since 1970. */
  readonly now: number;
  /** The visitor sent `Sec-GPC: 1`. */
  readonly gpc: boolean;
  /** With `free`, nothing is kept that joins the event to others of its visit. */
  readonly flags?: readonly EventFlag[];
  /** Where the visit came from, for a first page view and for a click; the channel alone is stored under GPC. */
  readonly source?: VisitSource | null;
  /** The host of the page, of a listed site; our own when left out. */
  readonly host?: string;
}

/** Keys of the source in custom data. The server alone sets them: what a browser sends under them is dropped. */
const SOURCE_KEYS = ['visit_channel', 'visit_source'] as const;

const DATA_KEY = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
/** Keys that reach a prototype when an object is copied carelessly. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether custom data may have a key: a letter, then letters, digits and `_`, at most 40 characters. */
export function isDataKey(key: string): boolean {
  return DATA_KEY.test(key) && !isForbiddenKey(key);
}

/** Whether a key could reach the prototype of an object. */
export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN_KEYS.has(key);
}

/**
 * Builds the event that is stored. Never throws: invalid parts are cut or left out, by the rules of
 * docs/attribution.md.
 */
export function buildSiteEvent(parts: EventParts, context: EventContext): SiteEvent {
  const time = clampClientTime(parts.clientTime, context.now);
  const flags = new Set<EventFlag>(context.flags);
  if (time.isWrong) flags.add('clock');
  if (context.gpc) flags.add('gpc');
  const campaign = cleanCampaign(parts.campaign ?? {});
  const { source = null, gpc } = context;
  const isFree = flags.has('free');
  const isWithheld = isWithoutJourney({ flags: [...flags] });
  const data = {
    ...cleanData(parts.data ?? {}, getEventDefinition(parts.name).longText),
    ...(source !== null && buildSourceData(source, gpc, isWithheld)),
  };
  return {
    id: parts.id.toLowerCase(),
    name: parts.name,
    session: !isFree && SESSION_PATTERN.test(parts.session ?? '') ? (parts.session ?? '') : '',
    page: buildPage(parts.page ?? '', context.host),
    label: isWithheld && isLabelWithheld(parts.name) ? '' : cleanText(parts.label ?? '', EVENT_LIMITS.label),
    value: cleanNumber(parts.value ?? 0),
    data: gpc ? dropFields(data) : isFree ? dropFreeData(parts.name, data) : data,
    campaign: isWithheld ? dropFields(campaign) : campaign,
    clientTime: time.value,
    serverTime: context.now,
    flags: [...flags],
  };
}

/** A page of a listed site keeps its host whatever its path is: without one it would be a page of ours. */
function buildPage(text: string, host = ''): string {
  if (host === '') return parseSitePath(text) ?? '';
  const path = parseSitePath(text.replace(/^\/+/, '/')) ?? '/';
  return (host + path + readPageParameter(text)).slice(0, EVENT_LIMITS.page);
}

/** The answers of a finished assessment stay: nothing says whose they are. */
function dropFreeData(name: EventName, data: SiteEvent['data']): SiteEvent['data'] {
  if (name === 'assessment_completed') return data;
  const { referrer, ...kept } = dropFields(data, FREE_FIELDS);
  const host = typeof referrer === 'string' ? readReferrerHost(referrer) : '';
  return host === '' ? kept : { ...kept, referrer: host };
}

function clampClientTime(time: unknown, now: number): { value: number | null; isWrong: boolean } {
  if (time === undefined) return { value: null, isWrong: false };
  if (typeof time !== 'number' || !Number.isFinite(time)) return { value: null, isWrong: true };
  const value = Math.round(Math.min(Math.max(time, now - DAY_MS), now + DAY_MS));
  return { value, isWrong: Math.abs(time - value) >= 1 };
}

/** Finite and never -0, which some exports would print as `-0` and others as `0`. */
function cleanNumber(value: number): number {
  return Number.isFinite(value) ? value + 0 : 0;
}

function cleanCampaign(campaign: Readonly<Record<string, unknown>>): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const name of CAMPAIGN_PARAMETERS) {
    const text = Object.hasOwn(campaign, name) ? campaign[name] : undefined;
    const value = typeof text === 'string' ? cleanText(text, MAX_CAMPAIGN_VALUE) : '';
    if (value) clean[name] = value;
  }
  return clean;
}

function cleanData(
  data: Readonly<Record<string, EventDatum | null | undefined>>,
  longText: readonly string[] = [],
): Record<string, EventDatum> {
  const clean: Record<string, EventDatum> = {};
  let keys = 0;
  for (const [key, value] of Object.entries(data)) {
    if (value === null || value === undefined || !isDataKey(key) || isSourceKey(key)) continue;
    if (++keys > EVENT_LIMITS.dataKeys) break;
    clean[key] = cleanDatum(value, longText.includes(key));
  }
  return clean;
}

const isSourceKey = (key: string) => SOURCE_KEYS.some((known) => known === key);

function buildSourceData(source: VisitSource, gpc: boolean, isWithheld: boolean): Record<string, string> {
  const { channel, name } = source;
  if (channel === 'unknown')
    return isWithheld ? { visit_channel: channel, visit_source: WITHOUT_JOURNEY.name } : {};
  return { visit_channel: channel, ...(name !== '' && !gpc && { visit_source: name }) };
}

/** Reads the source that is stored with an event; null when it has none or an unknown one. */
export function readVisitSource({ data }: SiteEvent): VisitSource | null {
  const [channel, name] = SOURCE_KEYS.map((key) => data[key]);
  return channel === undefined ? null : parseVisitSource(channel, name);
}

function cleanDatum(value: EventDatum, isLong: boolean): EventDatum {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return cleanNumber(value);
  if (typeof value === 'string') {
    return isLong ? cleanLines(value, EVENT_LIMITS.longText) : cleanText(value, EVENT_LIMITS.dataText);
  }
  return value.slice(0, EVENT_LIMITS.listItems).map((item) => cleanText(item, EVENT_LIMITS.listText));
}
