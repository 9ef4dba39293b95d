import { DAY_MS } from '../../../src/core/clock.ts';
import { buildSiteEvent } from '../../../src/core/events/build-site-event.ts';
import type { SiteEvent } from '../../../src/core/events/site-event.ts';
import { CONTACT_PATH } from '../../../src/core/paths.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Days before the end of the data on which messages were sent. */
const DAYS = [372, 341, 296, 260, 233, 190, 161, 118, 96, 74, 41, 33, 12, 6, 2, 0.6, 0.2];
const TEXTS = [
  'Does the comparison include the price of phone numbers and text messages?',
  'We are an agency with nine people.\nWhich plan should we look at first?',
  'The tutorial says step 4 takes ten minutes. It took us an hour, because the domain was with another company.',
  'Your table says 3 sub-accounts. Is that still right?',
  'Please remove the message that I sent you last month.',
  'Can the assessment be answered for two brands at once?',
];

/** Generates the messages of the contact form until `now` (ms since 1970). */
export function simulateMessages(topics: readonly string[], now: number, random: SeededRandom): SiteEvent[] {
  return DAYS.map((days, index) => {
    const topic = random.pick(topics);
    const name = `Sample reader ${index + 1}`;
    const data = { topic, name, email: `reader${index + 1}@example.com`, message: random.pick(TEXTS) };
    return buildSiteEvent(
      { id: random.uuid(), name: 'contact_message', page: CONTACT_PATH, label: topic, data },
      { now: Math.round(now - days * DAY_MS), gpc: false },
    );
  });
}
