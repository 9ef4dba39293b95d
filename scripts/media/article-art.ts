import { type ArtSpec, MOTIFS, type MotifName } from '../art/build-art.ts';
import { createRandom } from '../art/random.ts';

const MOTIF_NAMES = Object.keys(MOTIFS) as [MotifName, ...MotifName[]];

/** The picture of something that names none: motif and figures follow from its name. */
export function deriveArtSpec(name: string): ArtSpec {
  const random = createRandom(`derived ${name}`);
  const motif = random.pick(MOTIF_NAMES);
  const values = Array.from({ length: random.pick([4, 5, 6]) }, () => Math.round(random.between(8, 100)));
  if (motif === 'funnel' || motif === 'flow') values.sort((a, b) => b - a);
  if (motif === 'calendar')
    return { motif, values: values.map((value) => 1 + (value % 28)).sort((a, b) => a - b), seed: name };
  return { motif, values, seed: name };
}

/** The picture of an article: what its head asks for, else what its slug gives. */
export function buildArticleSpec(
  slug: string,
  image: { readonly motif: MotifName; readonly values: readonly number[] } | undefined,
): ArtSpec {
  return image ? { motif: image.motif, values: image.values, seed: slug } : deriveArtSpec(slug);
}
