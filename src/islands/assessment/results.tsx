import { type FormEvent, useState } from 'react';
import {
  type Answers,
  type AssessmentView,
  buildAnswersFragment,
  buildViewAddress,
} from '../../core/assessment/answers.ts';
import type { Assessment, Outcome, Question } from '../../core/assessment/assessment.schema.ts';
import {
  buildAdvice,
  buildComparison,
  buildConversionLabel,
  type ComparisonRow,
} from '../../core/assessment/recommend-platform.ts';
import { ASSESSMENT_PATH, buildAddress, COMPARISON_PATH, CONTACT_PATH } from '../../core/paths.ts';
import { SEE_PRICE } from '../../core/products/price.ts';
import { Icon } from '../../ui/icon.tsx';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { SourcedText } from '../../ui/sourced-text.tsx';
import { type AssessmentContent, fillText, RESULTS_SOURCE } from './assessment-props.ts';
import { AnswerList } from './question-form.tsx';

/** The recommendation with everything that can be checked about it. */
export function Results(props: {
  readonly content: AssessmentContent;
  readonly answers: Answers;
  /** Whether the answers came with a link and are another visitor's. */
  readonly linked: boolean;
  /** Global Privacy Control: links carry no answers. */
  readonly gpc: boolean;
  readonly onGo: (view: AssessmentView) => void;
  readonly onRetake: () => void;
}) {
  const { content, answers, linked } = props;
  const { results } = content.copy;
  const { outcome, plan, cost, reasons, dearer, challenges, notes } = buildAdvice(content, answers);
  const fitting = plan === undefined ? undefined : content.plans[plan];
  const link = {
    outcome,
    answers,
    gpc: props.gpc,
    href: content.hrefs[outcome.key] ?? '',
    terms: fitting && fillText(outcome.ctaPlan ?? results.button, fitting),
  };
  return (
    <article className="results">
      {linked && (
        <p className="note mb-8" data-print="hide">
          {results.fromLink}
        </p>
      )}
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[1.25fr_0.75fr]">
        <ResultHead
          copy={results}
          disclosure={content.disclosure}
          paidHref={content.paidHref}
          plan={fitting}
          cost={cost?.includes(SEE_PRICE) ? undefined : cost}
          {...link}
        />
        <AnswerList content={content} answers={answers} onGo={linked ? null : props.onGo} />
      </div>
      <section className="result-part">
        <h2 className="text-2xl">{results.why}</h2>
        <div>
          <ReasonList reasons={reasons} />
          {dearer.map((needed) => (
            <DearerPlan key={needed.plan} needed={needed} content={content} />
          ))}
          <p className="mt-6" data-print="hide">
            <ResultLink {...link} position="reasons" />
          </p>
        </div>
      </section>
      <NoteList title={results.challenges} notes={challenges} />
      <NoteList title={results.plan} notes={notes} />
      <StopPart outcome={outcome} content={content} />
      <OutcomeTable copy={results} rows={buildComparison(content, answers)} />
      <p className="mt-10" data-print="hide">
        <ResultLink {...link} position="end" />
      </p>
      <ResultTools
        copy={results}
        questions={content.questions}
        answers={answers}
        linked={linked}
        onRetake={props.onRetake}
      />
    </article>
  );
}

/** A dearer plan, with the answers that need it. */
function DearerPlan(props: {
  readonly needed: ReturnType<typeof buildAdvice>['dearer'][number];
  readonly content: AssessmentContent;
}) {
  const { needed, content } = props;
  return (
    <div className="mt-6">
      <h3 className="text-lg">{fillText(content.copy.results.needs, content.plans[needed.plan] ?? {})}</h3>
      <div className="mt-3">
        <ReasonList reasons={needed.reasons} />
      </div>
    </div>
  );
}

