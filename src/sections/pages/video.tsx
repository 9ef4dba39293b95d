import type { Cta } from '../../core/outbound/cta.ts';
import type { VideoFields } from '../../core/pages/sections/media.schema.ts';
import { Icon } from '../../ui/icon.tsx';
import { InlineText } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** A video with its chapters beside it, or only the chapters while there is no video. */
export function VideoSection({ section, context }: SectionProps<'video'>) {
  return (
    <SectionFrame section={section} context={context}>
      <VideoView video={section} cta={context.cta} isWide />
    </SectionFrame>
  );
}

/**
 * The poster, which becomes the player on a click, and the chapters. Without a YouTube id there are only numbered
 * chapters: their times would refer to a video that does not exist.
 */
export function VideoView(props: {
  readonly video: VideoFields;
  readonly cta: Cta;
  /** Whether the chapters have the width for two columns when there is no player beside them. */
  readonly isWide?: boolean;
}) {
  const { video, cta, isWide = false } = props;
  const { youtube, caption } = video;
  return (
    <figure
      className={
        youtube === undefined ? '' : 'grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]'
      }
    >
      {youtube !== undefined && <Poster youtube={youtube} video={video} />}
      <Chapters video={video} cta={cta} isInColumns={isWide && youtube === undefined} />
      {caption !== undefined && (
        <figcaption className="mt-3 max-w-text text-sm text-muted lg:col-span-full">
          <InlineText text={caption} cta={cta} />
        </figcaption>
      )}
    </figure>
  );
}

function Poster({ youtube, video }: { readonly youtube: string; readonly video: VideoFields }) {
  return (
    <a
      href={`https://www.youtube.com/watch?v=${youtube}`}
      rel="noopener"
      data-video={youtube}
      data-title={video.name}
      className="flex aspect-video overflow-hidden [&>iframe]:size-full flex-col justify-between rounded-lg bg-ink p-6 text-surface no-underline"
    >
      <span className="font-display text-2xl font-semibold">{video.name}</span>
      <span className="flex items-center gap-4">
        <span className="inline-flex size-16 items-center justify-center rounded-full bg-surface text-ink">
          <Icon name="play" className="size-7" />
        </span>
        <span>
          Play the video
          <span className="tabular block text-sm">{video.length} Loads from YouTube when you play it.</span>
        </span>
      </span>
    </a>
  );
}

function Chapters(props: { readonly video: VideoFields; readonly cta: Cta; readonly isInColumns: boolean }) {
  const { video, cta, isInColumns } = props;
  return (
    <div className="border-t-2 border-line-strong">
      <p className="tabular flex justify-between gap-6 border-b border-line py-3 text-sm text-muted">
        <span>{video.youtube === undefined ? video.name : 'Chapters'}</span>
        <span className="whitespace-nowrap">
          {video.youtube === undefined ? `${video.chapters.length} chapters` : video.length}
        </span>
      </p>
      <ol className={isInColumns && video.chapters.length > 4 ? 'md:columns-2 md:gap-x-14' : ''}>
        {video.chapters.map(({ at, title, text }, index) => (
          <li key={title} className="flex break-inside-avoid gap-5 border-b border-line py-3">
            <span className="tabular min-w-8 font-semibold text-accent">
              {video.youtube === undefined ? index + 1 : at}
            </span>
            <span>
              <span className="font-semibold">{title}</span>
              {text !== undefined && (
                <span className="block text-sm text-muted">
                  <InlineText text={text} cta={cta} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
