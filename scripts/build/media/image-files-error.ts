/** Why an image cannot be used; `reason` follows the path in the message: `is larger than 20 MB`. */
export interface ImageProblem {
  /** Path below `content/images/`. */
  readonly path: string;
  readonly reason: string;
}

/** Thrown when images cannot be used; the message names each file and what is wrong with it. */
export class ImageFilesError extends Error {
  readonly code = 'wrong-images';
  constructor(problems: readonly ImageProblem[], cause?: unknown) {
    const count = problems.length === 1 ? '1 image' : `${problems.length} images`;
    const lines = problems.map(({ path, reason }) => `  content/images/${path} ${reason}`);
    super([`[images] ${count} cannot be used:`, ...lines].join('\n'), { cause });
    this.name = 'ImageFilesError';
  }
}
