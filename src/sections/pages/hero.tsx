import type { HeroFigure } from '../../core/pages/sections/hero.schema.ts';
import { Container } from '../../ui/section.tsx';
import { DisclosureLine } from '../shell/notes.tsx';
import { ActionLinks, CheckedPoints } from './action-links.tsx';
import { HeroFigureView } from './hero-figure.tsx';
import { ImageFigure } from './image.tsx';
import { Text } from './inline-text.tsx';
import type { SectionProps } from './section-frame.tsx';

/** Figures across the whole width, below the text. */
const WIDE_FIGURES: ReadonlySet<string> = new Set(['timeline']);
/** Figures that prove the title: at the right on wide screens, right after the lead on narrow ones. */
const PROOF_FIGURES: ReadonlySet<string> = new Set(['table']);

const TWO_COLUMN_CLASSES = 'lg:grid-cols-[minmax(0,1.12fr)_minmax(0,0.88fr)] lg:grid-rows-[auto_1fr]';
const RIGHT_CLASSES = 'lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-center';
const LAYOUT_CLASSES = {
  plain: { grid: '', figure: '' },
  wide: { grid: '', figure: '' },
  // A calculator under a title of one line, so that its result is on the first screen.
  calculated: { grid: '', figure: '' },
  beside: { grid: TWO_COLUMN_CLASSES, figure: RIGHT_CLASSES },
  proof: {
    grid: 'lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:grid-rows-[auto_1fr]',
    figure: 'lg:col-start-2 lg:row-span-2 lg:row-start-1',
  },
  drawn: {
    grid: 'lg:grid-cols-[minmax(0,1fr)_minmax(0,1.9fr)] lg:grid-rows-[auto_1fr]',
    figure: RIGHT_CLASSES,
  },
  // Seven columns need most of the width.
  calendar: {
    grid: 'xl:grid-cols-[23rem_minmax(0,1fr)] xl:grid-rows-[auto_1fr]',
    figure: 'xl:col-start-2 xl:row-span-2 xl:row-start-1',
  },
  // A title across the page, and a detail of the product at its real size below it.
  across: {
    grid: 'lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]',
    figure: '',
  },
  // The bills across the whole width, the buttons beside the title.
  billed: {
    grid: 'grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,8fr)_minmax(0,4fr)] lg:items-end',
    figure: 'lg:col-span-full',
  },
  // The figure below, an image beside the text.
  pictured: { grid: TWO_COLUMN_CLASSES, figure: 'lg:col-span-full' },
} as const;

function findLayout(figure: HeroFigure | undefined): keyof typeof LAYOUT_CLASSES {
  if (figure === undefined) return 'plain';
  if (figure.kind === 'timeline' && figure.image !== undefined) return 'pictured';
  if (figure.kind === 'calculator') return 'calculated';
  if (figure.kind === 'calendar') return 'calendar';
  if (figure.kind === 'video') return 'across';
  if (figure.kind === 'drawing' && figure.drawing.kind === 'stops') return 'beside';
  if (figure.kind === 'drawing' && figure.drawing.kind === 'weeks') return 'wide';
  if (figure.kind === 'comparison') return 'billed';
  if (figure.kind === 'receipts' && figure.bills.length > 1) return 'billed';
  if (WIDE_FIGURES.has(figure.kind)) return 'wide';
  if (PROOF_FIGURES.has(figure.kind)) return 'proof';
  return figure.kind === 'drawing' ? 'drawn' : 'beside';
}

/** Long titles, and those in a narrow column, are set smaller. */
function findTitleClass(title: string, layout: keyof typeof LAYOUT_CLASSES): string {
  if (layout === 'proof' || layout === 'drawn') return 'text-4xl lg:text-title';
  if (layout === 'calendar') return 'text-4xl';
  if (layout === 'calculated') return 'text-3xl';
  return title.length > 64 || layout === 'billed' ? 'text-4xl' : 'text-5xl';
}

