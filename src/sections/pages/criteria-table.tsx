import { formatLongDate } from '../../core/articles/article-copy.ts';
import { type Answer, describePoints, type Product } from '../../core/products/product.ts';
import { ComparisonTableSection } from './comparison-table.tsx';
import { findProducts } from './product-parts.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** Products by criteria: the points of each as circles, or every question with each product's answer and its source. */
export function CriteriaTableSection({ section, context }: SectionProps<'criteria-table'>) {
  const { criteria, products: keys, title = 'Points of each platform', ...rest } = section;
  const products = findProducts(context, keys);
  const rows = criteria.flatMap(({ key, title: group, questions = {} }) =>
    Object.entries(questions).map(([name, label], index) => ({
      ...(index === 0 ? { group } : {}),
      label,
      cells: products.map((product) => describeAnswer(product, key, name)),
    })),
  );
  if (rows.length > 0) {
    const columns = products.map(({ name }) => ({ label: name, numeric: false, recommended: false }));
    const table = { caption: title, rowHeading: 'Question', columns, rows, sums: [] };
    return (
      <ComparisonTableSection
        section={{ ...rest, ...table, title, type: 'comparison-table' }}
        context={context}
      />
    );
  }
  return (
    <SectionFrame section={section} context={context}>
      <table className="data-table table-stacked w-full">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Platform</th>
            {criteria.map((one) => (
              <th key={one.key} scope="col">
                {one.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <tr key={product.key}>
              <th scope="row" className="font-display text-lg">
                {product.name}
              </th>
              {criteria.map((one) => (
                <td key={one.key} data-column={one.title}>
                  <Points
                    answers={Object.values(product.criteria[one.key] ?? {}).map(({ answer }) => answer)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </SectionFrame>
  );
}

/** `**Yes.** Pipelines are free. [Price page](https://…), August 13, 2026` */
function describeAnswer({ criteria, sources }: Product, criterion: string, question: string): string {
  const { answer = 'open', why = '', source: named } = criteria[criterion]?.[question] ?? {};
  const source = sources.find(({ key }) => key === named);
  const read = source && `[${source.title}](${source.href}), ${formatLongDate(source.checked)}`;
  return [`**${answer[0]?.toUpperCase()}${answer.slice(1)}.**`, why, read].filter(Boolean).join(' ');
}

/** Answers as circles that differ without color: filled, half filled, empty, dashed. */
function Points({ answers }: { readonly answers: readonly Answer[] }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 text-accent">
      <svg
        aria-hidden
        width={17 * answers.length}
        height="16"
        className="fill-none stroke-current"
        strokeWidth="1.5"
      >
        {answers.map((answer, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the answers stay where they are
          <g key={index} transform={`translate(${index * 17} 0)`}>
            <circle cx="8" cy="8" r="6.5" strokeDasharray={answer === 'open' ? '2 2.6' : undefined} />
            {answer === 'yes' && <circle cx="8" cy="8" r="6.5" className="fill-current" />}
            {answer === 'partly' && <path d="M8 1.5a6.5 6.5 0 0 0 0 13z" className="fill-current" />}
          </g>
        ))}
      </svg>
      <span className="tabular whitespace-nowrap text-ink">{describePoints(answers)}</span>
    </span>
  );
}
