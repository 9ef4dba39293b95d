import { DAY_MS } from '../../../src/core/clock.ts';
import { buildSiteEvent } from '../../../src/core/events/build-site-event.ts';
import type { SiteEvent } from '../../../src/core/events/site-event.ts';
import type { Content } from '../../../src/core/pages/content.ts';
import { CONTACT_PATH } from '../../../src/core/paths.ts';
import { buildRetentionLimit } from '../../../src/server/events/remove-old-events.ts';
import { DemoLedger, type DemoLedgerContent } from './commissions.ts';
import { SeededRandom } from './seeded-random.ts';
import { simulateDays } from './visits.ts';
import { readDemoWorld } from './world.ts';

/** How much to generate. */
export interface DemoSize {
  /** About how many events. */
  readonly events: number;
  /** About how many commissions; more than one for each 50 events is not plausible. */
  readonly commissions: number;
}

/** Generated data. `days` has to be read to its end before `finishLedger` is called. */
export interface DemoData {
  readonly days: Iterable<readonly SiteEvent[]>;
  finishLedger(): DemoLedgerContent;
}

const MONTHS = 13;
/** Measured with the content of this repository. */
const EVENTS_PER_SESSION = 3.27;
const COMMISSIONS_PER_EVENT = 0.006;

/** Generates 13 months of events and commissions that end at `now` (ms since 1970); the same for the same seed. */
export function generateDemo(
  content: Content,
  contentDir: string,
  size: DemoSize,
  now: number,
  seed: number,
): DemoData {
  const random = new SeededRandom(seed);
  // A day later than retention, which would remove what is older.
  const start = buildRetentionLimit(now, MONTHS) + DAY_MS;
  const world = readDemoWorld(content, contentDir);
  const scale = size.commissions / (size.events * COMMISSIONS_PER_EVENT);
  const ledger = new DemoLedger(world.programs, [start, now], scale, new SeededRandom(seed + 1));
  const messages = simulateMessages(content, now, random);
  const period = { start, now, sessions: size.events / EVENTS_PER_SESSION };
  const days = simulateDays(world, period, random, (click) => ledger.addClick(click));
  return { days: mergeMessages(days, messages), finishLedger: () => ledger.finish() };
}

/** Adds each message to its day, so that the order of time stays. */
function* mergeMessages(
  days: Iterable<readonly SiteEvent[]>,
  messages: readonly SiteEvent[],
): Generator<readonly SiteEvent[]> {
  let rest = messages;
  for (const day of days) {
    const end = day.at(-1)?.serverTime ?? 0;
    const due = rest.filter(({ serverTime }) => serverTime <= end);
    rest = rest.filter(({ serverTime }) => serverTime > end);
    yield due.length === 0 ? day : [...day, ...due].sort((one, other) => one.serverTime - other.serverTime);
  }
  yield rest;
}

/** Days before the end of the data on which messages were sent. */
const MESSAGE_DAYS = [372, 341, 296, 260, 233, 190, 161, 118, 96, 74, 41, 33, 12, 6, 2, 0.6, 0.2];
const MESSAGES = [
  'Does the comparison include the price of phone numbers and text messages?',
  'We are an agency with nine people.\nWhich plan should we look at first?',
  'The tutorial says step 4 takes ten minutes. It took us an hour, because the domain was with another company.',
  'Your table says 3 sub-accounts. Is that still right?',
  'Please remove the message that I sent you last month.',
  'Can the assessment be answered for two brands at once?',
];

/** Generates messages of the contact form, if the site has one. */
function simulateMessages({ pages }: Content, now: number, random: SeededRandom): SiteEvent[] {
  const topics = (pages.get(CONTACT_PATH)?.sections ?? []).flatMap((section) =>
    section.type === 'contact-form' ? section.topics.map(({ key }) => key) : [],
  );
  if (topics.length === 0) return [];
  return MESSAGE_DAYS.map((days, index) => {
    const topic = random.pick(topics);
    const sender = { name: `Sample reader ${index + 1}`, email: `reader${index + 1}@example.com` };
    const data = { topic, ...sender, message: random.pick(MESSAGES) };
    return buildSiteEvent(
      { id: random.uuid(), name: 'contact_message', page: CONTACT_PATH, label: topic, data },
      { now: Math.round(now - days * DAY_MS), gpc: false },
    );
  });
}
