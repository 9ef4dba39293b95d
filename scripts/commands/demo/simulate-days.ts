import { DAY_MS } from '../../../src/core/clock.ts';
import type { SiteEvent } from '../../../src/core/events/site-event.ts';
import type { DemoLedger } from './demo-ledger.ts';
import type { DemoWorld } from './demo-session.ts';
import type { SeededRandom } from './seeded-random.ts';
import { simulateSession } from './simulate-session.ts';

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

/** Generates the events of each day from `start` to `now` (ms since 1970), in the order of time. */
export function* simulateDays(
  world: DemoWorld,
  ledger: DemoLedger,
  options: {
    readonly start: number;
    readonly now: number;
    /** About how many sessions all days have. */
    readonly sessions: number;
    readonly random: SeededRandom;
  },
): Generator<readonly SiteEvent[]> {
  const { start, now, random } = options;
  const firstDay = Math.floor(start / DAY_MS) * DAY_MS;
  const days = Array.from(
    { length: Math.floor((now - firstDay) / DAY_MS) + 1 },
    (_, day) => firstDay + day * DAY_MS,
  );
  const weights = days.map((day, index) => getDayWeight(day, index / days.length));
  const sum = weights.reduce((one, other) => one + other, 0);
  for (const [index, day] of days.entries()) {
    const mean = (options.sessions * (weights[index] ?? 0)) / sum;
    const count = random.count(mean * random.logNormal(1, 0.07));
    const times = Array.from({ length: count }, () => pickTime(day, random));
    if (index === days.length - 1) {
      times.push(...Array.from({ length: LIVE_SESSIONS }, () => now - random.integer(1, 30) * MINUTE_MS));
    }
    const daysAgo = (now - day) / DAY_MS;
    const channels = world.channels.filter(
      ({ days: [from, to] = [Number.POSITIVE_INFINITY, 0] }) => daysAgo <= from && daysAgo >= to - 1,
    );
    const events: SiteEvent[] = [];
    for (const time of times) {
      if (time < start || time > now) continue;
      const channel = random.pickWeighted(channels, ({ weight }) => weight);
      const session = simulateSession(world, channel, time, random);
      // A visitor of this moment has not done the rest yet.
      events.push(...session.events.filter(({ serverTime }) => serverTime <= now));
      for (const click of session.clicks) if (click.event.serverTime <= now) ledger.addClick(click);
    }
    yield events.sort((one, other) => one.serverTime - other.serverTime);
  }
}

function getDayWeight(day: number, progress: number): number {
  const date = new Date(day);
  const growth = GROWTH.first + (GROWTH.last - GROWTH.first) * progress;
  return growth * (WEEKDAYS[date.getUTCDay()] ?? 1) * (MONTHS[date.getUTCMonth()] ?? 1);
}

function pickTime(day: number, random: SeededRandom): number {
  const hour = random.pickWeighted(
    HOURS.map((weight, index) => ({ weight, index })),
    ({ weight }) => weight,
  ).index;
  return day + hour * HOUR_MS + random.integer(0, HOUR_MS - 1);
}
