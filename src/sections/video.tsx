import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';
import { VideoView } from './video-view.tsx';

/** A video with its chapters beside it; the chapters alone until there is a video. */
export function VideoSection({ section, context }: SectionProps<'video'>) {
  return (
    <SectionFrame section={section} context={context}>
      <VideoView video={section} />
    </SectionFrame>
  );
}