/** The top of a page: title and lead, calls to action under them, and a figure. `children`: a calculator. */
export function HeroSection({ section, context, children }: SectionProps<'hero'>) {
  const { figure } = section;
  const layout = findLayout(figure);
  const classes = LAYOUT_CLASSES[layout];
  // What the title promises comes before the buttons.
  const isBill =
    figure?.kind === 'drawing' && (figure.drawing.kind === 'bills' || figure.drawing.kind === 'pairs');
  const figureFirst = figure?.kind === 'calculator' || layout === 'proof' || isBill;
  const composition = figure !== undefined && (
    <div className={classes.figure}>
      <HeroFigureView figure={figure} context={context}>
        {children}
      </HeroFigureView>
    </div>
  );
  return (
    <section
      id={section.id}
      className={`${layout === 'calculated' ? 'py-4 sm:py-8' : 'py-[clamp(1.5rem,6vw,6rem)]'} ${layout === 'plain' ? 'hero-plain' : ''}`.trim()}
    >
      <Container
        className={`grid grid-cols-[minmax(0,1fr)] gap-x-[clamp(2rem,5vw,4.5rem)] ${layout === 'calculated' ? 'gap-y-5' : 'gap-y-[clamp(2rem,4vw,3.5rem)]'} ${classes.grid}`}
      >
        <div
          className={`${layout === 'wide' ? '' : 'max-w-wide'} ${layout === 'across' ? 'lg:col-span-full' : ''}`.trim()}
        >
          <Text
            text={section.badge}
            cta={context.cta}
            className="mb-5 inline-block rounded-full border border-line-strong px-3 py-1 text-sm font-semibold"
          />
          <Text
            as="h1"
            className={findTitleClass(section.title, layout)}
            text={section.title}
            cta={context.cta}
          />
          <Text
            text={section.lead}
            cta={context.cta}
            className={`${layout === 'calculated' ? 'mt-2' : 'mt-6'} max-w-text text-lg text-balance text-muted`}
          />
          {/* In the text, where reader modes find it, and before all links to a partner. */}
          {context.hasPartnerLinks && (
            <DisclosureLine
              disclosure={context.site.disclosure}
              text={section.disclosure ? undefined : context.site.disclosure.strip}
              className="mt-4"
            />
          )}
        </div>
        {figureFirst ? composition : null}
        <HeroDetails
          section={section}
          context={context}
          isWide={layout === 'wide' || layout === 'calculated'}
          isNarrow={layout === 'proof' || layout === 'drawn' || layout === 'across'}
        />
        {figureFirst ? null : composition}
        {figure?.kind === 'timeline' && figure.image !== undefined && (
          <div className={RIGHT_CLASSES}>
            <ImageFigure figure={{ ...figure, image: figure.image }} context={context} place="card" />
          </div>
        )}
      </Container>
    </section>
  );
}

/** Below title and lead: a question that is answered, points, calls to action, note. */
function HeroDetails(
  props: SectionProps<'hero'> & {
    readonly isWide: boolean;
    /** Whether the column has no room for two points next to each other on wide screens. */
    readonly isNarrow: boolean;
  },
) {
  const { section, context, isWide, isNarrow } = props;
  return (
    <div className="empty:hidden">
      {section.question !== undefined && (
        <div className="mb-6 border-y border-line py-4">
          <h2 className="text-xl">{section.question.ask}</h2>
          <Text text={section.question.answer} cta={context.cta} className="mt-2" />
        </div>
      )}
      {section.points !== undefined && (
        <CheckedPoints
          points={section.points}
          cta={context.cta}
          className={`mb-6 grid gap-x-8 gap-y-2 ${isWide || section.points.length % 2 > 0 ? 'sm:flex sm:flex-wrap' : 'sm:grid-cols-[1fr_1fr]'} ${isNarrow ? 'lg:grid-cols-1' : ''}`}
        />
      )}
      <ActionLinks actions={section.actions} cta={context.cta} />
      <Text text={section.note} cta={context.cta} className="mt-4 max-w-text text-sm text-muted" />
    </div>
  );
}
