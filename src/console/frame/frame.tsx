import { Fragment, type ReactNode } from 'react';
import type { ForeignMoney } from '../../core/commissions/exchange-rates.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import { BRAND_PATHS } from '../../core/pages/brand/brand-paths.ts';
import { CONSOLE_SIGN_OUT_PATH } from '../../core/paths.ts';
import { AccessPage, ConfirmForm, KeptForm, RefusalNote, SetupForm, SignInForm } from '../access/pages.tsx';
import { type ConsolePage, FrameContext, useFrame } from '../console-page.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatChosenPeriod, formatDay, formatMoney, formatNumber, formatTime } from '../reports/format.ts';
import { describeFilters, describeFilterValue } from '../reports/names.ts';
import { describeWithoutJourney } from '../reports/without-journey.ts';
import { FilterBar, FilterChips, SiteMenu } from './filter-bar.tsx';
import { Submit } from './forms.tsx';

/** Everything in the body of a page of the console. */
export function ConsoleDocument({ page }: { readonly page: ConsolePage }) {
  switch (page.kind) {
    case 'view':
      return (
        <FrameContext value={page.frame}>
          <Frame>{page.content}</Frame>
        </FrameContext>
      );
    case 'sign-in':
      return <SignInForm page={page} />;
    case 'confirm':
      return <ConfirmForm page={page} />;
    case 'setup':
      return <SetupForm page={page} />;
    case 'kept':
      return <KeptForm page={page} />;
    case 'refused':
      return <RefusalNote page={page} />;
    case 'reload':
      return (
        <AccessPage siteName={page.siteName} title="Opening the console">
          <p>
            <a href={page.href}>Open it now</a>
          </p>
        </AccessPage>
      );
  }
}

/** The title of a page, for the tab of the browser. */
export function buildConsoleTitle(page: ConsolePage): string {
  switch (page.kind) {
    case 'view': {
      const { names, query, siteName, title } = page.frame;
      const [only, ...more] = query.filters;
      const isOne = only !== undefined && more.length === 0 && !only.isNot;
      return [...(isOne ? [describeFilterValue(names, only)] : []), title, siteName].join(' · ');
    }
    case 'sign-in':
      return `Sign in · ${page.siteName}`;
    case 'confirm':
      return `Confirm · ${page.siteName}`;
    case 'setup':
      return `Set up · ${page.siteName}`;
    case 'kept':
    case 'refused':
      return `${page.title} · ${page.siteName}`;
    case 'reload':
      return page.siteName;
  }
}

/** What is around every view: navigation, period and filters, notices, title. */
function Frame({ children }: { readonly children: ReactNode }) {
  const { siteName, isSample, view, query, hasRange, notice, problems, rest, viewer } = useFrame();
  // The page on which a site begins leads nowhere else yet.
  const isStart = view === 'settings' && rest[0] === 'start';
  const isShared = viewer.kind === 'share';
  const hasPeriod =
    CONSOLE_VIEWS.some((one) => one.key === view && one.hasPeriod) && rest.length === 0 && hasRange;
  const { from, to } = query;
  return (
    <div className={isStart ? 'start' : 'console'} data-view={view}>
      <a
        className="absolute left-3 -top-16 z-20 py-[.6rem] px-4 rounded-sm bg-accent text-on-accent focus:top-3 print:hidden!"
        href="#main"
      >
        Skip to content
      </a>
      {!isShared && !isStart && <RailSheet />}
      {!isStart && <Rail />}
      {!isStart && <PaletteTabs />}
      <main id="main" className="console-main" tabIndex={-1}>
        {isSample && <SampleNote />}
        {!isStart && <Tabs />}
        {hasPeriod && (isShared ? <SharedPeriod /> : <Filters />)}
        <p className="statement-head hidden">
          <b>{siteName}</b>
          {hasPeriod && <span>{`${from} to ${to}`}</span>}
        </p>
        {notice !== null && (
          <p className="notice" role={notice.isError ? 'alert' : 'status'}>
            {notice.message}
          </p>
        )}
        {problems.map((problem) => (
          <p key={problem} className="problem">
            {problem}
          </p>
        ))}
        <FoldingNote />
        {children}
        <CurrencyNote />
        <JourneyNote />
      </main>
    </div>
  );
}

