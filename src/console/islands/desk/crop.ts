import { readCrop } from '../../../core/pages/images/content-image.ts';
import { buildElement } from '../command-palette.ts';
import { adoptStyles, ask, readPictures, readText, say } from './pictures.ts';

/** Left, top, width and height in pixels of the original. */
export type Area = readonly [left: number, top: number, width: number, height: number];

const RATIOS: readonly (readonly [name: string, ratio: number | null])[] = [
  ...([
    ['Free', null],
    ['3:2', 3 / 2],
    ['16:9', 16 / 9],
    ['1:1', 1],
  ] as const),
];
/** Smaller parts show nothing. */
const MIN_SIDE = 16;

/** Fits an area into an image, with a ratio: what is moved or resized never leaves the image. */
export function fitArea(
  area: Area,
  [imageWidth, imageHeight]: readonly [number, number],
  ratio: number | null,
): Area {
  const limit = (value: number, min: number, max: number) =>
    Math.min(Math.max(value, min), Math.max(min, max));
  const left = limit(Math.round(area[0]), 0, imageWidth - MIN_SIDE);
  const top = limit(Math.round(area[1]), 0, imageHeight - MIN_SIDE);
  let width = limit(area[2], MIN_SIDE, imageWidth - left);
  let height = limit(area[3], MIN_SIDE, imageHeight - top);
  if (ratio !== null) {
    height = Math.min(width / ratio, imageHeight - top);
    width = height * ratio;
  }
  return [left, top, Math.max(1, Math.floor(width)), Math.max(1, Math.floor(height))];
}

/** The largest area of a ratio around the middle of another. */
export function centerArea(
  [left, top, width, height]: Area,
  size: readonly [number, number],
  ratio: number | null,
): Area {
  if (ratio === null) return [left, top, width, height];
  const own = Math.min(size[0], size[1] * ratio, Math.max(width, height * ratio));
  const x = Math.min(Math.max(0, left + width / 2 - own / 2), size[0] - own);
  const y = Math.min(Math.max(0, top + height / 2 - own / ratio / 2), size[1] - own / ratio);
  return fitArea([x, y, own, own / ratio], size, ratio);
}

const STYLES = `
.desk-crop-dialog { width: max-content; max-width: 96vw; }
.desk-crop-stage { position: relative; width: max-content; max-width: 100%; overflow: hidden; touch-action: none; user-select: none; }
.desk-crop-stage img { display: block; max-width: 100%; max-height: 56vh; width: auto; height: auto; }
.desk-crop-box { position: absolute; border: 2px solid #fff; outline: 1px solid #000; box-shadow: 0 0 0 9999px rgb(0 0 0 / .55); cursor: move; touch-action: none; }
.desk-crop-box:focus-visible { outline: 3px solid var(--accent); }
.desk-crop-box span { position: absolute; right: -2px; bottom: -2px; width: 28px; height: 28px; border: 2px solid #000; background: #fff; cursor: nwse-resize; touch-action: none; }
.desk-crop-dialog fieldset { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 0; padding: 0; border: 0; }
.desk-crop-dialog fieldset label { display: flex; gap: .4rem; align-items: center; min-height: 2rem; }
`;

/** Calls `move` with how far a pointer is dragged, as a part of the stage. */
function drag(handle: HTMLElement, stage: HTMLElement, move: (x: number, y: number) => void): void {
  handle.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    event.stopPropagation();
    handle.setPointerCapture(event.pointerId);
    let { clientX, clientY } = event;
    const follow = (next: PointerEvent) => {
      const { width, height } = stage.getBoundingClientRect();
      move((next.clientX - clientX) / width, (next.clientY - clientY) / height);
      ({ clientX, clientY } = next);
    };
    handle.addEventListener('pointermove', follow);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', follow), {
      once: true,
    });
  });
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** How far a press of an arrow key goes, as a part of the image. */
const STEP = 0.01;

/** Calls `move` with the direction of an arrow key, and whether Shift is held. */
function onArrows(handle: HTMLElement, move: (x: number, y: number, isShift: boolean) => void): void {
  handle.addEventListener('keydown', (event) => {
    const arrow = ARROWS[event.key];
    if (arrow === undefined) return;
    event.preventDefault();
    move(arrow[0] * STEP, arrow[1] * STEP, event.shiftKey);
  });
}

