import { type Answers, NO_ANSWER_CODES } from '../../../src/core/assessment/answers.ts';
import type { Assessment } from '../../../src/core/assessment/assessment.schema.ts';
import { buildConversionLabel, recommendPlatform } from '../../../src/core/assessment/recommend-platform.ts';
import { buildCompletedEvent } from '../../../src/core/assessment/submission.schema.ts';
import { DAY_MS } from '../../../src/core/clock.ts';
import { buildSiteEvent, type EventParts } from '../../../src/core/events/build-site-event.ts';
import type { EventFlag, SiteEvent } from '../../../src/core/events/site-event.ts';
import { buildClickParts, MAX_JOURNEY_PAGES } from '../../../src/core/outbound/outbound-link.ts';
import { ASSESSMENT_PATH } from '../../../src/core/paths.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { DemoChannel, DemoPage, DemoPlacement, DemoWorld } from './world.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Sunday first. */
const WEEKDAYS = [0.68, 1.12, 1.15, 1.12, 1.08, 0.98, 0.62];
const MONTHS = [1.15, 1.05, 1, 0.97, 0.95, 0.9, 0.82, 0.85, 1.05, 1.08, 1.1, 0.8];
/** Visitors by hour of the day in UTC: most are in America and Europe. */
const HOURS = [3, 2, 2, 1, 1, 1, 2, 3, 5, 6, 6, 6, 7, 8, 9, 9, 9, 8, 8, 7, 6, 5, 4, 4];
const GROWTH = { first: 0.55, last: 1.3 };
/** Sessions of the last half hour, so that the live view has something to show. */
const LIVE_SESSIONS = 14;
const MAX_PAGES = 9;
const SHARE = {
  ...{ gpc: 0.03, bot: 0.015, nextPage: 0.52, secondArrival: 0.03, readsPrices: 0.6 },
  ...{ nextStep: 0.86, followsResult: 0.45, repeats: 0.02 },
};

/** A click that a commission may follow. */
export interface DemoClick {
  readonly event: SiteEvent;
  /** How much more often it earns than an average click. */
  readonly quality: number;
  /** The events of its session before it. */
  readonly before: readonly SiteEvent[];
}

/**
 * Generates the events of each day from `start` to `now` (ms since 1970), in the order of time: about `sessions`
 * sessions in all. `onClick` gets every click of a person.
 */
export function* simulateDays(
  world: DemoWorld,
  { start, now, sessions }: { readonly start: number; readonly now: number; readonly sessions: number },
  random: SeededRandom,
  onClick: (click: DemoClick) => void,
): Generator<readonly SiteEvent[]> {
  const firstDay = Math.floor(start / DAY_MS) * DAY_MS;
  const count = Math.floor((now - firstDay) / DAY_MS) + 1;
  const days = Array.from({ length: count }, (_, index) => firstDay + index * DAY_MS);
  const weights = days.map((day, index) => getDayWeight(new Date(day), index / count));
  const sum = weights.reduce((one, other) => one + other, 0);
  for (const [index, day] of days.entries()) {
    const mean = (sessions * (weights[index] ?? 0)) / sum;
    const times = Array.from({ length: random.count(mean * random.logNormal(1, 0.07)) }, () => {
      const hour = random.pickWeighted([...HOURS.keys()], (one) => HOURS[one] ?? 0);
      return day + hour * HOUR_MS + random.integer(0, HOUR_MS - 1);
    });
    if (index === count - 1) {
      for (let live = 0; live < LIVE_SESSIONS; live++) times.push(now - random.integer(1, 30) * MINUTE_MS);
    }
    const daysAgo = (now - day) / DAY_MS;
    const channels = world.channels.filter(
      ({ days: [from, to] = [Number.POSITIVE_INFINITY, 0] }) => daysAgo <= from && daysAgo >= to - 1,
    );
    const events: SiteEvent[] = [];
    for (const time of times) {
      if (time < start || time > now) continue;
      const channel = random.pickWeighted(channels, ({ weight }) => weight);
      const session = new Session(world, channel, time, random);
      session.run();
      // A visitor of this moment has not done the rest yet.
      for (const event of session.events) if (event.serverTime <= now) events.push(event);
      for (const click of session.clicks) if (click.event.serverTime <= now) onClick(click);
    }
    yield events.sort((one, other) => one.serverTime - other.serverTime);
  }
}

function getDayWeight(date: Date, progress: number): number {
  const growth = GROWTH.first + (GROWTH.last - GROWTH.first) * progress;
  return growth * (WEEKDAYS[date.getUTCDay()] ?? 1) * (MONTHS[date.getUTCMonth()] ?? 1);
}

/** What one visitor does after an arrival by a channel. */
class Session {
  readonly events: SiteEvent[] = [];
  readonly clicks: DemoClick[] = [];
  readonly #world: DemoWorld;
  readonly #channel: DemoChannel;
  readonly #start: number;
  readonly #random: SeededRandom;
  readonly #visited: string[] = [];
  readonly #id: string;
  readonly #gpc: boolean;
  readonly #flags: readonly EventFlag[];
  readonly #touches;
  #answers: Answers | null = null;
  #time: number;

  constructor(world: DemoWorld, channel: DemoChannel, start: number, random: SeededRandom) {
    this.#world = world;
    this.#channel = channel;
    this.#start = start;
    this.#time = start;
    this.#random = random;
    this.#gpc = random.chance(SHARE.gpc);
    this.#flags = random.chance(SHARE.bot) ? ['bot'] : [];
    this.#id = this.#gpc ? '' : random.uuid();
    const touch = channel.build(random);
    this.#touches = { firstTouch: touch, lastTouch: touch };
  }

