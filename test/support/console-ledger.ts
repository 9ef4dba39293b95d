import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { ActionResult } from '../../src/console/actions.ts';
import { readCommissionPages, type ScheduledRow } from '../../src/console/commissions/read.ts';
import { createConsoleSite } from '../../src/console/console.ts';
import { type ConsoleFrame, FrameContext } from '../../src/console/console-page.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../../src/console/console-site.ts';
import { FormContext } from '../../src/console/frame/forms.tsx';
import { runAction } from '../../src/console/run-action.ts';
import { listActions } from '../../src/console/views.ts';
import { DAY_MS } from '../../src/core/clock.ts';
import type { LedgerEntry } from '../../src/core/commissions/ledger/build-ledger.ts';
import { DEFAULT_TERMS } from '../../src/core/commissions/ledger/commission-terms.ts';
import { CAPABILITIES, type ConsoleViewer } from '../../src/core/console/capabilities.ts';
import type { ConsoleViewKey } from '../../src/core/console/console-view.ts';
import { FORWARDED, NO_RULES, type Partner, USUAL_UTM } from '../../src/core/outbound/partner.ts';
import type { Ledger } from '../../src/stores/ledger.ts';
import { buildSampleFact, buildSampleJourney, SAMPLE_CLICK } from './sample-commissions.ts';
import { buildSampleEvent } from './sample-events.ts';
import { storeFile } from './store-file.ts';
import { createTestSite } from './test-site.ts';

/** A click that has no commission yet. */
export const FREE_CLICK = '7f0d2b64-11aa-4b1e-8c3d-9e5f60718293';
/** The time of the tests, some days after everything that the ledger has. */
export const CONSOLE_NOW = 1_763_500_000_000 + 40 * DAY_MS;

/** Builds a partner whose links carry the id of the click. */
export const buildPartner = (key: string, fields: Partial<Partner> = {}): Partner => ({
  key,
  name: key.toUpperCase(),
  site: 'https://example.com/',
  affiliate: { parameter: 'ref', value: 'me' },
  subId: { parameter: 'sid', maxLength: 64, encoding: 'uuid', keepsCase: false },
  redirect: 'page',
  prices: 'typed',
  trialPath: null,
  forward: FORWARDED,
  utm: USUAL_UTM,
  destinations: new Map([['pricing', 'https://example.com/pricing']]),
  terms: DEFAULT_TERMS,
  rules: NO_RULES,
  ...fields,
});

/**
 * Creates a site with its console over databases in memory. `entries` replace those of the ledger; the other members are
 * those of `createTestSite`.
 */
export async function createTestConsole({
  entries,
  now = () => CONSOLE_NOW,
  ...members
}: NonNullable<Parameters<typeof createTestSite>[0]> & {
  readonly entries?: readonly LedgerEntry[];
  readonly now?: () => number;
} = {}): Promise<ConsoleSite> {
  const site = await createTestSite({ clock: { now, monotonic: now }, ...members });
  if (entries !== undefined) await storeEntries(site.money.ledger, entries);
  return createConsoleSite(site);
}

/**
 * Stores the messages and the clicks that entries were built from. Entries of one click are of one customer where they say so;
 * others get a click of their own.
 */
export async function storeEntries(store: Ledger, entries: readonly LedgerEntry[]): Promise<void> {
  const [ids, clicks] = [new Set<string>(), new Set<string>()];
  const unique = (known: Set<string>, id: string, index: number) => {
    const own = known.has(id) ? `${id.slice(0, -6)}${String(index).padStart(6, '0')}` : id;
    known.add(own);
    return own;
  };
  const named = entries.map((entry, index) => {
    const { commission, journey, isLaterPayment } = entry;
    const nativeId = unique(ids, `${commission.partner} ${commission.nativeId}`, index).slice(
      commission.partner.length + 1,
    );
    const known = journey?.clickId ?? null;
    return {
      entry,
      nativeId,
      clickId: known === null || isLaterPayment ? known : unique(clicks, known, index),
    };
  });
  const facts = named.flatMap(({ entry, nativeId, clickId }, index) =>
    entry.facts.map((fact, place) => {
      const content = JSON.stringify([index, place]);
      return { ...fact, nativeId, clickId, content, isDated: fact.changeTime !== fact.arrivedAt };
    }),
  );
  const decisions = named.flatMap(({ entry: { commission, isCounted }, nativeId }) =>
    isCounted || commission.isTest
      ? []
      : [
          {
            ...commission,
            nativeId,
            action: 'dismiss',
            clickId: null,
            origin: 'operator',
            decidedAt: 1,
          } as const,
        ],
  );
  const journeys = named.flatMap(({ entry: { journey }, clickId }) =>
    journey === null || clickId === null ? [] : [{ ...journey, clickId }],
  );
  await store.append({ facts, journeys, decisions });
}

