import { findContentImage } from '../../core/pages/content-image.ts';
import type { PageContext } from '../../core/pages/page-context.ts';
import type { CaptionedImage } from '../../core/pages/sections/image.schema.ts';
import { ResponsiveImage } from '../../ui/responsive-image.tsx';
import { InlineText } from './inline-text.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

const SIZES = {
  section: '(min-width: 74rem) 70rem, 100vw',
  hero: '(min-width: 74rem) 31rem, (min-width: 64rem) 42vw, 100vw',
};

/** One image with its caption, never cropped. */
export function ImageSection({ section, context }: SectionProps<'image'>) {
  return (
    <SectionFrame section={section} context={context} width="wide">
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
  // Content is checked when it is read; in development an image can go while the page is open.
  if ('problem' in found) throw new Error(`[content] image ${found.problem}`);
  return (
    <figure>
      <ResponsiveImage
        image={{ ...found.image, focus }}
        alt={alt}
        sizes={SIZES[place]}
        isFirst={place === 'hero'}
        className={`block overflow-clip rounded-lg ${place === 'hero' ? '[&>img]:max-h-[34rem]' : ''} [&>img]:w-full [&>img]:object-cover`}
      />
      {figure.caption !== undefined && (
        <figcaption className="mt-3 max-w-text text-sm text-muted">
          <InlineText text={figure.caption} cta={context.cta} />
        </figcaption>
      )}
    </figure>
  );
}