  run(): void {
    const { pages, channels } = this.#world;
    const random = this.#random;
    const landings = pages.filter(({ path }) => path === this.#channel.landing);
    const entries = landings.length > 0 ? landings : pages;
    let page = random.pickWeighted(entries, ({ weight }) => weight);
    this.#visit(page, { data: { referrer: this.#channel.referrer } });
    for (let count = 1; count < MAX_PAGES && random.chance(SHARE.nextPage); count++) {
      const { path: current } = page;
      page = random.pickWeighted(pages, ({ path, weight }) => (path === current ? 0 : weight));
      if (random.chance(SHARE.secondArrival)) {
        this.#touches.lastTouch = random.pickWeighted(channels, ({ weight }) => weight).build(random);
      }
      this.#visit(page);
    }
  }

  #visit(page: DemoPage, arrival: Pick<EventParts, 'data'> = {}): void {
    const random = this.#random;
    const { path, placements } = page;
    if (!this.#visited.includes(path)) this.#visited.push(path);
    this.#add({ name: 'page_view', page: path, ...arrival });
    if (path === ASSESSMENT_PATH) this.#takeAssessment(page);
    if (page.hasPrices && random.chance(SHARE.readsPrices)) {
      this.#wait(20);
      this.#add({ name: 'pricing_view', page: path, label: 'pricing', data: { source: 'pricing' } });
    }
    if (placements.length > 0 && random.chance(page.clickRate * this.#channel.quality)) {
      this.#wait(70);
      const placement = random.pickWeighted(placements, ({ weight }) => weight);
      this.#click(page, placement, { name: 'call_to_action', label: placement.source });
    }
    this.#wait(60);
  }

  #takeAssessment(page: DemoPage): void {
    const { assessment } = this.#world;
    for (let step = 1; step <= assessment.questions.length; step++) {
      this.#add({ name: 'assessment_step', page: page.path, value: step });
      this.#wait(25);
      if (!this.#random.chance(SHARE.nextStep)) return;
    }
    const answers = pickAnswers(assessment, this.#random);
    this.#answers = answers;
    this.#add(buildCompletedEvent(assessment, answers, { id: this.#random.uuid(), session: this.#id }));
    const outcome = recommendPlatform(assessment, answers.businessType);
    const placement = page.placements.find(({ partner }) => partner.key === outcome.partner);
    if (placement === undefined || !this.#random.chance(SHARE.followsResult)) return;
    this.#wait(30);
    this.#click(page, placement, {
      name: 'assessment_conversion',
      label: buildConversionLabel(answers, outcome),
      data: { business_type: answers.businessType, budget: answers.budget, platform: outcome.platform },
    });
  }

  /** The click as the browser reports it, then the redirect, which some visitors cause twice. */
  #click(
    page: DemoPage,
    placement: DemoPlacement,
    action: Pick<EventParts, 'name' | 'label' | 'data'>,
  ): void {
    const { source, position, destination, partner } = placement;
    const id = this.#random.uuid();
    this.#add({
      ...action,
      page: page.path,
      value: 1,
      data: { ...action.data, source, position, click: id },
    });
    this.#time += this.#random.integer(200, 1_500);
    const visit = {
      ...{ session: this.#id, page: page.path, answers: '', ...this.#touches },
      entryPage: this.#gpc ? '' : (this.#visited[0] ?? ''),
      journeyPages: this.#gpc ? [] : this.#visited.slice(0, MAX_JOURNEY_PAGES),
      sessionTime: this.#gpc ? null : Math.round((this.#time - this.#start) / 1_000),
    };
    const link = {
      pageKey: destination,
      source,
      position,
      content: '',
      clickToken: id,
      visit,
      isRepeated: false,
    };
    const answers =
      this.#answers === null || this.#gpc ? NO_ANSWER_CODES : this.#world.parseAnswerCodes(this.#answers);
    const before = [...this.events];
    const parts = buildClickParts(partner, destination, link, { id, gpc: this.#gpc, answers });
    const event = this.#add(parts);
    if (this.#flags.length === 0) {
      this.clicks.push({ event, quality: page.quality * this.#channel.quality, before });
    }
    if (!this.#random.chance(SHARE.repeats)) return;
    this.#time += 900;
    this.#add({ ...parts, id: this.#random.uuid(), data: { ...parts.data, click: id } }, ['duplicate']);
  }

  #add(
    parts: Omit<EventParts, 'id'> & { readonly id?: string },
    flags: readonly EventFlag[] = [],
  ): SiteEvent {
    const isFromBrowser = parts.name !== 'affiliate_redirect';
    const event = buildSiteEvent(
      {
        ...{ id: this.#random.uuid(), session: this.#id, campaign: this.#touches.lastTouch },
        ...(isFromBrowser && { clientTime: this.#time - this.#random.integer(40, 900) }),
        ...parts,
      },
      { now: this.#time, gpc: this.#gpc, flags: [...this.#flags, ...flags] },
    );
    this.events.push(event);
    return event;
  }

  #wait(medianSeconds: number): void {
    this.#time += Math.round(this.#random.logNormal(medianSeconds, 0.7) * 1_000);
  }
}

/** Answers every question; the first options of a question are chosen more often. */
function pickAnswers({ questions }: Assessment, random: SeededRandom): Answers {
  const pick = (field: keyof Answers) => {
    const options = questions.find((question) => question.field === field)?.options ?? [];
    return random.pickWeighted(options, (option) => 1 / (2 + options.indexOf(option))).key;
  };
  return {
    businessType: pick('businessType'),
    revenue: pick('revenue'),
    challenges: [...new Set([pick('challenges'), pick('challenges')])],
    budget: pick('budget'),
  };
}
