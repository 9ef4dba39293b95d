import { CONSOLE_VIEWS, type ConsoleViewKey } from '../../core/console/console-view.ts';
import { CONSOLE_SIGN_OUT_PATH } from '../../core/paths.ts';
import { BRAND_PATHS } from '../../ui/brand-paths.ts';
import type { ConsoleFrame, ConsoleLink } from '../console-page.ts';
import { buildConsoleAddress } from '../figures/addresses.ts';
import { formatNumber } from '../figures/format.ts';

/** The navigation in groups: what works, what was earned, what runs. */
const GROUPS: readonly (readonly ConsoleViewKey[])[] = [
  ['overview', 'pages', 'placements', 'campaigns', 'assessment', 'journeys'],
  ['commissions', 'unmatched', 'partners', 'import'],
  ['live', 'content', 'messages', 'settings'],
];

/** The navigation beside the view. */
export function Rail({ frame }: { readonly frame: ConsoleFrame }) {
  return (
    <nav className="rail" aria-label="Console">
      <p className="rail-brand">
        <Mark />
        {frame.siteName}
      </p>
      <Groups frame={frame} />
      <Foot frame={frame} />
    </nav>
  );
}

/** The navigation above the view, on narrow screens. */
export function RailSheet({ frame }: { readonly frame: ConsoleFrame }) {
  return (
    <details className="rail-sheet">
      <summary>
        <Mark />
        {frame.title}
      </summary>
      <nav aria-label="Console">
        <Groups frame={frame} />
        <Foot frame={frame} />
      </nav>
    </details>
  );
}

function Groups({ frame: { navigation, view } }: { readonly frame: ConsoleFrame }) {
  const groups = GROUPS.map((keys) =>
    keys.flatMap((key) => navigation.filter((link) => link.view === key)),
  ).filter((links) => links.length > 0);
  return groups.map((links, index) => (
    <ul key={links[0]?.view} className={index === 0 ? undefined : 'rail-group'}>
      {links.map((link) => (
        <Item key={link.view} link={link} isHere={link.view === view} />
      ))}
    </ul>
  ));
}

function Item({
  link: { view, href, name, count },
  isHere,
}: {
  readonly link: ConsoleLink;
  readonly isHere: boolean;
}) {
  return (
    <li>
      <a
        className="rail-link"
        href={href}
        aria-current={isHere ? 'page' : undefined}
        data-go={CONSOLE_VIEWS.find(({ key }) => key === view)?.letter}
        data-name={name}
      >
        {name}
        {count !== null && count > 0 && <span className="rail-count">{formatNumber(count)}</span>}
      </a>
    </li>
  );
}

function Foot({ frame: { viewer, formToken } }: { readonly frame: ConsoleFrame }) {
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
          <button type="submit" className="text-button">
            Sign out
          </button>
        </form>
      </div>
    </div>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true" focusable="false">
      <path className="brand-post" d={`${BRAND_PATHS.post}${BRAND_PATHS.right}`} />
      <path className="brand-arm" d={BRAND_PATHS.left} />
    </svg>
  );
}

/** Links to every page and partner, which only the command palette shows: `/` finds them in every view. */
export function PaletteTargets({ frame: { names, query, viewer } }: { readonly frame: ConsoleFrame }) {
  if (viewer.kind === 'share') return null;
  const targets = (['page', 'partner'] as const).flatMap((kind) =>
    [...names[`${kind}s`]].map(([value, name]) => ({ kind, value, name })),
  );
  const { range, from, to, compare, clock, model, currency } = query;
  const period = { range, from, to, compare, clock, model, currency };
  return (
    <div hidden>
      {targets.map(({ kind, value, name }) => {
        const filters = [{ dimension: kind, value, isNot: false }];
        const href = buildConsoleAddress(kind === 'page' ? 'pages' : 'partners', { ...period, filters });
        return (
          <a
            key={href}
            href={href}
            data-palette={kind}
            data-name={kind === 'page' ? `${name} ${value}` : name}
          >
            {name}
          </a>
        );
      })}
    </div>
  );
}
