import type { Cta } from '../../core/outbound/cta.ts';
import type { VideoFields } from '../../core/pages/sections/media.schema.ts';
import { Icon } from '../../ui/icon.tsx';
import { DrawingView } from './drawing.tsx';
import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** A video with its chapters beside it, or its drawing while there is no video. */
export function VideoSection({ section, context }: SectionProps<'video'>) {
  return (
    <SectionFrame section={{ layout: 'split', ...section }} context={context}>
      <VideoView video={section} cta={context.cta} />
    </SectionFrame>
  );
}

/** The poster, which becomes the player on a click, and the chapters. Without a YouTube id, the drawing and the caption. */
export function VideoView({ video, cta }: { readonly video: VideoFields; readonly cta: Cta }) {
  const { youtube, caption, drawing, chapters } = video;
  return (
    <figure aria-label={video.name} className="grid grid-cols-[minmax(0,1fr)] gap-y-4">
      {youtube !== undefined && <Poster youtube={youtube} video={video} />}
      {youtube === undefined && drawing !== undefined && <DrawingView drawing={drawing} />}
      {youtube !== undefined && chapters.length > 0 && <Chapters video={video} cta={cta} />}
      <Text as="figcaption" className="max-w-text text-muted" text={caption} cta={cta} />
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
      className="relative flex aspect-video flex-col justify-end overflow-hidden rounded-lg bg-ink text-surface no-underline [&>iframe]:size-full"
    >
      {video.drawing !== undefined && (
        <span className="absolute inset-0 block" aria-hidden="true">
          <DrawingView drawing={video.drawing} />
        </span>
      )}
      <span className="relative flex items-center gap-4 bg-ink p-4 sm:p-6">
        <span className="inline-flex size-16 shrink-0 items-center justify-center rounded-full bg-surface text-ink">
          <Icon name="play" className="size-7" />
        </span>
        <span>
          <span className="font-display text-xl font-semibold">{video.name}</span>
          <span className="block">Play the video</span>
          <span className="tabular block text-sm">{video.length} Loads from YouTube when you play it.</span>
        </span>
      </span>
    </a>
  );
}

function Chapters({ video, cta }: { readonly video: VideoFields; readonly cta: Cta }) {
  return (
    <div className="border-t-2 border-line-strong">
      <p className="tabular flex justify-between gap-6 border-b border-line py-3 text-sm text-muted">
        <span>Chapters</span>
        <span className="whitespace-nowrap">{video.length}</span>
      </p>
      <ul>
        {video.chapters.map(({ at, title, text }) => (
          <li key={title} className="flex gap-5 border-b border-line py-3">
            {at !== undefined && <span className="tabular min-w-8 font-semibold text-accent">{at}</span>}
            <span>
              <span className="font-semibold">{title}</span>
              <Text as="span" className="block text-sm text-muted" text={text} cta={cta} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
