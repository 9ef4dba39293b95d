import { formatLongDate } from '../../core/articles/article-copy.ts';
import { buildPartnerLink } from '../../core/outbound/cta.ts';
import { findContentImage } from '../../core/pages/images/content-image.ts';
import type { PageContext } from '../../core/pages/page-context.ts';
import { findShown } from '../../core/products/compare.ts';
import { describePrice, formatPrice, isAged, SEE_PRICE } from '../../core/products/price.ts';
import {
  computeScore,
  describeReading,
  listReadings,
  type Offer,
  type Product,
} from '../../core/products/product.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { ResponsiveImage } from '../../ui/responsive-image.tsx';
import { CheckedLine } from './checked-line.tsx';

/** What the parts of a product need of a section. */
interface ProductProps {
  readonly product: Product;
  /** The offer that is shown; the cheapest when undefined. */
  readonly offer?: string | undefined;
  readonly context: PageContext;
}

const VARIANT_CLASSES = { primary: 'button-primary', quiet: 'button-quiet' } as const;
const COUNTRIES = new Intl.DisplayNames('en-US', { type: 'region' });

/** Finds the products that a section names; the content check has refused unknown ones. */
export function findProducts(context: PageContext, keys: readonly string[]): readonly Product[] {
  return keys.flatMap((key) => context.products.get(key) ?? []);
}

/**
 * The label of paid links. It is in the element of the box itself, where readers see it with the button; the sentence on what
 * that means stands once, at the top of the page.
 */
export function PaidLabel({ context }: { readonly context: PageContext }) {
  return (
    <p data-disclosure className="mt-3 text-xs text-muted">
      {['Paid links.', context.site.disclosure.commission ?? ''].join(' ').trim()}
    </p>
  );
}

/** A price with what it is per; nothing but the words *see price* when it is too old. */
export function PriceFigure({ product, offer, context }: ProductProps) {
  const shown = findShown(product, offer);
  const price = describePrice(product, shown, context.now);
  if (price === SEE_PRICE) return <span className="text-muted">See price</span>;
  const [amount = '', ...unit] = price.split(' ');
  return (
    <span className="tabular">
      <strong className="font-semibold">{amount}</strong>
      {unit.length > 0 && <span className="text-muted">{` ${unit.join(' ')}`}</span>}
    </span>
  );
}

/** A button to an offer through the redirect. `words`: of the section; else those of the product, else by its kind. */
export function OfferButton(
  props: ProductProps & {
    readonly words?: string | undefined;
    readonly variant?: 'primary' | 'quiet';
    /** In a column or a row of a table, whose head has the name of the product. */
    readonly isNarrow?: boolean;
  },
) {
  const { product, context, words, variant = 'primary', isNarrow = false } = props;
  const offer = findShown(product, props.offer);
  const position = `${context.cta.position ?? 'product'}-${buildSlug(product.key)}`.slice(0, 64);
  const link = buildPartnerLink(context.cta, { partner: offer.partner, page: offer.destination, position });
  return (
    <PartnerLink
      {...link}
      className={`button text-center ${VARIANT_CLASSES[variant]} ${isNarrow ? 'w-full px-2 text-sm' : ''}`.trim()}
    >
      {words ??
        product.button ??
        (isNarrow ? <ShortLabel product={product} /> : describeButton(product, offer))}
    </PartnerLink>
  );
}

function ShortLabel({ product }: { readonly product: Product }) {
  return (
    <>
      {product.kind === 'physical' ? 'See price' : 'See prices'}
      <span className="sr-only">{` of ${product.name}`}</span>
    </>
  );
}

const describeButton = ({ kind, name }: Product, offer: Offer) =>
  kind === 'physical' ? `See it at ${offer.name}` : `See ${name} prices`;

/** The days and sources of prices that are shown; nothing when all are too old. */
export function PriceSources({
  offers,
  context,
}: {
  readonly offers: readonly { readonly product: Product; readonly offer: Offer }[];
  readonly context: PageContext;
}) {
  const shown = offers.filter(({ product, offer }) => !isAged(product, offer, context.now));
  return <CheckedLine sources={shown.flatMap(({ offer }) => offer.source ?? [])} context={context} />;
}

const CHART_WIDTH = 320;
const CHART_HEIGHT = 72;

/** The prices of an offer that were read, as steps from zero with their days; nothing for one reading. */
export function PriceHistory({ product, offer, now }: PriceHistoryProps) {
  const readings = listReadings(offer);
  const [first, ...later] = readings;
  if (first === undefined || later.length === 0 || isAged(product, offer, now)) return null;
  const start = Date.parse(first.source.checked);
  const span = Date.parse(readings.at(-1)?.source.checked ?? '') - start;
  const most = Math.max(1, ...readings.map(({ amount }) => amount));
  // The last price goes on to the edge, a tenth of the width.
  const points = readings.map(({ amount, source }) => ({
    x: Math.round(((Date.parse(source.checked) - start) / span) * CHART_WIDTH * 0.9),
    y: Math.round((1 - amount / most) * (CHART_HEIGHT - 4)) + 2,
  }));
  const steps = points.map(({ x, y }, index) => (index === 0 ? `M${x} ${y}` : `H${x}V${y}`)).join('');
  return (
    <figure className="mt-4">
      <figcaption className="text-sm font-semibold">{`Price of ${offer.name} over time`}</figcaption>
      <svg
        viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
        className="mt-2 block w-full max-w-80 border-b border-line-strong"
        aria-hidden="true"
      >
        <path d={`${steps}H${CHART_WIDTH}`} fill="none" className="stroke-accent" strokeWidth="3" />
      </svg>
      <ol className="tabular mt-2 grid gap-1">
        {readings.map(({ amount, source }) => (
          <li key={source.checked}>
            <time dateTime={source.checked}>{formatLongDate(source.checked)}</time>
            {': '}
            <strong className="font-semibold">{formatPrice(amount, offer.currency)}</strong>
            <span className="block text-sm text-muted">
              <a href={source.href} rel="noopener">
                {source.title}
              </a>
              : {describeReading(source)}
            </span>
          </li>
        ))}
      </ol>
    </figure>
  );
}

