import { type AnswerCodes, NO_ANSWER_CODES } from '../../../src/core/assessment/answer-codes.ts';
import type { Answers } from '../../../src/core/assessment/answers.ts';
import { recommend } from '../../../src/core/assessment/recommend-platform.ts';
import { buildCompletedEvent } from '../../../src/core/assessment/submission.schema.ts';
import { buildSiteEvent, type EventParts } from '../../../src/core/events/build-site-event.ts';
import type { Campaign } from '../../../src/core/events/campaign.ts';
import type { EventFlag, SiteEvent } from '../../../src/core/events/site-event.ts';
import { buildClickParts } from '../../../src/core/outbound/click-event.ts';
import { MAX_JOURNEY_PAGES } from '../../../src/core/outbound/visit.ts';
import { ASSESSMENT_PATH } from '../../../src/core/paths.ts';
import type { DemoChannel } from './demo-campaigns.ts';
import type { DemoClick, DemoSession, DemoWorld } from './demo-session.ts';
import type { DemoPage, DemoPlacement } from './demo-site.ts';
import { pickDemoAnswers } from './pick-demo-answers.ts';
import type { SeededRandom } from './seeded-random.ts';

const MAX_PAGES = 9;
const SHARE = {
  gpc: 0.03,
  bot: 0.015,
  secondArrival: 0.03,
  nextStep: 0.86,
  followsResult: 0.45,
  repeats: 0.02,
};

/** Generates one session that begins at a time (ms since 1970) by a channel. */
export function simulateSession(
  world: DemoWorld,
  channel: DemoChannel,
  start: number,
  random: SeededRandom,
): DemoSession {
  return new SessionSimulation(world, channel, start, random).run();
}

class SessionSimulation {
  readonly #world: DemoWorld;
  readonly #channel: DemoChannel;
  readonly #start: number;
  readonly #random: SeededRandom;
  readonly #events: SiteEvent[] = [];
  readonly #clicks: DemoClick[] = [];
  readonly #visited: string[] = [];
  readonly #session: string;
  readonly #gpc: boolean;
  readonly #flags: readonly EventFlag[];
  readonly #firstTouch: Campaign;
  #lastTouch: Campaign;
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
    this.#session = this.#gpc ? '' : random.uuid();
    this.#firstTouch = channel.build(random);
    this.#lastTouch = this.#firstTouch;
  }

  run(): DemoSession {
    let page = this.#pickEntry();
    for (let count = 0; count < MAX_PAGES; count++) {
      this.#visit(page, count === 0 ? this.#channel.referrer : undefined);
      if (!this.#random.chance(0.52)) break;
      page = this.#random.pickWeighted(this.#world.pages, ({ path, weight }) =>
        path === page.path ? 0 : weight,
      );
      if (this.#random.chance(SHARE.secondArrival)) {
        this.#lastTouch = this.#random
          .pickWeighted(this.#world.channels, ({ weight }) => weight)
          .build(this.#random);
      }
    }
    return { events: this.#events, clicks: this.#clicks };
  }

  #pickEntry(): DemoPage {
    const { landing = '' } = this.#channel;
    const fitting = this.#world.pages.filter(({ path }) => path.startsWith(landing));
    return this.#random.pickWeighted(
      landing !== '' && fitting.length > 0 ? fitting : this.#world.pages,
      ({ weight }) => weight,
    );
  }

  #visit(page: DemoPage, referrer: string | undefined): void {
    if (!this.#visited.includes(page.path)) this.#visited.push(page.path);
    this.#add({
      name: 'page_view',
      page: page.path,
      ...(referrer === undefined ? {} : { data: { referrer } }),
    });
    if (page.path === ASSESSMENT_PATH) this.#takeAssessment(page);
    if (page.path.includes('pricing') && this.#random.chance(0.6)) {
      this.#wait(20);
      this.#add({ name: 'pricing_view', page: page.path, label: 'pricing', data: { source: 'pricing' } });
    }
    if (page.placements.length > 0 && this.#random.chance(page.clickRate * this.#channel.quality)) {
      this.#wait(70);
      const placement = this.#random.pickWeighted(page.placements, ({ weight }) => weight);
      this.#click(page, placement, 'call_to_action');
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
    const answers = pickDemoAnswers(assessment, this.#random);
    this.#answers = answers;
    this.#add(buildCompletedEvent(assessment, answers, { id: this.#random.uuid(), session: this.#session }));
    const { partner, platform } = recommend(assessment, answers.businessType);
    const placement = page.placements.find((place) => place.partner.key === partner);
    if (placement === undefined || !this.#random.chance(SHARE.followsResult)) return;
    this.#wait(30);
    this.#click(page, placement, 'assessment_conversion', {
      label: `${answers.businessType}_to_${platform}`,
      data: { business_type: answers.businessType, budget: answers.budget, platform },
    });
  }

  #click(
    page: DemoPage,
    { source, position, destination, partner }: DemoPlacement,
    name: 'call_to_action' | 'assessment_conversion',
    more: { readonly label: string; readonly data: Record<string, string> } = { label: source, data: {} },
  ): void {
    const id = this.#random.uuid();
    this.#add({
      name,
      page: page.path,
      label: more.label,
      value: 1,
      data: { ...more.data, source, position, click: id },
    });
    this.#time += this.#random.integer(200, 1_500);
    const visit = {
      session: this.#session,
      page: page.path,
      firstTouch: this.#firstTouch,
      lastTouch: this.#lastTouch,
      entryPage: this.#gpc ? '' : (this.#visited[0] ?? ''),
      journeyPages: this.#gpc ? [] : this.#visited.slice(0, MAX_JOURNEY_PAGES),
      sessionTime: this.#gpc ? null : Math.round((this.#time - this.#start) / 1_000),
      answers: '',
    };
    const place = { pageKey: destination, source, position };
    const link = { ...place, content: '', clickToken: id, visit, isRepeated: false };
    const click = { id, gpc: this.#gpc, answers: this.#readCodes() };
    const before = [...this.#events];
    const event = this.#add(buildClickParts(partner, destination, link, click));
    if (this.#flags.length === 0) {
      this.#clicks.push({ event, quality: page.quality * this.#channel.quality, before });
    }
    if (!this.#random.chance(SHARE.repeats)) return;
    this.#time += 900;
    const parts = { ...buildClickParts(partner, destination, link, click), id: this.#random.uuid() };
    this.#add({ ...parts, data: { ...parts.data, click: id } }, ['duplicate']);
  }

  #readCodes(): AnswerCodes {
    return this.#answers === null || this.#gpc
      ? NO_ANSWER_CODES
      : this.#world.parseAnswerCodes(this.#answers);
  }

  #add(
    parts: Omit<EventParts, 'id'> & { readonly id?: string },
    flags: readonly EventFlag[] = [],
  ): SiteEvent {
    const isServerOnly = parts.name === 'affiliate_redirect';
    const event = buildSiteEvent(
      {
        id: this.#random.uuid(),
        session: this.#session,
        campaign: this.#lastTouch,
        ...(isServerOnly ? {} : { clientTime: this.#time - this.#random.integer(40, 900) }),
        ...parts,
      },
      { now: this.#time, gpc: this.#gpc, flags: [...this.#flags, ...flags] },
    );
    this.#events.push(event);
    return event;
  }

  #wait(medianSeconds: number): void {
    this.#time += Math.round(this.#random.logNormal(medianSeconds, 0.7) * 1_000);
  }
}
