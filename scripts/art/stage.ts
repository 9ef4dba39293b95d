import type { Palette, Tones } from './palette.ts';
import type { Random } from './random.ts';

/** What a motif draws with: the article's figures, its chance, its colours. */
export interface Stage {
  /** At least 3 positive numbers. */
  readonly values: readonly number[];
  readonly random: Random;
  readonly palette: Palette;
  /** Colours for what stands straight on the ground; the same as `palette.on`. */
  readonly on: Tones;
}

/** Draws a picture of 1,200 by 630 units, without its background. */
export type Motif = (stage: Stage) => string;

/** Each value as a share of the largest, 0 to 1. */
export function shares(values: readonly number[]): number[] {
  const largest = Math.max(...values);
  return values.map((value) => value / largest);
}

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** `main` for every part but the last, which is the answer. */
export function lastIsAnswer(count: number, main: string, answer: string): string[] {
  return Array.from({ length: count }, (_, index) => (index === count - 1 ? answer : main));
}