/** Where the recommended platform ends. */
function StopPart({ outcome, content }: { readonly outcome: Outcome; readonly content: AssessmentContent }) {
  const { results } = content.copy;
  return (
    <section className="result-part">
      <h2 className="text-2xl">{results.stops}</h2>
      <div>
        <p className="note">{outcome.stops}</p>
        <ContradictedClaims copy={results} claims={content.contradicted[outcome.key] ?? []} />
      </div>
    </section>
  );
}

/** Claims about the recommended platform that a source contradicts. */
function ContradictedClaims(props: {
  readonly copy: Assessment['copy']['results'];
  readonly claims: NonNullable<AssessmentContent['contradicted'][string]>;
}) {
  if (props.claims.length === 0) return null;
  return (
    <>
      <p className="mt-5 font-semibold">{props.copy.contradicted}</p>
      <ul className="mt-2 grid gap-2 text-sm text-muted">
        {props.claims.map(({ heading, ...claim }) => (
          <li key={heading}>
            <strong className="font-semibold text-ink">{heading}</strong>: <SourcedText {...claim} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ReasonList({ reasons }: { readonly reasons: readonly string[] }) {
  return (
    <ol className="reasons">
      {reasons.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ol>
  );
}

function NoteList(props: {
  readonly title: string;
  readonly notes: readonly { readonly label: string; readonly text: string }[];
}) {
  return (
    <section className="result-part">
      <h2 className="text-2xl">{props.title}</h2>
      <dl>
        {props.notes.map(({ label, text }) => (
          <div key={label} className="ledger-row">
            <dt className="tabular font-semibold">{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The recommended platform, the disclosure, the call to action and the two ways to think it over. */
export function ResultHead(
  props: ResultLinkProps & {
    readonly copy: Assessment['copy']['results'];
    readonly disclosure: string;
    readonly paidHref: string;
    /** The plan that fits the budget; left out when the budgets name none. */
    readonly plan?: AssessmentContent['plans'][string] | undefined;
    /** What it costs of the budget; the plan's price when left out. */
    readonly cost?: string | undefined;
  },
) {
  const { copy, outcome, plan } = props;
  const cost = props.cost ?? (plan && fillText(copy.fits, plan));
  return (
    <div>
      <p className="text-sm font-semibold text-muted">{copy.title}</p>
      <h1 className="mt-3 text-4xl outline-none" tabIndex={-1}>
        {fillText(copy.platform, { platform: outcome.platform })}
      </h1>
      <p className="mt-3 text-lg font-semibold text-positive">{outcome.kind}</p>
      <p className="mt-4 max-w-text text-lg">{outcome.description}</p>
      <p data-disclosure className="mt-6 max-w-text border-l-3 border-marker pl-4 text-sm text-muted">
        {props.disclosure} <a href={props.paidHref}>{copy.paid}</a>
      </p>
      {cost && <p className="tabular mt-6 font-display text-xl font-semibold">{cost}</p>}
      <div className="mt-6 flex flex-wrap gap-3" data-print="hide">
        <ResultLink
          outcome={outcome}
          answers={props.answers}
          href={props.href}
          gpc={props.gpc}
          terms={props.terms}
          position="result"
        />
        <a className="button button-quiet" href={COMPARISON_PATH}>
          {copy.compare}
        </a>
        <a className="button button-quiet" href={buildAddress(CONTACT_PATH, { topic: 'expert' })}>
          {copy.expert}
        </a>
      </div>
      <p className="mt-5 max-w-text text-sm text-muted">{copy.commission}</p>
    </div>
  );
}

export interface ResultLinkProps {
  readonly outcome: Outcome;
  readonly answers: Answers;
  /** Address of the redirect to the outcome's partner. */
  readonly href: string;
  /** Global Privacy Control: the link carries no answers. */
  readonly gpc: boolean;
  /** The plan that fits the budget and its price, on the button; left out when the budgets name none. */
  readonly terms?: string | undefined;
}

/** The button that leads to the recommended platform. `position`: the part of the result that it is in. */
function ResultLink(props: ResultLinkProps & { readonly position: string }) {
  const { outcome, answers } = props;
  const { businessType, budget } = answers;
  return (
    <PartnerLink
      href={buildAddress(props.href, { answers: props.gpc ? undefined : JSON.stringify(answers) })}
      source={RESULTS_SOURCE}
      event="assessment_conversion"
      label={buildConversionLabel(answers, outcome)}
      value={1}
      data={{ business_type: businessType, budget, platform: outcome.platform }}
      position={props.position}
      className="button button-primary"
    >
      <span>
        {outcome.ctaText}
        {props.terms !== undefined && (
          <>
            {' '}
            <span className="block text-sm font-normal">{props.terms}</span>
          </>
        )}
      </span>
    </PartnerLink>
  );
}

type Copied = { readonly done: true } | { readonly done: false; readonly link: string };

/** Copies a link to the result, prints it, or starts over. The link has the answers in its fragment. */
function ResultTools(props: {
  readonly copy: Assessment['copy']['results'];
  readonly questions: readonly Question[];
  readonly answers: Answers;
  readonly linked: boolean;
  readonly onRetake: () => void;
}) {
  const { copy } = props;
  const [copied, setCopied] = useState<Copied | null>(null);
  const share = async () => {
    const fragment = buildAnswersFragment(props.answers, props.questions);
    const link = `${location.origin}${buildViewAddress({ name: 'results' })}#${fragment}`;
    try {
      await navigator.clipboard.writeText(link);
      setCopied({ done: true });
    } catch {
      setCopied({ done: false, link });
    }
  };
  const retake = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    props.onRetake();
  };
  return (
    <div className="mt-12 border-t-2 border-line-strong pt-6" data-print="hide">
      <div className="flex flex-wrap gap-3">
        <form method="get" action={ASSESSMENT_PATH} onSubmit={retake}>
          <button type="submit" className="button button-quiet">
            <Icon name="refresh" />
            {props.linked ? copy.own : copy.retake}
          </button>
        </form>
        <button type="button" className="button button-quiet noscript:hidden" onClick={() => void share()}>
          <Icon name="link" />
          {copy.share}
        </button>
        <button type="button" className="button button-quiet noscript:hidden" onClick={() => print()}>
          <Icon name="printer" />
          {copy.print}
        </button>
      </div>
      <p role="status" className="mt-3 min-h-6 text-sm text-muted">
        {copied?.done === true && copy.shared}
        {copied?.done === false && (
          <>
            {copy.shareFailed}: <span className="break-all select-all text-ink">{copied.link}</span>
          </>
        )}
      </p>
    </div>
  );
}

/**
 * The whole rule in one table: every platform, what leads to it, where it stops. On phones it becomes a list of
 * platforms, in which each cell names its column.
 */
function OutcomeTable(props: {
  readonly copy: Assessment['copy']['results'];
  readonly rows: readonly ComparisonRow[];
}) {
  const { copy, rows } = props;
  const columns = copy.compareColumns;
  return (
    <section>
      <h2 id="compare-title" className="text-2xl">
        {copy.compareTitle}
      </h2>
      <p className="mt-3 max-w-text text-muted">{copy.compareLead}</p>
      <table aria-labelledby="compare-title" className="rule-table">
        <thead>
          <tr>
            <th scope="col">{columns.platform}</th>
            <th scope="col">{columns.when}</th>
            <th scope="col">{columns.stops}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.platform} className={row.chosen ? 'bg-positive-wash' : ''}>
              <th scope="row">
                {row.platform}
                <span className="block text-sm font-normal text-muted">{row.kind}</span>
                {row.chosen && <span className="block text-sm text-positive">{copy.chosen}</span>}
              </th>
              <td data-column={columns.when}>
                {row.types.map(({ label, yours }) => (
                  <span key={label} className="block">
                    {yours ? <strong>{label}</strong> : label}
                    {yours && <span className="block text-sm text-positive">{copy.yours}</span>}
                  </span>
                ))}
              </td>
              <td data-column={columns.stops}>{row.stops}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