/** Says that figures were made up, and ends that where an operator has only begun to look. */
function SampleNote() {
  const { isLookingAround, viewer, formToken } = useFrame();
  return (
    <div className="sample-note">
      Sample data: every figure here was generated.{' '}
      {isLookingAround && isAllowed(viewer, 'manage') && (
        <form method="post" action={buildConsoleAddress('settings', {}, { rest: ['start'] })}>
          <input type="hidden" name="token" value={formToken} />
          <input type="hidden" name="action" value="end-sample" />
          <Submit className="text-button">End the sample</Submit>
        </form>
      )}
    </div>
  );
}

function Filters() {
  return (
    <>
      <div className="bar">
        <FilterBar />
        <SiteMenu />
        <ShareLink />
      </div>
      <FilterChips />
    </>
  );
}

/** Opens the form that creates a share link, filled in with this view, for those who may create one. */
function ShareLink() {
  const { view, viewer, parameters } = useFrame();
  const isShareable = CONSOLE_VIEWS.some(({ key, isShareable }) => key === view && isShareable);
  if (!isAllowed(viewer, 'manage') || !isShareable) return null;
  const share = `${buildConsoleAddress(view)}${parameters && `?${parameters}`}`;
  return (
    <p className="share-link">
      <a href={`${buildConsoleAddress('settings', {}, { extra: { share } })}#share`}>Share this view</a>
    </p>
  );
}

/** Which money of other currencies the figures have, at which rates, and which they do not have; absent without any. */
function CurrencyNote() {
  const { foreign } = useFrame();
  if (foreign === null || foreign.currency === null) return null;
  const { currency, converted, missing, isConverted } = foreign;
  if (converted.length + missing.length === 0) return null;
  const newest = converted.map(({ day }) => day ?? '').sort();
  return (
    <p className="currency-note">
      <b>{isConverted ? `All in ${currency}` : `Only ${currency}`}.</b>{' '}
      {converted.length > 0 && (
        <>
          <ForeignAmounts sums={converted} total={currency} />, each at the rate of its day, the newest of{' '}
          {formatDay(newest.at(-1) ?? '', '')}.{' '}
        </>
      )}
      {missing.length > 0 && (
        <span className={isConverted ? 'text-ink' : undefined}>
          {isConverted ? `Not in ${currency}` : 'Not in these figures'}:{' '}
          <ForeignAmounts sums={missing} total={null} />
          {isConverted && ', for which there is no rate'}.{' '}
        </span>
      )}
      {missing.length > 0 && <CurrencyRemedy />}
    </p>
  );
}

/** What of the figures is without journey; absent where everything has one. */
function JourneyNote() {
  const { withoutJourney, view, query } = useFrame();
  const text = withoutJourney === null ? '' : describeWithoutJourney(withoutJourney, view, query);
  return text === '' ? null : <p className="currency-note">{text}</p>;
}

/** What of the figures is not computed yet. */
function FoldingNote() {
  const { folding, view } = useFrame();
  const { waiting, isMore, isOutdated } = folding;
  const isMoney = CONSOLE_VIEWS.some(({ key, showsMoney }) => key === view && showsMoney);
  if (!isMoney || (waiting === 0 && !isOutdated)) return null;
  const count = `${isMore ? 'more than ' : ''}${formatNumber(waiting)}`;
  return (
    <p className="currency-note">
      {isOutdated
        ? 'The rules or terms of commissions have changed: all are computed again, and figures are by the former ones until then.'
        : `${count} commissions with new messages are not in the figures yet.`}
    </p>
  );
}

/** `€945.95 as $1,024.60 and £20.00 as $25.31`: each amount leads to the view in its own currency. */
function ForeignAmounts(props: {
  readonly sums: readonly ForeignMoney[];
  /** The currency of the totals that they are in; null: they are in none. */
  readonly total: string | null;
}) {
  const { sums, total } = props;
  const { view, query, viewer } = useFrame();
  return sums.map((sum, index) => {
    const { currency, amount, reversed, converted } = sum;
    const parts = [
      ...(amount === 0 && reversed !== 0 ? [] : [formatMoney(amount, currency)]),
      // Of what is converted, the reversed money is a figure of its own.
      ...(reversed === 0 || (total !== null && amount !== 0)
        ? []
        : [`${formatMoney(reversed, currency)} reversed`]),
    ];
    const money = parts.join(' and ');
    const text = total !== null || money.includes(currency) ? money : `${money} in ${currency}`;
    const at = view === 'content' ? 'commissions' : view;
    const href = buildConsoleAddress(at, { ...query, currency, sort: null });
    return (
      <Fragment key={currency}>
        {index > 0 && (index === sums.length - 1 ? ' and ' : ', ')}
        {viewer.kind === 'share' ? text : <a href={href}>{text}</a>}
        {total !== null && converted !== null && converted !== 0 && ` as ${formatMoney(converted, total)}`}
      </Fragment>
    );
  });
}

