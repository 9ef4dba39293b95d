import { InlineText, Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** The card of a report's findings: each as it is claimed, by whom, its source, and whether it adds up. */
export function FindingsSection({ section, context }: SectionProps<'findings'>) {
  const { cta } = context;
  const hasWho = section.items.some(({ by }) => by);
  const hasSource = section.items.some(({ status }) => status);
  return (
    <SectionFrame section={section} context={context}>
      <div className="rounded-lg border border-line bg-raised px-5 py-3 sm:px-8 sm:py-5">
        <table className="data-table table-stacked w-full" aria-label={section.title}>
          <thead>
            <tr className="*:bg-raised">
              <th scope="col" className="w-1/3">
                As claimed
              </th>
              {hasWho && <th scope="col">By whom</th>}
              {hasSource && <th scope="col">Source</th>}
              <th scope="col" className="w-2/5">
                Does it add up?
              </th>
            </tr>
          </thead>
          <tbody>
            {section.items.map(({ figure, label, by, status, text }) => (
              <tr key={label}>
                <th scope="row">
                  <span className="tabular mr-2 font-display text-lg font-semibold">{figure}</span>
                  <InlineText text={label} cta={cta} />
                </th>
                {hasWho && <Text as="td" data-column="By whom" text={by ?? ''} cta={cta} />}
                {hasSource && <Text as="td" data-column="Source" text={status ?? ''} cta={cta} />}
                <td data-column="Does it add up?">
                  <Text text={text} cta={cta} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </SectionFrame>
  );
}
