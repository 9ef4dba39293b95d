import type { ArtSpec } from '../art/build-art.ts';

/** What a sharing image shows. */
export interface OgItem {
  /** File name without `.png`; may hold `/`. */
  readonly name: string;
  readonly title: string;
  /** Topic, at the upper right; may be empty. */
  readonly kicker: string;
  /** The picture; one derived from the name when left out. */
  readonly art?: ArtSpec;
}
