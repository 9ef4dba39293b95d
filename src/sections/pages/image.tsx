import { findContentImage } from '../../core/pages/images/content-image.ts';
import type { PageContext } from '../../core/pages/page-context.ts';
import type { CaptionedImage } from '../../core/pages/sections/media.schema.ts';
import { ResponsiveImage } from '../../ui/responsive-image.tsx';
import { containerClass } from '../../ui/section.tsx';
import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

const SIZES = {
  card: '(min-width: 74rem) 34rem, (min-width: 52rem) 45vw, 100vw',
  band: '100vw',
  section: '(min-width: 74rem) 70rem, 100vw',
  hero: '(min-width: 74rem) 31rem, (min-width: 64rem) 42vw, 100vw',
};

/** Images in a section are never cropped; in a hero and in a band they have to leave room on the screen. */
const CROP_CLASSES = {
  band: '[&>img]:h-auto [&>img]:min-h-60 max-sm:[&>img]:min-h-80',
  section: 'rounded-lg',
  card: 'rounded-lg border border-line',
  hero: 'rounded-lg [&>img]:max-h-[34rem]',
};

/** One image with its caption: in the column, never cropped, or as a band from edge to edge. */
export function ImageSection({ section, context }: SectionProps<'image'>) {
  if (section.span === 'full') {
    return (
      <section id={section.id} className="border-y border-line bg-sunken">
        <Text
          as="h2"
          className={containerClass('pt-10 pb-6 text-3xl')}
          text={section.title}
          cta={context.cta}
        />
        <ImageFigure figure={section} context={context} place="band" />
      </section>
    );
  }
  return (
    <SectionFrame section={{ layout: 'split', ...section }} context={context}>
      <ImageFigure figure={section} context={context} place="section" />
    </SectionFrame>
  );
}

/** An image with its caption. In a hero it is on the first screen, and cropped when it is taller than that. */
export function ImageFigure(props: {
  readonly figure: CaptionedImage;
  readonly context: PageContext;
  readonly place: keyof typeof SIZES;
}) {
  const { figure, context, place } = props;
  const { src, alt, focus } = figure.image;
  const found = findContentImage(src, context.images);
  // The operator is told of an image that is not there; visitors read the page without it.
  if ('problem' in found) return null;
  const isBand = place === 'band';
  return (
    <figure>
      <ResponsiveImage
        image={{ ...found.image, focus }}
        alt={alt}
        sizes={SIZES[place]}
        isFirst={place === 'hero'}
        className={`block overflow-clip ${CROP_CLASSES[place]} [&>img]:w-full [&>img]:object-cover`}
      />
      <Text
        as="figcaption"
        className={isBand ? containerClass('py-3 text-sm text-muted') : 'mt-3 max-w-text text-sm text-muted'}
        text={figure.caption}
        cta={context.cta}
      />
    </figure>
  );
}
