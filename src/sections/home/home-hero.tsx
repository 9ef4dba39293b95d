import { buildCardContent, type OfferCopy } from '../../core/articles/article-copy.ts';
import type { ListedArticle } from '../../core/articles/listed-articles.ts';
import type { SiteDetails } from '../../core/pages/site.schema.ts';
import { BLOG_PATH, HOME_PATH } from '../../core/paths.ts';
import type { Bill, BillLine } from '../../core/savings/calculate-savings.ts';
import type { CalculatorField } from '../../core/savings/calculators.schema.ts';
import { ArticleCard } from '../../ui/cards/article-card.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { Container, Section } from '../../ui/section.tsx';
import { renderMarked } from '../pages/inline-text.tsx';
import { DisclosureLine } from '../shell/notes.tsx';

const TWO_COLUMNS =
  'grid grid-cols-1 gap-x-[clamp(2rem,6vw,5.5rem)] gap-y-12 min-[46rem]:grid-cols-[minmax(0,12fr)_minmax(0,10fr)] lg:grid-cols-[minmax(0,13fr)_minmax(0,10fr)]';

/** The first screen of the front page: what the site is, the offer, three ways to start, and the savings example. */
export function HomeHero(props: {
  readonly site: SiteDetails;
  readonly bill: Bill | null;
  /** Fields of the calculator that the bill has, if it has one. */
  readonly fields: readonly CalculatorField[];
  readonly proof: readonly string[];
  /** Null: the site has no partner yet. */
  readonly offer: OfferCopy | null;
}) {
  const { site, bill, fields, proof, offer } = props;
  return (
    <section data-hero className="py-[clamp(1rem,6vw-0.5rem,5rem)]">
      <Container className={TWO_COLUMNS}>
        <div className="grid grid-cols-1 justify-items-start">
          <p className="font-display text-lg font-semibold">{site.name}</p>
          <p className="text-muted">{site.tagline}</p>
          <h1 className="mt-3 text-[clamp(2.4rem,1.6rem+3.4vw,4.4rem)] leading-[1.02]">
            {renderMarked(site.home.headline)}
          </h1>
          <p className="mt-5 max-w-136 text-muted">{renderMarked(site.home.lead)}</p>
          <DisclosureLine disclosure={site.disclosure} className="mt-5" />
          {site.home.start && (
            <p className="my-4">
              <a
                href={site.home.start.href}
                className="button button-primary"
                data-action="call_to_action"
                data-label="start"
                data-source="home"
                data-position="hero"
              >
                {site.home.start.label}
              </a>
            </p>
          )}
          {offer && !site.home.start && (
            <p className="my-4">
              <PartnerLink {...offer.link} position="hero" className="button button-primary">
                {offer.action}
              </PartnerLink>
            </p>
          )}
          {bill !== null && <Signpost entryPoints={site.home.entryPoints} />}
          <ul className="tabular mt-4 flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-3 text-[0.9rem]">
            {proof.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </div>
        {bill === null && <Signpost entryPoints={site.home.entryPoints} />}
        {bill !== null && site.home.bill && <HomeBill bill={bill} copy={site.home.bill} fields={fields} />}
      </Container>
    </section>
  );
}

function Signpost({ entryPoints }: { readonly entryPoints: SiteDetails['home']['entryPoints'] }) {
  return (
    <nav aria-label="Where to start" className="w-full self-center">
      <ul className="signpost">
        {entryPoints.map(({ label, text, href }) => (
          <li key={href}>
            <a href={href} className="sign">
              <strong>{label}</strong>
              <span>{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type Copy = NonNullable<SiteDetails['home']['bill']>;

const ROW_CLASSES = 'flex flex-wrap items-baseline justify-end gap-x-6 *:first:flex-[1_1_5rem]';

/** The site's argument as a receipt: the price of each tool, the plan that replaces them, and the savings. */
function HomeBill(props: {
  readonly bill: Bill;
  readonly copy: Copy;
  readonly fields: readonly CalculatorField[];
}) {
  const { bill, copy, fields } = props;
  return (
    <div className="bill receipt-shadow w-[min(100%,28rem)] self-center justify-self-center">
      <div className="receipt tabular px-[clamp(1.25rem,4vw,2rem)] pt-7 pb-10">
        <p className={`${ROW_CLASSES} border-b-2 border-line-strong pb-3 text-sm text-muted`}>
          <span>{copy.title}</span>
          <span>{copy.unit}</span>
        </p>
        <dl className="text-[1rem] leading-[1.35]">
          {bill.lines.map((line) => (
            <Line key={line.name} line={line} />
          ))}
          <div className={`${ROW_CLASSES} pt-[0.9rem]`}>
            <dt>{copy.stackLabel}</dt>
            <dd className="text-muted line-through">{bill.stack}</dd>
          </div>
          <div className={`${ROW_CLASSES} border-b-2 border-line-strong pt-[0.3rem] pb-[0.9rem]`}>
            <dt>{copy.planLabel}</dt>
            <dd>{`− ${bill.plan}`}</dd>
          </div>
          <Saving label={copy.savingsLabel} yearLabel={copy.yearLabel} {...bill} />
          {copy.netLabel && bill.net && (
            <Saving label={copy.netLabel} yearLabel={copy.yearLabel} {...bill.net} />
          )}
        </dl>
        <p className="mt-4 text-sm text-muted">
          {copy.note} <a href={copy.link.href}>{copy.link.label}</a>
        </p>
        {copy.calculator && fields.length > 0 && <OwnFigures calculator={copy.calculator} fields={fields} />}
      </div>
    </div>
  );
}

/** One saving, large, with that of a year under it. */
function Saving(props: {
  readonly label: string;
  readonly yearLabel: string | undefined;
  readonly rest: string;
  readonly year: string;
}) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 pt-4 font-semibold">
      <dt>{props.label}</dt>
      <dd className="ml-auto text-right">
        <span className="block font-display normal-nums text-[clamp(2.6rem,2rem+2.4vw,3.6rem)] leading-none font-[680] tracking-[-0.035em] text-positive">
          {props.rest}
        </span>
        {props.yearLabel && (
          <span className="font-normal text-muted">{`${props.year} ${props.yearLabel}`}</span>
        )}
      </dd>
    </div>
  );
}

function Line({ line }: { readonly line: BillLine }) {
  return (
    <div className={`${ROW_CLASSES} border-b border-line py-2`}>
      <dt>{line.name}</dt>
      <dd>{line.amount}</dd>
    </div>
  );
}

/** The fields of a calculator. They lead to its page, which shows the result, so they need no script. */
function OwnFigures(props: {
  readonly calculator: NonNullable<Copy['calculator']>;
  readonly fields: readonly CalculatorField[];
}) {
  const { calculator, fields } = props;
  return (
    <form
      action={`${calculator.page}#${calculator.section}`}
      noValidate
      className="mt-4 border-t border-line pt-2 text-[1rem]"
    >
      {fields.map(({ name, label, kind, unit, default: value, min, max }) => (
        <label key={name} className={`${ROW_CLASSES} py-1`}>
          <span>
            {label}
            {kind === 'amount' && <span className="block text-sm text-muted">{unit}</span>}
          </span>
          <input
            type="number"
            name={name}
            defaultValue={value ?? undefined}
            min={min}
            max={max ?? undefined}
            inputMode={kind === 'count' ? 'numeric' : 'decimal'}
            className="field tabular w-24 max-w-full text-right font-semibold"
          />
        </label>
      ))}
      <button type="submit" className="button button-quiet mt-3 w-full">
        {calculator.button}
      </button>
    </form>
  );
}

/** The front page's call to action. The disclosure is above it, on the first screen. */
export function HomeOffer({ offer }: { readonly offer: OfferCopy }) {
  return (
    <Section background="ink">
      <div className="grid gap-x-[clamp(2rem,6vw,5.5rem)] gap-y-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <h2 className="text-3xl">{offer.title}</h2>
        <div>
          <p className="max-w-text text-lg">{offer.text}</p>
          <p className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
            <PartnerLink {...offer.link} position="final" className="button button-primary">
              {offer.action}
            </PartnerLink>{' '}
            <a href={offer.alternative.href}>{offer.alternative.label}</a>
          </p>
        </div>
      </div>
    </Section>
  );
}

/** The newest articles: the first large, the others as lines beside it. `null`: they could not be loaded. */
export function NewestArticles(props: {
  readonly title: string;
  readonly articles: readonly ListedArticle[] | null;
}) {
  const { title, articles } = props;
  if (articles?.length === 0) return null;
  return (
    <Section title={title} aside={<a href={BLOG_PATH}>All articles</a>}>
      {articles === null && (
        <LoadError message="Failed to load articles. Please try again." href={HOME_PATH} retryAt={0} />
      )}
      {articles !== null && (
        <div className="cards cards-front">
          {articles.map((article, index) => (
            <ArticleCard
              key={article.slug}
              content={buildCardContent(article, articles)}
              headingLevel={3}
              className={index === 0 ? 'card-lead' : undefined}
              isFirst={index === 0}
            />
          ))}
        </div>
      )}
    </Section>
  );
}
