import { formatDay } from '../figures/format-figures.ts';
import type { ChartAnnotation } from './chart-annotation.ts';

/** What the numbers at the top of a chart stand for; nothing without any. */
export function ChartNotes({ annotations }: { readonly annotations: readonly ChartAnnotation[] }) {
  if (annotations.length === 0) return null;
  return (
    <ol className="chart-notes" aria-label="What changed">
      {annotations.map(({ day, text }) => (
        <li key={`${day} ${text}`}>
          {formatDay(day)}: {text}
        </li>
      ))}
    </ol>
  );
}