interface PriceHistoryProps {
  readonly product: Product;
  readonly offer: Offer;
  readonly now: number;
}

/** Scores set as a figure; nothing without scores. */
export function ScoreFigure({ product }: { readonly product: Product }) {
  const score = computeScore(product.scores);
  if (score === null) return null;
  return (
    <p className="tabular font-display text-2xl font-semibold" title={`${product.name}: ${score} of 5`}>
      {score}
      <span className="text-base font-normal text-muted">/5</span>
    </p>
  );
}

/** A product as a box: verdict, strengths, limits, and every offer with its price and button. */
export function ProductCard(
  props: ProductProps & {
    readonly badge?: string | undefined;
    readonly text?: string | undefined;
    readonly words?: string | undefined;
    readonly level?: 2 | 3;
    /** Without its strengths and limits. */
    readonly isBrief?: boolean;
  },
) {
  const { product, context, badge, text, words, isBrief = false } = props;
  const Heading = props.level === 2 ? 'h2' : 'h3';
  const shown = findShown(product, props.offer);
  const others = product.offers.filter((offer) => offer !== shown);
  const offers = props.offer === undefined ? [shown, ...others] : [shown];
  const found = product.image && findContentImage(product.image.src, context.images);
  return (
    <article className="border-y-2 border-line-strong py-6" data-product={product.key}>
      {badge !== undefined && <p className="mb-1 text-sm font-semibold text-positive">{badge}</p>}
      <div className="flex items-baseline justify-between gap-4">
        <Heading className="text-2xl">{product.name}</Heading>
        <ScoreFigure product={product} />
      </div>
      {product.verdict !== undefined && <p className="mt-2 text-lg">{product.verdict}</p>}
      {product.image && found && 'image' in found && (
        <ResponsiveImage
          image={{ ...found.image, focus: product.image.focus }}
          alt={product.image.alt}
          sizes="(min-width: 52rem) 42rem, 100vw"
          className="mt-4 block overflow-clip rounded-lg [&>img]:w-full [&>img]:object-cover"
        />
      )}
      {text !== undefined && <p className="mt-3">{text}</p>}
      {!isBrief && product.pros.length + product.cons.length > 0 && (
        <div className="mt-4 grid gap-x-8 gap-y-4 sm:grid-cols-2">
          <PointList title="What is good" points={product.pros} />
          <PointList title="What is not" points={product.cons} />
        </div>
      )}
      {!isBrief && product.notFor.length > 0 && (
        <p className="mt-4 text-sm text-muted">{`Not for: ${product.notFor.join('. ')}`}</p>
      )}
      <OfferList {...props} offers={offers} words={words} />
      <PriceSources offers={offers.map((offer) => ({ product, offer }))} context={context} />
      <PriceHistory product={product} offer={shown} now={context.now} />
      <PaidLabel context={context} />
    </article>
  );
}

/** The offers of a product, with one button for each place where they lead. */
function OfferList(
  props: ProductProps & { readonly offers: readonly Offer[]; readonly words?: string | undefined },
) {
  const { product, context, offers, words } = props;
  const targets = new Set<string>();
  return (
    <ul className="mt-5 border-t border-line">
      {offers.map((offer) => {
        const target = `${offer.partner} ${offer.destination}`;
        const isFirst = !targets.has(target);
        targets.add(target);
        return (
          <li
            key={offer.key}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-3"
          >
            <span className="min-w-0 flex-1 basis-52">
              <span className="font-semibold">{offer.name}</span>
              {offer.country !== undefined && (
                <span className="text-muted">{`, ${COUNTRIES.of(offer.country) ?? offer.country}`}</span>
              )}
              {offer.terms !== undefined && <span className="block text-sm text-muted">{offer.terms}</span>}
            </span>
            <PriceFigure product={product} offer={offer.key} context={context} />
            {isFirst && (
              <span data-print="hide">
                <OfferButton
                  product={product}
                  offer={offer.key}
                  context={context}
                  words={words}
                  variant={targets.size === 1 ? 'primary' : 'quiet'}
                />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function PointList({ title, points }: { readonly title: string; readonly points: readonly string[] }) {
  if (points.length === 0) return null;
  return (
    <div>
      <p className="border-b border-line pb-1 text-sm font-semibold">{title}</p>
      <ul>
        {points.map((point) => (
          <li key={point} className="border-b border-line py-2 text-sm">
            {point}
          </li>
        ))}
      </ul>
    </div>
  );
}
