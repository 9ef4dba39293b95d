import type { PageContext } from '../core/content/page-context.ts';
import type { HeroFigure } from '../core/content/sections/hero.schema.ts';
import { HeroReceipt } from './hero-receipt.tsx';

/** The composition of a hero by its kind. */
export function HeroFigureView(props: { readonly figure: HeroFigure; readonly context: PageContext }) {
  const { figure } = props;
  switch (figure.kind) {
    case 'receipt':
      return <HeroReceipt figure={figure} />;
    default:
      return null;
  }
}
