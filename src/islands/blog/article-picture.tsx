import type { ArticleImage } from '../../core/articles/article.ts';

const SIZES = '(min-width: 64rem) 24rem, (min-width: 40rem) 44vw, 7rem';
const SIZES_FIRST = '(min-width: 74rem) 40rem, (min-width: 52rem) 56vw, 100vw';

/** A card's picture. It says nothing that the title beside it does not, so it is silent. */
export function ArticlePicture(props: {
  readonly image: ArticleImage;
  /** The article's slug: list and article give the picture the same name, so that it travels between them. */
  readonly name: string;
  readonly isFirst: boolean;
}) {
  const { image, name, isFirst } = props;
  const sizes = isFirst ? SIZES_FIRST : SIZES;
  return (
    <picture className="card-art" data-art={`art-${name}`}>
      {image.sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcSet={srcset} sizes={sizes} />
      ))}
      <img
        src={image.src}
        alt=""
        width={image.width}
        height={image.height}
        {...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy' })}
      />
    </picture>
  );
}
