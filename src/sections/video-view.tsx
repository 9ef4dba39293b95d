import type { VideoFields } from '../core/content/sections/video.schema.ts';
import { Icon } from '../ui/icon.tsx';
import { InlineText } from './inline-text.tsx';

/**
 * The poster, which becomes the player when pressed, and the chapters. Without an id the chapters alone, counted:
 * times and a length would speak of a video that nobody can play.
 */
export function VideoView({ video }: { readonly video: VideoFields }) {
  const { youtube, caption } = video;
  return (
    <figure
      className={
        youtube === undefined ? '' : 'grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]'
      }
    >
      {youtube !== undefined && <Poster youtube={youtube} video={video} />}
      <Chapters video={video} />
      {caption !== undefined && (
        <figcaption className="mt-3 max-w-text text-sm text-muted lg:col-span-full">
          <InlineText text={caption} />
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
      className="video-box flex flex-col justify-between rounded-lg bg-ink p-6 text-surface no-underline"
    >
      <span className="font-display text-2xl font-semibold">{video.name}</span>
      <span className="flex items-center gap-4">
        <span className="inline-flex size-16 items-center justify-center rounded-full bg-surface text-ink">
          <Icon name="play" className="size-7" />
        </span>
        <span>
          Play the video
          <span className="n block text-sm">{video.length} Loads from YouTube when pressed.</span>
        </span>
      </span>
    </a>
  );
}

function Chapters({ video }: { readonly video: VideoFields }) {
  return (
    <div className="border-t-2 border-line-strong">
      <p className="n flex justify-between gap-6 border-b border-line py-3 text-sm text-muted">
        <span>{video.youtube === undefined ? video.name : 'Chapters'}</span>
        <span className="whitespace-nowrap">{video.youtube === undefined ? 'in words' : video.length}</span>
      </p>
      <ol className="chapters">
        {video.chapters.map(({ at, title, text }, index) => (
          <li key={title} className="flex gap-5 border-b border-line py-3">
            <span className="n min-w-8 font-semibold text-accent">
              {video.youtube === undefined ? index + 1 : at}
            </span>
            <span>
              <span className="font-semibold">{title}</span>
              {text !== undefined && (
                <span className="block text-sm text-muted">
                  <InlineText text={text} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
