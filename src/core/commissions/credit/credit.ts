import { AD_CLICKS, getCampaignParts, isAutomaticTag } from '../../events/campaign.ts';
import type { EventFlag } from '../../events/site-event.ts';
import {
  buildSourceName,
  isPaidSource,
  UNKNOWN_SOURCE,
  type VisitSource,
} from '../../events/visit-source.ts';

/** A campaign by which the session arrived, as it was at the time of the click. */
export interface CampaignTouch {
  /** Campaign parameters by name, for example `utm_source` and `gclid`. */
  readonly campaign: Readonly<Record<string, string>>;
  /** When it arrived; ms since 1970, null when the event of the arrival is not stored. */
  readonly time: number | null;
}

/** Sources by which a session arrived, up to the click. */
export interface JourneySources {
  readonly first: VisitSource;
  readonly last: VisitSource;
  /** Those of the arrivals between, in order; left out without any. */
  readonly between?: readonly VisitSource[] | undefined;
}

/**
 * What led to a click, copied from the events at the first match, so that credit stays the same when events are deleted.
 * Afterwards only sources are added, to journeys that were stored without them. It describes one session and no person.
 */
export interface FrozenJourney {
  readonly clickId: string;
  /** ms since 1970. */
  readonly clickTime: number;
  /** Path of the page that carried the link. */
  readonly page: string;
  /** Place of the link on the page (`buildPlacement`); empty when the link named none. */
  readonly placement: string;
  readonly label: string;
  readonly partner: string;
  /** Page key of the destination. */
  readonly destination: string;
  /** In the order of arrival; empty for a visit without a campaign. */
  readonly touches: readonly CampaignTouch[];
  /** Names of the pages that the session saw before the click, in order, each once. */
  readonly pages: readonly string[];
  /** Name of the page on which the session began; empty when it is unknown. */
  readonly entryPage: string;
  /** Codes of the assessment's answers by field; empty without an assessment. */
  readonly answers: Readonly<Record<string, string>>;
  /** Arm of the experiment that the link carried; empty without one. */
  readonly experimentArm: string;
  /** Why the click is left out of the counts of clicks, for example `bot`; left out when it counts. */
  readonly flags?: readonly EventFlag[] | undefined;
  /** Left out in journeys that were stored before visits had sources. */
  readonly sources?: JourneySources | undefined;
  /** Nothing of the visit was stored in the browser: of its pages, the first and that of the click are known at most. */
  readonly isFree?: true | undefined;
}

/** Which campaign before a click has its money: the last one, or the first. */
export const CAMPAIGN_MODELS = ['last', 'first'] as const;
export type CampaignModel = (typeof CAMPAIGN_MODELS)[number];

const PAID_MEDIUM = /^(cpc|ppc|cpm|cpv|paid.*|.*-paid|display|banner|affiliate)$/i;

/** Whether an arrival was paid for: it has an ad click id, or its medium says so. */
export function isPaidTouch({ campaign }: CampaignTouch): boolean {
  return AD_CLICKS.some(({ id }) => campaign[id]) || PAID_MEDIUM.test(campaign['utm_medium'] ?? '');
}

/** The row of visits whose links carried no campaign, whether search, another site or nothing led to them. */
export const NO_CAMPAIGN = 'No campaign';

/** The name of a campaign in reports: source, medium and campaign, `(none)` for what is missing. */
export function buildCampaignName(campaign: Readonly<Record<string, string | undefined>>): string {
  const parts = getCampaignParts(campaign);
  return parts.every((part) => part === '') ? NO_CAMPAIGN : parts.map((part) => part || '(none)').join(' / ');
}

/** The arrivals with a campaign of the operator; the tag that an assistant adds to its links is a source alone. */
function listCampaignTouches({ touches }: FrozenJourney): readonly CampaignTouch[] {
  return touches.some(({ campaign }) => isAutomaticTag(campaign))
    ? touches.filter(({ campaign }) => !isAutomaticTag(campaign))
    : touches;
}

/** The name of the last campaign before a click, as `buildCampaignName` builds it. */
export function buildLastCampaignName(journey: FrozenJourney): string {
  return buildCampaignName(listCampaignTouches(journey).at(-1)?.campaign ?? {});
}

/** What a journey credits: two with equal paths credit alike. Earlier versions read `paid…` and `entryPage` too. */
export interface CreditPath {
  readonly page: string;
  readonly placement: string;
  readonly entryPage: string;
  /** The partner to whom the click led, and whether it is among the counted ones. */
  readonly partner: string;
  readonly isClickCounted: boolean;
  /** Whether the visit is without journey. */
  readonly isFree: boolean;
  /** Names of the campaigns in the order of arrival, and the place of the last paid one; -1 without one. */
  readonly campaigns: readonly string[];
  readonly paidCampaign: number;
  /** Names of the sources in the order of arrival, and the place of the last paid one; -1 without one. */
  readonly sources: readonly string[];
  readonly paidSource: number;
  /** As in the journey. */
  readonly pages: readonly string[];
  readonly answers: FrozenJourney['answers'];
}

/** Builds what a journey credits. */
export function buildCreditPath(journey: FrozenJourney): CreditPath {
  const {
    page,
    placement,
    entryPage,
    partner,
    flags = [],
    isFree = false,
    sources,
    pages,
    answers,
  } = journey;
  const touches = listCampaignTouches(journey);
  const arrivals = sources === undefined ? [] : [sources.first, ...(sources.between ?? []), sources.last];
  return {
    page,
    placement,
    entryPage,
    partner,
    isClickCounted: flags.length === 0,
    isFree,
    campaigns: touches.map(({ campaign }) => buildCampaignName(campaign)),
    paidCampaign: touches.findLastIndex(isPaidTouch),
    sources: arrivals.map(buildSourceName),
    paidSource: arrivals.findLastIndex(isPaidSource),
    pages,
    answers,
  };
}

/** The campaign that has the money of a click, as `source / medium / campaign`, or `NO_CAMPAIGN`. */
export const getCampaign = ({ campaigns }: CreditPath, model: CampaignModel = 'last'): string =>
  (model === 'first' ? campaigns[0] : campaigns.at(-1)) ?? NO_CAMPAIGN;

/** The source of the visit in which a click happened (`buildSourceName`). */
export const getSource = ({ sources }: CreditPath): string =>
  sources.at(-1) ?? buildSourceName(UNKNOWN_SOURCE);

/** The names of the sources of a journey, from the first arrival to the last, each once. */
export function listSourceNames(sources: FrozenJourney['sources']): readonly string[] {
  const { first = UNKNOWN_SOURCE, between = [], last = first } = sources ?? {};
  return [...new Set([first, ...between, last].map(buildSourceName))];
}
