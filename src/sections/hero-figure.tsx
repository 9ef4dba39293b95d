import type { HeroFigure } from '../core/content/sections/hero.schema.ts';
import { ILLUSTRATIONS } from '../ui/illustrations/illustrations.ts';
import { HeroChart } from './hero-chart.tsx';
import { HeroComparison } from './hero-comparison.tsx';
import { HeroRating } from './hero-rating.tsx';
import { HeroReceipt } from './hero-receipt.tsx';
import { HeroTimeline } from './hero-timeline.tsx';
import { VideoView } from './video-view.tsx';

/** The composition of a hero by its kind. */
export function HeroFigureView({ figure }: { readonly figure: HeroFigure }) {
  switch (figure.kind) {
    case 'receipt':
      return <HeroReceipt figure={figure} />;
    case 'comparison':
      return <HeroComparison figure={figure} />;
    case 'timeline':
      return <HeroTimeline figure={figure} />;
    case 'rating':
      return <HeroRating figure={figure} />;
    case 'chart':
      return <HeroChart figure={figure} />;
    case 'video':
      return <VideoView video={figure} />;
    case 'drawing': {
      const Drawing = ILLUSTRATIONS[figure.name];
      return <Drawing />;
    }
  }
}
