import type { ReactNode } from 'react';
import { CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import { isOwner } from '../../core/console/operator.ts';
import type { ConsoleFrame } from '../console-page.ts';
import { buildConsoleAddress } from '../figures/addresses.ts';
import { formatChosenPeriod, formatTime } from '../figures/format.ts';
import { CLOCK_NAMES, describeFilters, MODEL_NAMES } from '../figures/names.ts';
import { FilterBar, FilterChips } from './filter-bar.tsx';
import { PaletteTargets, Rail, RailSheet } from './rail.tsx';

/** What is around every view: navigation, period and filters, notices, title. */
export function Frame({ frame, children }: { readonly frame: ConsoleFrame; readonly children: ReactNode }) {
  const { siteName, isSample, view, title, query, notice, problems, rest, viewer } = frame;
  const isShared = viewer.kind === 'share';
  const hasPeriod = CONSOLE_VIEWS.some((one) => one.key === view && one.hasPeriod) && rest.length === 0;
  const { from, to, clock, model } = query;
  return (
    <div className="console" data-view={view}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      {!isShared && <RailSheet frame={frame} />}
      <Rail frame={frame} />
      <PaletteTargets frame={frame} />
      <main id="main" className="console-main" tabIndex={-1}>
        {isSample && <p className="sample-note">Sample data: every figure here was generated.</p>}
        {hasPeriod && (isShared ? <SharedPeriod frame={frame} /> : <Filters frame={frame} />)}
        <p className="statement-head">
          <b>{siteName}</b>
          {hasPeriod && <span>{`${from} to ${to} · ${CLOCK_NAMES[clock]} · ${MODEL_NAMES[model]}`}</span>}
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
        {/* The overview begins with its sentence, one commission or page with its name. */}
        {view !== 'overview' && rest.length === 0 && <h1 className="view-title">{title}</h1>}
        {children}
      </main>
    </div>
  );
}

function Filters({ frame }: { readonly frame: ConsoleFrame }) {
  const { view, query, currencies } = frame;
  const action = buildConsoleAddress(view);
  const bar = <FilterBar view={view} query={query} action={action} currencies={currencies} />;
  const { clock, model } = query;
  return (
    <>
      <div className="bar">{bar}</div>
      <details className="bar-sheet">
        <summary>
          <b>{formatChosenPeriod(query)}</b>
          <span className="sheet-label">
            by {CLOCK_NAMES[clock].toLowerCase()}, {MODEL_NAMES[model].toLowerCase()}
          </span>
        </summary>
        <div className="bar-sheet-body">
          {bar}
          <ShareLink frame={frame} />
        </div>
      </details>
      <ShareLink frame={frame} />
      <FilterChips frame={frame} />
    </>
  );
}

/** Opens the form that creates a share link, filled in with this view; for owners, who alone may create one. */
function ShareLink({ frame: { view, viewer, parameters } }: { readonly frame: ConsoleFrame }) {
  const isShareable = CONSOLE_VIEWS.some(({ key, isShareable }) => key === view && isShareable);
  if (!isOwner(viewer) || !isShareable) return null;
  const share = `${buildConsoleAddress(view)}${parameters && `?${parameters}`}`;
  return (
    <p className="share-link">
      <a href={`${buildConsoleAddress('settings', {}, { extra: { share } })}#share`}>Share this view</a>
    </p>
  );
}

/** What a shared view is limited to, in words. */
function SharedPeriod({
  frame: { siteName, query, names, timeZone, sharedUntil },
}: {
  readonly frame: ConsoleFrame;
}) {
  const { clock, model } = query;
  const end = sharedUntil === null ? [] : [`open until ${formatTime(sharedUntil, timeZone)}`];
  const filters = describeFilters(query, names);
  const parts = [formatChosenPeriod(query), CLOCK_NAMES[clock], MODEL_NAMES[model], ...filters, ...end];
  return (
    <p className="shared-note">
      <b className="shared-brand">{siteName}</b>
      {parts.join(' · ')}
    </p>
  );
}
