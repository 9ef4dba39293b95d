import { DAY_MS } from '../clock.ts';
import type { Page } from './page.schema.ts';

/** One stage of a plan by days: day numbers from 1, both included. */
type PlanStage = NonNullable<ReturnType<typeof findPlan>>[number];

const DAYS = /^Days? (\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?$/;

/** Finds the first timeline of the pages whose stages are all days, such as `Days 3-5`; null without one. */
export function findPlan(pages: Iterable<Page>) {
  for (const { sections } of pages) {
    for (const section of sections) {
      if (section.type !== 'timeline') continue;
      const stages = section.items.flatMap(({ when, title, text, done }) => {
        const [, from, to = from] = DAYS.exec(when) ?? [];
        if (from === undefined) return [];
        const check = done === undefined ? '' : `\n\nDone when: ${done}`;
        return [{ from: Number(from), to: Number(to), title, text: text + check }];
      });
      if (stages.length === section.items.length) return stages;
    }
  }
  return null;
}

/**
 * Builds a calendar file (RFC 5545) with one all-day event for each stage. `start`: the day of stage 1, ms since 1970;
 * `host` makes the ids of the events unique.
 */
export function buildPlanCalendar(stages: readonly PlanStage[], start: number, host: string): string {
  const stamp = `${formatDay(start)}T000000Z`;
  const events = stages.flatMap(({ from, to, title, text }, index) => [
    'BEGIN:VEVENT',
    `UID:plan-${formatDay(start)}-${index + 1}@${host}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${formatDay(start + (from - 1) * DAY_MS)}`,
    `DTEND;VALUE=DATE:${formatDay(start + to * DAY_MS)}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(text)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Signpost//Plan//EN',
    ...events,
    'END:VCALENDAR',
  ];
  return `${lines.map(foldLine).join('\r\n')}\r\n`;
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');
}

/** A line has at most 75 octets; a longer one goes on after a line break and a space. */
function foldLine(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    if (octets + size > 75) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
