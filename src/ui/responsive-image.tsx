/** An image with its available sizes, as plain values. */
export interface ImageSource {
  readonly src: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** `srcset` values by MIME type, best first. */
  readonly sources: readonly { readonly type: string; readonly srcset: string }[];
  /** true: the size is assumed; the image is fitted into the box that this size reserves. */
  readonly isUnsized?: boolean | undefined;
  /** What stays visible when the layout crops it; percent in steps of 10, see `responsive-image.css`. */
  readonly focus?: { readonly x: number; readonly y: number } | undefined;
}

/** An image in the best format and size. Its width and height are in the HTML, so nothing moves when it arrives. */
export function ResponsiveImage(props: {
  readonly image: ImageSource;
  /** Empty when the text beside it says the same. */
  readonly alt: string;
  /** Width in the layout, as in the `sizes` attribute. */
  readonly sizes: string;
  /** The first image of a page loads eagerly, others when they come near the screen. */
  readonly isFirst?: boolean;
  readonly className?: string;
  /** Name by which a view transition carries it to the next page. */
  readonly transitionName?: string;
}) {
  const { image, alt, sizes, isFirst = false, className, transitionName } = props;
  return (
    <picture className={className} data-transition-name={transitionName}>
      {image.sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcSet={srcset} sizes={isFirst ? sizes : `auto, ${sizes}`} />
      ))}
      <img
        src={image.src}
        alt={alt}
        width={image.width}
        height={image.height}
        className={image.isUnsized ? 'unsized' : undefined}
        data-focus-x={image.focus?.x}
        data-focus-y={image.focus?.y}
        {...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy' })}
      />
    </picture>
  );
}
