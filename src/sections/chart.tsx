import { formatValue } from '../core/charts/format-value.ts';
import { ChartLabels } from './chart-labels.tsx';
import { ChartSwatch } from './chart-swatch.tsx';
import { InlineText } from './inline-text.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** A chart (`children`: its island) beside the same figures as a table. */
export function ChartSection({ section, context, children }: SectionProps<'chart'>) {
  const { kind, items, unit, per } = section;
  return (
    <SectionFrame section={section} context={context}>
      <figure className="charted grid items-center gap-x-14 gap-y-8 lg:grid-cols-2">
        <div className={`chart chart-${kind}`}>
          {kind === 'efficiency' && <ChartLabels items={items} unit={unit} per={per} isDown />}
          {children}
          {kind === 'bars' && <ChartLabels items={items} unit={unit} per={per} />}
        </div>
        <div>
          <table className="ledger n w-full">
            <thead>
              <tr>
                <th scope="col">{section.labelHeading}</th>
                <th scope="col" data-numeric>
                  {section.valueHeading}
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ label, value, look, detail }) => (
                <tr key={label}>
                  <th scope="row">
                    <ChartSwatch look={look} />
                    {label}
                    {detail !== undefined && (
                      <span className="block text-sm font-normal text-muted">{detail}</span>
                    )}
                  </th>
                  <td data-numeric>{formatValue(value, unit)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <figcaption className="mt-4 text-sm text-muted">
            <InlineText text={section.caption} calls={context.calls} />
          </figcaption>
        </div>
      </figure>
    </SectionFrame>
  );
}
