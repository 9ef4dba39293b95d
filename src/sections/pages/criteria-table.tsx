import { formatLongDate } from '../../core/articles/article-copy.ts';
import { type Answer, type CriterionAnswer, describePoints } from '../../core/products/criteria.ts';
import type { Product } from '../../core/products/product.ts';
import { InlineText } from './inline-text.tsx';
import { findProducts } from './product-parts.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

const LABELS: Readonly<Record<Answer, string>> = { yes: 'Yes', partly: 'Partly', no: 'No', open: 'Open' };
const PIP_STEP = 17;

/** Products by criteria: the points of each as pips, or every question with each product's answer and its source. */
export function CriteriaTableSection({ section, context }: SectionProps<'criteria-table'>) {
  const products = findProducts(context, section.products);
  const hasQuestions = section.criteria.some(({ questions }) => questions !== undefined);
  const columns = hasQuestions
    ? products.map(({ name }) => name)
    : section.criteria.map(({ title }) => title);
  return (
    <SectionFrame section={section} context={context}>
      <table className="data-table table-stacked w-full">
        <caption className="sr-only">{section.title ?? columns.join(', ')}</caption>
        <thead>
          <tr>
            <th scope="col">{hasQuestions ? 'Question' : 'Platform'}</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {hasQuestions ? (
          section.criteria.map(({ key, title, questions = {} }) => (
            <tbody key={key}>
              <tr>
                <th scope="rowgroup" colSpan={products.length + 1}>
                  {title}
                </th>
              </tr>
              {Object.entries(questions).map(([name, question]) => (
                <tr key={name}>
                  <th scope="row">
                    <InlineText text={question} cta={context.cta} />
                  </th>
                  {products.map((product) => (
                    <td key={product.key} data-column={product.name}>
                      <AnswerCell answer={product.criteria[key]?.find((one) => one.key === name)} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))
        ) : (
          <tbody>
            {products.map((product) => (
              <PointsRow key={product.key} product={product} criteria={section.criteria} />
            ))}
          </tbody>
        )}
      </table>
    </SectionFrame>
  );
}

function PointsRow(props: {
  readonly product: Product;
  readonly criteria: readonly { readonly key: string; readonly title: string }[];
}) {
  return (
    <tr>
      <th scope="row" className="font-display text-lg">
        {props.product.name}
      </th>
      {props.criteria.map(({ key, title }) => {
        const answers = props.product.criteria[key] ?? [];
        return (
          <td
            key={key}
            data-column={title}
            className="max-[47rem]:col-span-full max-[47rem]:grid max-[47rem]:grid-cols-[8.5rem_1fr] max-[47rem]:items-center"
          >
            <span className="flex flex-wrap items-center gap-x-3">
              <Pips answers={answers.map(({ answer }) => answer)} />
              <span className="tabular whitespace-nowrap">{describePoints(answers)}</span>
            </span>
          </td>
        );
      })}
    </tr>
  );
}

function AnswerCell({ answer }: { readonly answer: CriterionAnswer | undefined }) {
  if (answer === undefined) return null;
  const { why, source } = answer;
  return (
    <>
      <span className="flex items-center gap-1.5 font-semibold">
        <Pips answers={[answer.answer]} />
        {LABELS[answer.answer]}
      </span>
      {why !== undefined && <span className="mt-1 block text-sm">{why}</span>}
      {source !== undefined && (
        <span className="mt-1 block text-sm text-muted">
          <a href={source.href} rel="noopener">
            {source.title}
          </a>
          {`, ${formatLongDate(source.checked)}`}
        </span>
      )}
    </>
  );
}

/** Answers as shapes that differ without color: filled, half filled, empty, dashed. */
function Pips({ answers }: { readonly answers: readonly Answer[] }) {
  const width = answers.length * PIP_STEP - 1;
  return (
    <span className="shrink-0 text-accent">
      <svg
        aria-hidden
        viewBox={`0 0 ${width} 16`}
        width={width}
        height="16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      >
        {answers.map((answer, index) => {
          const left = index * PIP_STEP;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the answers stay where they are
            <g key={index}>
              <circle
                cx={left + 8}
                cy="8"
                r="6.5"
                fill={answer === 'yes' ? 'currentColor' : undefined}
                strokeDasharray={answer === 'open' ? '2 2.6' : undefined}
              />
              {answer === 'partly' && <path d={`M${left + 8} 1.5a6.5 6.5 0 0 0 0 13z`} fill="currentColor" />}
            </g>
          );
        })}
      </svg>
    </span>
  );
}