/** Where the figures of all currencies are, or how they can be had. */
function CurrencyRemedy() {
  const { view, query, viewer, foreign, reportingCurrency } = useFrame();
  if (viewer.kind === 'share') return null;
  if (foreign?.isConverted === false && reportingCurrency !== null) {
    const href = buildConsoleAddress(view, { ...query, currency: null, sort: null });
    return <a href={href}>Show all in {reportingCurrency}</a>;
  }
  if (!isAllowed(viewer, 'manage')) return null;
  const text = foreign?.isConverted === true ? 'Add rates' : 'Choose one currency for all';
  return <a href={`${buildConsoleAddress('settings')}#currency`}>{text}</a>;
}

function SharedPeriod() {
  const { siteName, query, names, timeZone, sharedUntil } = useFrame();
  const end = sharedUntil === null ? [] : [`open until ${formatTime(sharedUntil, timeZone)}`];
  const filters = describeFilters(query, names);
  const parts = [formatChosenPeriod(query), ...filters, ...end];
  return (
    <p className="p-[1rem_0_.8rem] hairline-b text-muted">
      <b className="hidden narrow:block narrow:text-ink print:hidden!">{siteName}</b>
      {parts.join(' · ')}
    </p>
  );
}

/** The navigation beside the view. */
function Rail() {
  return (
    <nav className="rail" aria-label="Console">
      <p className="flex items-center gap-2 p-[.1rem_.6rem_.9rem] font-display text-[1.0625rem] weight-650 [&_svg]:size-[1.4rem] [letter-spacing:-0.015em]">
        <Mark />
        {useFrame().siteName}
      </p>
      <Doors />
      <Foot />
    </nav>
  );
}

/** The navigation above the view, on narrow screens. */
function RailSheet() {
  return (
    <details className="rail-sheet">
      <summary>
        <Mark />
        <span className="truncate">{useFrame().title}</span>
      </summary>
      <nav aria-label="Console">
        <Doors />
        <Foot />
      </nav>
    </details>
  );
}

function Doors() {
  const { navigation } = useFrame();
  return (
    <ul>
      {navigation.map(({ name, group, count, tabs }, index) => (
        <li
          key={name}
          className={(navigation[index - 1]?.group ?? group) === group ? undefined : 'rail-group'}
        >
          <a
            className="rail-link"
            href={tabs[0]?.href}
            aria-current={tabs.some(({ isHere }) => isHere) ? 'page' : undefined}
          >
            {name}
            {count > 0 && (
              <span className="min-w-[1.4rem] p-[0_.4rem] rounded-full bg-marker text-on-marker text-[.78rem] weight-500 text-center">
                {formatNumber(count)}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The tabs of the door that is open. */
function Tabs() {
  const door = useFrame().navigation.find(({ tabs }) => tabs.some(({ isHere }) => isHere));
  if (door === undefined || door.tabs.length < 2) return null;
  return (
    <nav className="tabs" aria-label={door.name}>
      {door.tabs.map(({ name, href, isHere }) => (
        <a key={name} href={href} aria-current={isHere ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

function Foot() {
  const { viewer, formToken } = useFrame();
  if (viewer.kind === 'share') return <p className="rail-foot">A shared view, read-only.</p>;
  return (
    <div className="rail-foot">
      <p data-needs-script hidden>
        <kbd>Ctrl K</kbd> find anything
      </p>
      <div>
        {viewer.name} ·{' '}
        <form method="post" action={CONSOLE_SIGN_OUT_PATH}>
          <input type="hidden" name="token" value={formToken} />
          <Submit className="text-button">Sign out</Submit>
        </form>
      </div>
    </div>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true" focusable="false">
      <path className="fill-current" d={`${BRAND_PATHS.post}${BRAND_PATHS.right}`} />
      <path className="fill-accent" d={BRAND_PATHS.left} />
    </svg>
  );
}

/** Every tab, which only the command palette shows. */
function PaletteTabs() {
  return (
    <div hidden>
      {useFrame().navigation.flatMap((door) =>
        door.tabs.map(({ view, rest, name, words = '', href }) => (
          <a
            key={href}
            href={href}
            data-palette="view"
            data-go={rest === undefined ? view : undefined}
            data-name={door.tabs.length > 1 ? `${door.name}: ${name}` : door.name}
            data-words={words}
          >
            {name}
          </a>
        )),
      )}
    </div>
  );
}
