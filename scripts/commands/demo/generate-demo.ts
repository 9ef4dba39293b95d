import { createAnswerCodeParser } from '../../../src/core/assessment/answer-codes.ts';
import { DAY_MS } from '../../../src/core/clock.ts';
import type { SiteEvent } from '../../../src/core/events/site-event.ts';
import type { Content } from '../../../src/core/pages/content.ts';
import { CONTACT_PATH } from '../../../src/core/paths.ts';
import { buildRetentionLimit } from '../../../src/server/events/remove-old-events.ts';
import { DEMO_CHANNELS } from './demo-campaigns.ts';
import { DemoLedger, type DemoLedgerContent } from './demo-ledger.ts';
import type { DemoWorld } from './demo-session.ts';
import { readDemoSite } from './demo-site.ts';
import { SeededRandom } from './seeded-random.ts';
import { simulateDays } from './simulate-days.ts';
import { simulateMessages } from './simulate-messages.ts';

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
const EVENTS_PER_SESSION = 2.9;
const COMMISSIONS_PER_EVENT = 0.0068;

/** Generates 13 months of events and commissions that end at `now` (ms since 1970); the same for the same seed. */
export function generateDemo(
  { content, contentDir }: { readonly content: Content; readonly contentDir: string },
  { size, now, seed }: { readonly size: DemoSize; readonly now: number; readonly seed: number },
): DemoData {
  const random = new SeededRandom(seed);
  // A day later than retention, which would remove what is older.
  const start = buildRetentionLimit(now, MONTHS) + DAY_MS;
  const world: DemoWorld = {
    pages: readDemoSite(content, contentDir),
    channels: DEMO_CHANNELS,
    assessment: content.assessment,
    parseAnswerCodes: createAnswerCodeParser(content.assessment.questions),
  };
  const scale = size.commissions / (size.events * COMMISSIONS_PER_EVENT);
  const ledger = new DemoLedger({ start, now, scale, random: new SeededRandom(seed + 1) });
  const messages = simulateMessages(listTopics(content), now, random);
  const sessions = size.events / EVENTS_PER_SESSION;
  return {
    days: mergeMessages(simulateDays(world, ledger, { start, now, sessions, random }), messages),
    finishLedger: () => ledger.finish(),
  };
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

function listTopics({ pages }: Content): string[] {
  const sections = pages.get(CONTACT_PATH)?.sections ?? [];
  return sections.flatMap((section) =>
    section.type === 'contact-form' ? section.topics.map(({ key }) => key) : [],
  );
}
