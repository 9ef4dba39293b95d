import { ChartLabels, ChartPlot, ChartRows, ChartSwatch, formatChartItem } from '../../ui/charts.tsx';
import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** A chart beside a table of the same values. */
export function ChartSection({ section, context }: SectionProps<'chart'>) {
  const { kind, items, unit, per, base, rest, line } = section;
  const caption = (
    <Text
      as="figcaption"
      className="mt-4 max-w-text text-sm text-muted"
      text={section.caption}
      cta={context.cta}
    />
  );
  if (kind === 'rows')
    return (
      <SectionFrame section={section} context={context}>
        <figure className="chart">
          <ChartRows
            items={items}
            unit={unit}
            headings={[
              section.labelHeading,
              per === undefined ? section.valueHeading : `${section.valueHeading}, ${per}`,
            ]}
            base={base}
            rest={rest}
            line={line}
          />
          {caption}
        </figure>
      </SectionFrame>
    );
  return (
    <SectionFrame section={section} context={context}>
      <figure className="chart grid grid-cols-[minmax(0,1fr)] gap-x-14 lg:grid-cols-2">
        <div
          className={`mb-8 lg:row-span-2 lg:mb-0 lg:self-center ${kind === 'efficiency' ? 'grid grid-cols-[minmax(7rem,auto)_minmax(0,1fr)]' : ''}`}
        >
          {kind === 'efficiency' && <ChartLabels items={items} unit={unit} per={per} isHorizontal />}
          <ChartPlot kind={kind} items={items} unit={unit} per={per} />
          {kind === 'bars' && <ChartLabels items={items} unit={unit} per={per} />}
        </div>
        <table className="data-table tabular w-full self-end" aria-label={section.title ?? unit}>
          <thead>
            <tr>
              <th scope="col">{section.labelHeading}</th>
              <th scope="col" data-numeric>
                {section.valueHeading}
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.label}>
                <th scope="row">
                  <ChartSwatch variant={item.variant} />
                  {item.label}
                  {item.detail !== undefined && (
                    <span className="block text-sm font-normal text-muted">{item.detail}</span>
                  )}
                </th>
                <td data-numeric>{formatChartItem(item, unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {caption}
      </figure>
    </SectionFrame>
  );
}
