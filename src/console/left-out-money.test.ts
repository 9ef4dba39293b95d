import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { buildPartner, buildViewRequest, createTestConsole } from '../../test/support/console-ledger.ts';
import { createMemoryRollups } from '../../test/support/memory-stores.ts';
import { buildSampleEntry } from '../../test/support/sample-commissions.ts';
import { readSampleAssessment } from '../../test/support/sample-content.ts';
import { DAY_MS } from '../core/clock.ts';
import { CONSOLE_DOORS } from '../core/console/console-view.ts';
import { ConsoleDocument } from './frame/frame.tsx';
import { findDecidingDays, readView } from './views.ts';

const NOW = Date.parse('2026-04-20T12:00:00Z');
const TABS = CONSOLE_DOORS.flatMap((door) => door.tabs);

/** A commission of each currency, of a click with answers, two days ago. */
const entries = ['USD', 'EUR'].map((currency, index) => {
  const time = NOW - 2 * DAY_MS;
  const clickId = `click-${index}`;
  const journey = { clickId, clickTime: time, partner: 'kit', page: '/a', entryPage: '/a', pages: ['/a'] };
  const report = {
    nativeId: `c-${index}`,
    amount: 5_000 - 1_000 * index,
    currency,
    eventTime: time,
    changeTime: time,
  };
  return buildSampleEntry([{ ...report, status: 'approved' }], journey, { partner: 'kit', clickId });
});

it('every page with a conclusion from money names what it leaves out, in its own currency', async () => {
  const site = await createTestConsole({
    entries,
    now: () => NOW,
    rollups: createMemoryRollups([]),
    content: {
      partners: new Map([['kit', buildPartner('kit')]]),
      assessment: readSampleAssessment(),
    },
  });
  const concluding: string[] = [];
  for (const { view, rest } of TABS) {
    const path = rest?.split('/') ?? [];
    const page = await readView(
      site,
      { ...buildViewRequest(), view, rest: path, parameters: new URLSearchParams() },
      null,
      null,
    );
    // A form of a file, which this site does not have.
    if (rest === 'brand') continue;
    if (page === null) throw new Error(`${view} ${rest} is missing`);
    const html = renderToStaticMarkup(createElement(ConsoleDocument, { page }));
    if (!html.includes('$50') && findDecidingDays(view, path) === null) continue;
    concluding.push([view, ...path].join('/'));
    expect([view, rest, html.includes('€40')]).toEqual([view, rest, true]);
  }
  expect(concluding).toEqual(expect.arrayContaining(['overview', 'pages', 'content', 'content/links']));
});
