import { buildElement } from '../../console/islands/command-palette.ts';
import type { SitePicture } from './ask-site.ts';

export const PICTURE_STYLES = `
.desk-place { padding: .8rem; border: 1px dashed var(--line); border-radius: var(--radius-sm); background: var(--sunken); font: .95rem/1.45 var(--font-text); }
.desk-place canvas { display: block; max-width: 100%; max-height: 14rem; margin-bottom: .5rem; opacity: .7; }
.desk-place { scroll-margin-bottom: 7rem; }
.desk-place * { box-sizing: border-box; }
.desk-place p { margin: 0; }
.desk-place[data-failed] { border: 1px solid var(--danger); }
.desk-place progress { width: 100%; }
.desk-place input[type="text"] { width: 100%; padding: .4rem .5rem; border: 1px solid var(--line); background: var(--raised); color: var(--ink); font: inherit; }
.desk-row { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding-top: .4rem; }
.desk-row label { display: flex; gap: .4rem; align-items: center; font: .85rem var(--font-text); }
:is(.desk-place, .desk-row) :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.desk-dialog:is(.desk-pictures, .desk-crop-dialog) { max-height: 94vh; margin: auto; }
.desk-pictures { width: min(56rem, 94vw); }
.desk-grid-of-pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: .7rem; grid-auto-rows: max-content; max-height: 56vh; padding: 3px; overflow-y: auto; }
.desk-grid-of-pictures button { display: grid; gap: .3rem; align-content: start; padding: .3rem; border: 1px solid var(--line); border-radius: var(--radius-sm); background: var(--raised); color: var(--ink); font: .8rem/1.35 var(--font-text); text-align: left; overflow-wrap: anywhere; cursor: pointer; }
.desk-grid-of-pictures button:is(:hover, :focus-visible) { border-color: var(--accent); }
.desk-grid-of-pictures span { max-height: 4.05em; overflow: hidden; }
.desk-grid-of-pictures img { width: 100%; height: auto; aspect-ratio: 3 / 2; object-fit: cover; background: var(--sunken); }
`;

const MAX_BYTES = 20_000_000;
const SHOWN = 'JPEG, PNG, WebP, AVIF, GIF and SVG';
const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif,image/gif,image/svg+xml';

/** Why a file is no picture of a text, as a sentence; null: the server looks at it. */
export function findFileProblem({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | null {
  const refuse = (what: string) => `“${name}” ${what}`;
  if (ACCEPTED.split(',').includes(type)) {
    if (size === 0) return refuse('is empty.');
    if (size <= MAX_BYTES) return null;
    return refuse(
      `is ${Math.ceil(size / 1_000_000)} MB, the limit is ${MAX_BYTES / 1_000_000}: make it smaller.`,
    );
  }
  if (/heic|heif/.test(type) || /\.hei[cf]$/i.test(name))
    return refuse('is a HEIC photo, which browsers cannot show: save it as JPEG.');
  if (type === 'application/pdf')
    return refuse('is a PDF. A text shows pictures: save the page of it as PNG.');
  if (type.startsWith('video/')) return refuse('is a video. A text shows pictures: choose a frame of it.');
  return refuse(`is no picture that a page can show. These can: ${SHOWN}.`);
}

export function chooseFiles(choose: (files: readonly File[]) => void, accepted = ACCEPTED): void {
  const input = buildElement('input', { type: 'file', accept: accepted, multiple: '' });
  input.addEventListener('change', () => choose([...(input.files ?? [])]));
  input.click();
}

/** Pictures whose name, description or pieces have all words of a text. */
export const searchPictures = <T extends Pick<SitePicture, 'path' | 'alt' | 'uses'>>(
  all: readonly T[],
  text: string,
) => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({ path, alt, uses }) =>
    words.every((word) => `${path} ${alt} ${uses}`.toLowerCase().includes(word)),
  );
};

/** The address of a picture of the site as texts have it. */
export const buildPictureAddress = (path: string) =>
  `../images/${encodeURI(path).replace(/[()]/g, encodeURIComponent)}`;
