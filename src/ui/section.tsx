import type { ReactNode } from 'react';

/** Classes of the page's column: centered, with the side margins of all sections. */
export function containerClass(className = ''): string {
  return `mx-auto w-full px-5 sm:px-8 max-w-page ${className}`.trim();
}

/** The page's column. */
export function Container(props: { readonly className?: string; readonly children: ReactNode }) {
  return <div className={containerClass(props.className)}>{props.children}</div>;
}

const SPACING_CLASSES = {
  wide: 'py-16 sm:py-24',
  normal: 'py-10 sm:py-16',
  tight: 'py-6 sm:py-12',
  none: '',
} as const;
const BACKGROUND_CLASSES = {
  surface: '',
  sunken: 'bg-sunken',
  positive: 'bg-positive-wash',
  ink: 'section-ink',
} as const;

/** A full-width band of the page. `id` makes it an anchor, `title` gives it a heading with `aside` to the right. */
export function Section(props: {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly aside?: ReactNode;
  readonly background?: keyof typeof BACKGROUND_CLASSES | undefined;
  readonly spacing?: keyof typeof SPACING_CLASSES | undefined;
  /** false: without a heading inside, it is no section of the document's outline. */
  readonly hasHeading?: boolean;
  readonly children?: ReactNode;
}) {
  const { id, title, aside, background = 'surface', spacing = 'normal', children } = props;
  const Element = props.hasHeading === false ? 'div' : 'section';
  return (
    <Element id={id} className={`${SPACING_CLASSES[spacing]} ${BACKGROUND_CLASSES[background]}`.trim()}>
      <Container>
        {title !== undefined && (
          <div className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
            <h2 className="max-w-wide text-3xl">{title}</h2>
            {aside}
          </div>
        )}
        {children}
      </Container>
    </Element>
  );
}
