import { buildElement } from '../../console/islands/command-palette.ts';
import { readCrop } from '../../core/pages/images/content-image.ts';
import { adoptStyles, ask, readPictures, readText, say } from './ask-site.ts';

/** Left, top, width and height in pixels of the original. */
export type Area = readonly [left: number, top: number, width: number, height: number];

const RATIOS = Object.entries({ Free: null, '3:2': 3 / 2, '16:9': 16 / 9, '1:1': 1 });
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
.desk-crop-stage { position: relative; width: max-content; max-width: 100%; overflow: hidden;
touch-action: none; user-select: none; forced-color-adjust: none; }
.desk-crop-stage img { display: block; max-width: min(78vw, 52rem); max-height: 56vh; width: auto; height: auto; }
.desk-crop-box { position: absolute; border: 2px solid #fff; outline: 1px solid #000; box-shadow: 0 0 0 9999px rgb(0 0 0 / .55);
cursor: move; touch-action: none; }
.desk-crop-box:focus-visible { outline: 3px solid var(--accent); }
.desk-crop-box span { position: absolute; right: -2px; bottom: -2px; width: 28px; height: 28px; border: 2px solid #000;
background: #fff; cursor: nwse-resize; touch-action: none; }
.desk-focus-dot { position: absolute; width: 28px; height: 28px; min-height: 0; margin: -14px 0 0 -14px; padding: 0;
border: 3px solid #fff; border-radius: 50%; outline: 2px solid #000; background: var(--accent); cursor: move; touch-action: none; }
.desk-focus-dot:focus-visible { outline: 4px solid var(--accent); }
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

/** The point `30% 70%` of a part as a position in the original. */
function readFocus(text: string, [left, top, width, height]: Area): readonly [number, number] {
  const [x = 50, y = 50] = (/^(\d+)% (\d+)%$/.exec(text)?.slice(1) ?? []).map(Number);
  return [left + (x / 100) * width, top + (y / 100) * height];
}

/** A position in the original as a point of a part. */
export function writeFocus([x, y]: readonly [number, number], [left, top, width, height]: Area): string {
  const write = (value: number, of: number) => `${Math.round(Math.min(Math.max(0, value / of), 1) * 100)}%`;
  return `${write(x - left, width)} ${write(y - top, height)}`;
}

const limit = (value: number, max: number) => Math.min(Math.max(0, value), max);
const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;

/** A picture with the part that is chosen, and the point that stays visible where the site cuts it. */
class CropStage {
  readonly element = buildElement('div', { class: 'desk-crop-stage' });
  readonly said = buildElement('p', { class: 'desk-count', role: 'status' });
  readonly box = buildElement('div', {
    class: 'desk-crop-box',
    role: 'slider',
    tabindex: '0',
    'aria-valuenow': '0',
    'aria-label': 'The part that is shown. Arrow keys move it, with Shift they resize it.',
  });
  readonly #dot = buildElement('button', {
    type: 'button',
    class: 'desk-focus-dot',
    'aria-label': 'The point that stays visible where the site cuts the picture. Arrow keys move it.',
  });
  readonly #size: readonly [number, number];
  area: Area;
  point: readonly [number, number];
  ratio: number | null = null;

  constructor(src: string, size: readonly [number, number], area: Area, focus: string) {
    this.#size = size;
    this.area = area;
    this.point = readFocus(focus, area);
    const corner = buildElement('span');
    this.box.append(corner);
    this.element.append(buildElement('img', { src, alt: '' }), this.box);
    drag(this.box, this.element, this.#move);
    drag(corner, this.element, this.#resize);
    onArrows(this.box, (x, y, isShift) => (isShift ? this.#resize : this.#move)(x, y));
    drag(this.#dot, this.element, this.#place);
    onArrows(this.#dot, this.#place);
    this.#show();
  }

  /** Shows the point, too. */
  showPoint(): void {
    this.element.append(this.#dot);
  }

  change(area: Area): void {
    this.area = fitArea(area, this.#size, this.ratio);
    this.#show();
  }

  setRatio(ratio: number | null): void {
    this.ratio = ratio;
    this.area = centerArea(this.area, this.#size, ratio);
    this.#show();
  }

  readonly #move = (x: number, y: number) => {
    const [left, top, width, height] = this.area;
    const [w, h] = this.#size;
    this.change([limit(left + x * w, w - width), limit(top + y * h, h - height), width, height]);
  };

  readonly #resize = (x: number, y: number) => {
    const [left, top, width, height] = this.area;
    const [w, h] = this.#size;
    const wider = x === 0 && this.ratio !== null ? y * h * this.ratio : x * w;
    this.change([left, top, width + wider, height + y * h]);
  };

  readonly #place = (x: number, y: number) => {
    const [w, h] = this.#size;
    this.point = [limit(this.point[0] + x * w, w), limit(this.point[1] + y * h, h)];
    this.#show();
  };

  #show(): void {
    const [left, top, width, height] = this.area;
    const [w, h] = this.#size;
    [this.box.style.left, this.box.style.width] = [percent(left, w), percent(width, w)];
    [this.box.style.top, this.box.style.height] = [percent(top, h), percent(height, h)];
    [this.#dot.style.left, this.#dot.style.top] = [percent(this.point[0], w), percent(this.point[1], h)];
    this.said.textContent = `${width} × ${height} of ${w} × ${h} pixels`;
    this.box.setAttribute('aria-valuetext', `${this.said.textContent}, from ${left}, ${top}`);
  }
}

function buildRatios(stage: CropStage): HTMLElement {
  const choices = buildElement('fieldset');
  choices.append(buildElement('legend', { class: 'hidden-text' }, 'Ratio'));
  for (const [name, ratio] of RATIOS) {
    const label = buildElement('label');
    const checked = ratio === null && { checked: '' };
    const radio = buildElement('input', { type: 'radio', name: 'ratio', ...checked });
    radio.addEventListener('change', () => stage.setRatio(ratio));
    label.append(radio, name);
    choices.append(label);
  }
  return choices;
}

/**
 * Lets the operator choose the part of a picture that is shown. The original stays, so the part can be chosen anew. `focus`: the
 * point that stays visible where the site cuts the picture, which is chosen too.
 */
export async function openCrop(
  form: HTMLFormElement | null,
  path: string,
  done: (path: string, src: string, focus?: string) => void,
  focus?: string,
): Promise<void> {
  const all = await readPictures(form);
  const crop = readCrop(path);
  const find = (wanted: string) => all.find((one) => one.path === wanted);
  const original = crop && find(crop.original);
  const picture = original ?? find(path);
  if (picture === undefined) {
    say(form, 'The pictures of the site cannot be read: is the connection lost?');
    return;
  }
  adoptStyles(document, STYLES);
  const size = [picture.width, picture.height] as const;
  const whole: Area = [0, 0, ...size];
  const [left = 0, top = 0, width = size[0], height = size[1]] = (original && crop?.area) || whole;
  const stage = new CropStage(picture.src, size, [left, top, width, height], focus ?? '');
  const isDrawing = picture.path.endsWith('.svg');
  const title = focus === undefined ? 'Crop the picture' : 'Crop and focal point';
  const dialog = buildElement('dialog', { class: 'desk-dialog desk-crop-dialog', 'aria-label': title });
  const content = buildElement('form', { method: 'dialog' });
  const row = buildElement('p', { class: 'form-row' });
  const keep = buildElement(
    'button',
    { type: 'button', class: 'button' },
    focus === undefined ? 'Crop' : 'Use',
  );
  const back = buildElement('button', { type: 'button', class: 'text-button' }, 'Show all of it');
  back.addEventListener('click', () => stage.change(whole));
  row.append(keep, ...(isDrawing ? [] : [back]), buildElement('button', { class: 'text-button' }, 'Cancel'));
  // A drawing has no pixels to crop.
  const parts = isDrawing ? [stage.element] : [stage.element, buildRatios(stage), stage.said];
  content.append(buildElement('h2', {}, title), ...parts, row);
  dialog.append(content);
  dialog.addEventListener('close', () => dialog.remove());
  const finish = (chosen: string, src: string) => {
    dialog.close();
    done(chosen, src, focus === undefined ? focus : writeFocus(stage.point, stage.area));
  };
  keep.addEventListener('click', async () => {
    const { area } = stage;
    if (area.join() === whole.join()) return finish(picture.path, picture.src);
    keep.disabled = true;
    stage.said.textContent = 'Cropping …';
    const answer = await ask(form, { action: 'add-picture', of: picture.path, area: area.join(' ') });
    keep.disabled = false;
    const added = readText(answer, 'path');
    if (added !== '') return finish(added, readText(answer, 'src'));
    stage.said.textContent = readText(answer, 'problem') || 'The server has refused it.';
  });
  document.body.append(dialog);
  dialog.showModal();
  if (focus !== undefined) stage.showPoint();
  if (isDrawing) stage.box.remove();
  else stage.box.focus();
}
