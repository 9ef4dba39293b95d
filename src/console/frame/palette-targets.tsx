import type { ConsoleFrame } from '../console-page.ts';
import { buildConsoleAddress } from '../figures/build-console-address.ts';

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