/** Creates a site whose ledger has two matched commissions of one click, two without a click, and a test message. */
export async function createConsoleLedger(
  members: Parameters<typeof createTestConsole>[0] = {},
): Promise<ConsoleSite> {
  const terms = { ...DEFAULT_TERMS, network: 'firstpromoter' } as const;
  const partners = new Map([['highlevel', buildPartner('highlevel', { name: 'GoHighLevel', terms })]]);
  const site = await createTestConsole({ content: { partners }, ...members });
  const clickTime = buildSampleJourney().clickTime;
  const click = buildSampleEvent({
    id: FREE_CLICK,
    name: 'affiliate_redirect',
    session: '',
    page: '/review',
    data: { partner: 'highlevel', source: 'final', entry_page: 'home' },
    serverTime: clickTime + DAY_MS,
  });
  await site.visitors.events.append([click]);
  const matched = { clickId: SAMPLE_CLICK };
  const booked = clickTime + 2 * DAY_MS;
  await site.money.ledger.append({
    journeys: [buildSampleJourney()],
    raw: { id: 'raw-1', partner: 'highlevel', arrivedAt: booked, content: '{"id":"1001","note":"<b>"}' },
    facts: [
      buildSampleFact({ eventTime: booked, changeTime: booked }, { ...matched, rawId: 'raw-1' }),
      buildSampleFact(
        { status: 'approved', eventTime: booked, changeTime: booked + 10 * DAY_MS },
        { ...matched, arrivedAt: booked + 10 * DAY_MS },
      ),
      buildSampleFact({ nativeId: '1002', amount: 2_500, currency: 'EUR', eventTime: booked }, matched),
      buildSampleFact({ nativeId: '1003', amount: 900, token: FREE_CLICK, eventTime: booked }),
      buildSampleFact({ nativeId: '1004', amount: 700, eventTime: booked, clickTime: click.serverTime + 5 }),
      buildSampleFact({ nativeId: '1005', isTest: true, eventTime: booked }),
    ],
  });
  return site;
}

/** Builds a request of an operator who may do everything, for the days around the ledger's commissions. */
export function buildViewRequest(
  change: Partial<ViewRequest> & { readonly search?: string } = {},
): ViewRequest {
  const { search = '', ...rest } = change;
  return {
    query: {
      range: 'custom',
      from: '2025-11-01',
      to: '2026-01-31',
      model: 'last',
      currency: null,
      sort: null,
      filters: [],
      weekStart: 'monday',
    },
    parameters: new URLSearchParams(search),
    rest: [],
    viewer: { kind: 'operator', id: 'o-1', name: 'Ada', capabilities: CAPABILITIES, isConfirmed: true },
    formToken: 'token-1',
    ...rest,
  };
}

/** Builds a posted form. */
export function buildForm(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/**
 * Posts a form to a view, as the console does after it has checked origin, token and confirmation. Rejects when the viewer
 * may not.
 */
export async function postForm(
  site: ConsoleSite,
  view: ConsoleViewKey,
  fields: FormData | Readonly<Record<string, string>>,
  change: Parameters<typeof buildViewRequest>[0] = {},
): Promise<ActionResult> {
  const { query: _, ...request } = buildViewRequest(change);
  const { uploads } = site.platform;
  const form = fields instanceof FormData ? fields : buildForm(fields);
  if (uploads !== null)
    for (const [name, value] of [...form])
      if (value instanceof File) form.set(name, await storeFile(uploads, value.name, await value.bytes()));
  const result = await runAction(site, form, { ...request, view });
  await uploads?.release(form);
  if (result === null) throw new Error('the viewer may not do this');
  return result;
}

/** Posts a form that does something and shows what it did. */
export async function postChange(...sent: Parameters<typeof postForm>): Promise<ActionOutcome> {
  const result = await postForm(...sent);
  if (!('location' in result)) throw new Error('the form is shown again');
  return result;
}

/** Renders what a view shows, with what its parts need of the frame. */
export const renderInFrame = (content: ReactNode, frame: Partial<ConsoleFrame> = {}): string =>
  renderToStaticMarkup(
    createElement(FrameContext, { value: { timeZone: 'UTC', ...frame } as ConsoleFrame }, content),
  );

/** Renders what a view shows, with the forms that its viewer may use. */
export function renderWithForms(
  view: ConsoleViewKey,
  viewer: ConsoleViewer,
  content: ReactNode,
  frame: Partial<ConsoleFrame> = {},
): string {
  const value = { token: 'token-1', actions: listActions(view, viewer) };
  return renderInFrame(createElement(FormContext, { value }, content), { view, viewer, ...frame });
}

/** Reads every commission of a query, as its export has them. */
export async function readAllCommissions(site: ConsoleSite, request: ViewRequest) {
  const rows: ScheduledRow[] = [];
  for await (const page of readCommissionPages(site, request)) rows.push(...page);
  return rows;
}