/** Lets the operator choose the part of a picture that is shown. The original stays, so the part can be chosen anew. */
export async function openCrop(
  form: HTMLFormElement | null,
  path: string,
  done: (path: string, src: string) => void,
): Promise<void> {
  const all = await readPictures(form);
  const crop = readCrop(path);
  const find = (wanted: string) => all.find((one) => one.path === wanted);
  const cropped = crop && find(crop.original);
  const picture = cropped ?? find(path);
  if (picture === undefined) {
    say(form, 'The pictures of the site cannot be read: is the connection lost?');
    return;
  }
  adoptStyles(document, STYLES);
  const size = [picture.width, picture.height] as const;
  const whole: Area = [0, 0, ...size];
  const [left = 0, top = 0, width = size[0], height = size[1]] = (cropped && crop?.area) || whole;
  let area: Area = [left, top, width, height];
  let ratio: number | null = null;
  const dialog = buildElement('dialog', {
    class: 'desk-dialog desk-crop-dialog',
    'aria-label': 'Crop the picture',
  });
  const box = buildElement('div', {
    ...{ class: 'desk-crop-box', role: 'group', tabindex: '0' },
    'aria-label': 'The part that is shown. Arrow keys move it, with Shift they resize it.',
  });
  const corner = buildElement('span');
  box.append(corner);
  const stage = buildElement('div', { class: 'desk-crop-stage' });
  stage.append(buildElement('img', { src: picture.src, alt: '' }), box);
  const said = buildElement('p', { class: 'desk-count', role: 'status' });
  const show = () => {
    const [x, y, w, h] = area;
    const percent = (part: number, of: number) => `${(part / of) * 100}%`;
    [box.style.left, box.style.width] = [percent(x, size[0]), percent(w, size[0])];
    [box.style.top, box.style.height] = [percent(y, size[1]), percent(h, size[1])];
    said.textContent = `${w} × ${h} of ${size[0]} × ${size[1]} pixels`;
  };
  const change = (next: Area) => {
    area = fitArea(next, size, ratio);
    show();
  };
  const move = (x: number, y: number) => {
    const [ownLeft, ownTop, w, h] = area;
    const limit = (value: number, max: number) => Math.min(Math.max(0, value), max);
    change([limit(ownLeft + x * size[0], size[0] - w), limit(ownTop + y * size[1], size[1] - h), w, h]);
  };
  const resize = (x: number, y: number) => {
    const [ownLeft, ownTop, w, h] = area;
    change([
      ownLeft,
      ownTop,
      w + (x === 0 && ratio !== null ? y * size[1] * ratio : x * size[0]),
      h + y * size[1],
    ]);
  };
  drag(box, stage, move);
  drag(corner, stage, resize);
  onArrows(box, (x, y, isShift) => (isShift ? resize : move)(x, y));
  const choices = buildElement('fieldset');
  choices.append(buildElement('legend', { class: 'hidden-text' }, 'Ratio'));
  for (const [name, value] of RATIOS) {
    const label = buildElement('label');
    const radio = buildElement('input', {
      type: 'radio',
      name: 'ratio',
      ...(value === null && { checked: '' }),
    });
    radio.addEventListener('change', () => {
      ratio = value;
      area = centerArea(area, size, ratio);
      show();
    });
    label.append(radio, name);
    choices.append(label);
  }
  const content = buildElement('form', { method: 'dialog' });
  const row = buildElement('p', { class: 'form-row' });
  const keep = buildElement('button', { type: 'button', class: 'button' }, 'Crop');
  const back = buildElement('button', { type: 'button', class: 'text-button' }, 'Show all of it');
  back.addEventListener('click', () => change(whole));
  row.append(keep, back, buildElement('button', { class: 'text-button' }, 'Cancel'));
  content.append(buildElement('h2', {}, 'Crop the picture'), stage, choices, said, row);
  dialog.append(content);
  dialog.addEventListener('close', () => dialog.remove());
  keep.addEventListener('click', async () => {
    if (area.join() === whole.join()) {
      dialog.close();
      return done(picture.path, picture.src);
    }
    keep.disabled = true;
    said.textContent = 'Cropping …';
    const answer = await ask(form, { action: 'add-picture', of: picture.path, area: area.join(' ') });
    const added = readText(answer, 'path');
    keep.disabled = false;
    if (added === '') {
      said.textContent = readText(answer, 'problem') || 'The server has refused it.';
      return;
    }
    dialog.close();
    done(added, readText(answer, 'src'));
  });
  document.body.append(dialog);
  dialog.showModal();
  show();
  box.focus();
}
