import { formatMoney, formatNumber, formatShare, NO_FIGURE } from '../figures/format-figures.ts';
import type { PagePartRow } from './pages-model.ts';

/** The parts of a page from top to bottom, with the clicks and the earnings of the links in each beside it. */
export function PageSchematic(props: { readonly parts: readonly PagePartRow[]; readonly currency: string }) {
  const { parts, currency } = props;
  const most = Math.max(1, ...parts.map(({ figures }) => figures?.clicks ?? 0));
  return (
    <figure className="schematic">
      <figcaption>{describeFinding(parts)}</figcaption>
      <ol>
        {parts.map(({ name, countedWith, figures }) => (
          <li
            key={`${name} ${figures?.places.join() ?? ''}`}
            className={figures === null && countedWith === null ? 'schematic-quiet' : undefined}
          >
            <span className="schematic-part">{name}</span>
            {countedWith !== null && (
              <span className="schematic-shared">counted with “{countedWith}”: the source is the same</span>
            )}
            {figures !== null && (
              <>
                <svg
                  className="schematic-bar"
                  viewBox="0 0 100 10"
                  preserveAspectRatio="none"
                  aria-hidden="true"
                >
                  <rect width={(figures.clicks / most) * 100} height="10" />
                </svg>
                <span className="schematic-figures">
                  {formatNumber(figures.clicks)} {figures.clicks === 1 ? 'click' : 'clicks'}
                  <small>
                    {formatShare(figures.clickRate)} of views · EPC{' '}
                    {figures.epc === null ? NO_FIGURE : formatMoney(figures.epc, currency)}
                    {figures.places.length > 0 && ` · ${figures.places.join(', ')}`}
                  </small>
                </span>
              </>
            )}
          </li>
        ))}
      </ol>
    </figure>
  );
}

function describeFinding(parts: readonly PagePartRow[]): string {
  const clicks = parts.reduce((sum, { figures }) => sum + (figures?.clicks ?? 0), 0);
  const best = parts.reduce<PagePartRow | null>(
    (one, other) => ((other.figures?.clicks ?? 0) > (one?.figures?.clicks ?? 0) ? other : one),
    null,
  );
  if (best === null || clicks === 0) return 'No link of this page was clicked in this period.';
  const shared = parts.filter(({ countedWith }) => countedWith === best.name).length;
  const others =
    shared === 0 ? '' : ` and ${shared} other ${shared === 1 ? 'part' : 'parts'} with the same source`;
  return `${formatShare((best.figures?.clicks ?? 0) / clicks)} of the clicks happen in “${best.name}”${others}.`;
}
