import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import sharp from 'sharp';
import { IS_FULL_LENGTH } from './cases.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

declare global {
  interface Window {
    /** What `AXE` defines. */
    readonly axe: typeof axe;
  }
}

/** `experimental` has the rules that axe leaves out by default, such as the one of labels in names (WCAG 2.5.3). */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'];

/**
 * What axe finds on a page in its present state, and controls whose name lacks their label, one line for each element;
 * empty when there is nothing. `within` is the selector of an open menu, if any: axe would
 * count what it covers in part as a small target.
 */
export async function findAxeViolations(page: Page, within = ':root'): Promise<string[]> {
  return [...(await run(page, TAGS, within)), ...(await page.evaluate(findUnnamedLabels))];
}

/** The same with all folded parts of a page open; menus that close each other stay closed. */
export async function findAxeViolationsUnfolded(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('main details:not([name])')) {
      if (details.checkVisibility()) details.open = true;
    }
  });
  return findAxeViolations(page);
}

/**
 * Runs in the page: controls whose accessible name does not have the words that are seen on them, which voice control
 * listens for (WCAG 2.5.3). The rule of axe compares letters: to it, "28 d" is in "last 28 days".
 */
function findUnnamedLabels(): string[] {
  // Signs such as ‹ are no words.
  const normalize = (text: string) =>
    ['', ...(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []), ''].join(' ');
  const readSeen = (element: Element): string => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const seen: string[] = [];
    while (texts.nextNode()) {
      const parent = texts.currentNode.parentElement;
      const { width = 0 } = parent?.getBoundingClientRect() ?? {};
      if (parent?.checkVisibility({ visibilityProperty: true }) && width > 1) {
        seen.push(texts.currentNode.nodeValue ?? '');
      }
    }
    return seen.join('');
  };
  const controls = 'a[href], button, summary, [role="button"], [role="option"], [role="tab"]';
  return [...document.querySelectorAll(controls)].flatMap((element) => {
    const named = element.getAttribute('aria-labelledby')?.split(/\s+/);
    const name =
      named?.map((id) => document.getElementById(id)?.textContent).join(' ') ??
      element.getAttribute('aria-label') ??
      element.textContent ??
      '';
    const seen = readSeen(element);
    return normalize(name).includes(normalize(seen))
      ? []
      : [`label in name: "${seen}" is not in "${name}": ${element.outerHTML.slice(0, 120)}`];
  });
}

/** Rules of colors, which take most of the time of axe. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** The part of it that depends on colors: enough for the second color scheme of a page. */
export const findContrastViolations = (page: Page): Promise<string[]> => run(page, COLOR_RULES);

/** Both in one state of a page: all rules in the light scheme, those of colors in the dark one. Ends in the light one. */
export async function findViolationsInBothSchemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await findContrastViolations(page);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...(await findAxeViolations(page)), ...dark.map((violation) => `dark: ${violation}`)];
}

/**
 * Runs in each document: waits until no transition runs, since a color in the middle of one belongs to no scheme.
 * Returns how many trees it has: its own and those of its shadow roots, which may stand in each other.
 */
async function awaitTransitions(): Promise<number> {
  const findTrees = (tree: Document | ShadowRoot): (Document | ShadowRoot)[] => [
    tree,
    ...[...tree.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? findTrees(shadowRoot) : [])),
  ];
  const trees = findTrees(document);
  const transitions = trees
    .flatMap((tree) => tree.getAnimations())
    .filter((one) => one instanceof CSSTransition);
  await Promise.allSettled(transitions.map((one) => one.finished));
  return trees.length;
}

/** Kinds of text in which axe found nothing wrong with the colors, on any page of this process. */
const passedKinds = new Set<string>();

/**
 * Unless at full length, the rules of colors leave a text out when another one of its kind is judged here or has passed:
 * one with the same size and weight, and with the same colors and classes up to the root.
 */
async function run(page: Page, rules: string[], within = ':root'): Promise<string[]> {
  // Each document alone: one in a sandbox takes no messages from axe in the page around it.
  const frames = within === ':root' ? page.frames() : [page.mainFrame()];
  let trees = 0;
  for (const frame of frames) trees += await frame.evaluate(awaitTransitions);
  const kinds = IS_FULL_LENGTH ? null : await page.evaluate(markPassedKinds, [...passedKinds]);
  // The texts of frames and shadow roots have no kind: they are judged each time, whatever has passed before.
  if (kinds?.length === 0 && rules === COLOR_RULES && trees === 1) return [];
  const violations: Awaited<ReturnType<typeof findViolations>> = [];
  for (const frame of frames) {
    // To load axe takes as long as many of its rules.
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE);
    violations.push(...(await frame.evaluate(findViolations, { rules, within })));
  }
  const isPassed = violations.every(({ rule }) => !COLOR_RULES.includes(rule));
  if (isPassed) for (const kind of kinds ?? []) passedKinds.add(kind);
  return violations.map(({ rule, text }) => `${rule}: ${text}`);
}

/** Runs in the page, which has axe. */
async function findViolations({
  rules,
  within,
}: {
  rules: string[];
  within: string;
}): Promise<{ rule: string; text: string }[]> {
  window.axe.configure({
    rules: [
      { id: 'color-contrast', selector: ':not([data-passed])' },
      { id: 'link-in-text-block', selector: 'a[href]:not([data-passed])' },
    ],
  });
  // To describe each element that passes takes as long as the rules.
  const { violations } = await window.axe.run(within, {
    runOnly: rules,
    resultTypes: ['violations'],
    iframes: false,
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ any, all, target }) => {
      const reason = [...any, ...all].map((check) => check.message).join('; ');
      return { rule: id, text: `${help}: ${target.join(' ')} ${reason}` };
    }),
  );
}

/** Runs in the page: marks the elements that need no judgement of their colors, and returns the kinds of the others. */
function markPassedKinds(passed: readonly string[]): string[] {
  const known = new Set(passed);
  const found = new Set<string>();
  // Of 53 bits: the kinds of all pages are sent to each of them.
  const hash = (text: string): string => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57];
    for (let index = 0; index < text.length; index += 1) {
      a = Math.imul(a ^ text.charCodeAt(index), 2_654_435_761);
      b = Math.imul(b ^ text.charCodeAt(index), 1_597_334_677);
    }
    return ((b >>> 0) * 2 ** 21 + (a >>> 11)).toString(36);
  };
  const mark = (element: Element, around: string): void => {
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight } =
      getComputedStyle(element);
    const name = [element.localName, element.getAttribute('class')];
    const path = hash([around, ...name, color, backgroundColor, backgroundImage, opacity].join());
    const kind = `${path} ${fontSize} ${fontWeight}`;
    const hasText =
      element.matches('input, select, textarea') ||
      [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
    const isNew = hasText && !known.has(kind) && !found.has(kind) && element.checkVisibility();
    element.toggleAttribute('data-passed', !isNew);
    if (isNew) found.add(kind);
    for (const child of element.children) mark(child, path);
  };
  mark(document.documentElement, '');
  return [...found];
}

const MIN_CONTRAST = 4.5;

type Scheme = 'light' | 'dark';

/**
 * Finds the texts that cannot be read with forced colors, in the schemes: the color of each visible line of text is
 * compared with what is painted around it, since styles do not tell a forced background from a transparent one.
 */
export async function findTextsLostInForcedColors(
  page: Page,
  schemes: readonly Scheme[] = ['light', 'dark'],
): Promise<string[]> {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  const lost: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    const full = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height: Math.max(height, full) });
    const lines = await page.evaluate(readLines);
    const image = sharp(await takeScreenshot(page));
    const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const read = (x: number, y: number) => {
      const at = (y * info.width + x) * 3;
      return at + 2 < data.length ? data.readUIntBE(at, 3) : null;
    };
    for (const { text, color, box } of lines) {
      const around = findUsualColor(box, read);
      const contrast = around === null ? MIN_CONTRAST : computeContrast(color, around);
      if (contrast < MIN_CONTRAST)
        lost.push(`${colorScheme}: "${text}" has ${color.join(' ')} on ${around?.join(' ')}`);
    }
  }
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
  await page.setViewportSize({ width, height });
  return [...new Set(lost)];
}

/** The window of Chromium as a PNG that is quick to write and large, since it is read once. */
async function takeScreenshot(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  await session.detach();
  return Buffer.from(data, 'base64');
}

interface TextLine {
  readonly text: string;
  readonly color: readonly number[];
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
}

/** Runs in the page, whose window shows all of it: every visible line of text with its color and its box. */
function readLines(): TextLine[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const lines: TextLine[] = [];
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  // Styles name colors in their own space: the canvas converts them.
  const painted = new Map<string, number[]>();
  const paint = (color: string): number[] => {
    const known = painted.get(color);
    if (known !== undefined || canvas === null) return known ?? [];
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
    painted.set(color, parts);
    return parts;
  };
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const element = node.parentElement;
    const text = (node.textContent ?? '').trim();
    const isShown = element?.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!/[\p{L}\p{N}]/u.test(text) || !element || !isShown || element.closest('.sr-only, .hidden-text'))
      continue;
    const { color, fill } = getComputedStyle(element);
    const shown = paint(element instanceof SVGElement ? fill : color);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, top, right, bottom } of range.getClientRects()) {
      // What is cut off or below something else is not seen.
      const onTop = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (right - left < 4 || bottom - top < 4 || onTop === null) continue;
      if (!element.contains(onTop) && !onTop.contains(element) && onTop.closest('.link-area') === null)
        continue;
      const box = {
        left: Math.ceil(left),
        top: Math.ceil(top),
        right: Math.floor(right) - 1,
        bottom: Math.floor(bottom) - 1,
      };
      lines.push({ text: text.slice(0, 60), color: shown, box });
    }
  }
  return lines;
}

/** The most frequent color on the edge of a box, where letters are few; null when the box is outside the window. */
function findUsualColor(
  { left, top, right, bottom }: TextLine['box'],
  read: (x: number, y: number) => number | null,
): readonly number[] | null {
  const counts = new Map<number, number>();
  const count = (x: number, y: number) => {
    const color = read(x, y);
    if (color !== null) counts.set(color, (counts.get(color) ?? 0) + 1);
  };
  for (let x = Math.max(0, left); x <= right; x += 1) {
    count(x, Math.max(0, top));
    count(x, bottom);
  }
  for (let y = Math.max(0, top); y <= bottom; y += 1) {
    count(Math.max(0, left), y);
    count(right, y);
  }
  const [usual] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return usual === undefined ? null : [usual >> 16, (usual >> 8) & 0xff, usual & 0xff];
}

/** WCAG 2.2, contrast ratio of two colors of sRGB, 0 to 255 a channel. */
function computeContrast(one: readonly number[], other: readonly number[]): number {
  const [darker = 0, lighter = 0] = [one, other].map(computeLuminance).sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function computeLuminance(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Stops that a page does not list: those of the browser and of the parts of date fields. */
const OWN_STOPS = 20;

/**
 * Presses Tab from the top of the page to its end and returns what is wrong on the way: elements that the
 * keyboard never reaches or reaches out of order, focus that cannot be seen. Then, unless only `forward` is asked for,
 * goes all the way back, where elements come in from above: what has the focus must not be under the sticky header.
 * `main`: forward through the main part alone, on pages whose header and footer are those of another one.
 */
export async function walkByKeyboard(
  page: Page,
  ways: 'forward' | 'both' | 'main' = 'both',
): Promise<string[]> {
  const isMain = ways === 'main';
  if (isMain) await page.locator('main').focus();
  else await page.evaluate(startAtTop);
  const expected = (await page.evaluate(markStops)).filter((stop) => stop.isInMain || !isMain);
  const reached: number[] = [];
  const wrong: string[] = [];
  for (let press = 0; press < expected.length + OWN_STOPS; press += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(readFocus);
    if (stop === null || (isMain && !stop.isInMain)) break;
    // The parts of a date field are stops of the same field.
    if (stop.index === reached.at(-1)) continue;
    if (reached.includes(stop.index)) break;
    if (!stop.isScroller) reached.push(stop.index);
    wrong.push(...stop.wrong.map((what) => `${stop.name} ${what}`));
  }
  if (ways === 'both') wrong.push(...(await walkBack(page, reached.length)));
  const missed = expected
    .filter(({ index }) => !reached.includes(index))
    .map(({ name }) => `${name} is never reached`);
  const inOrder = reached.every((index, position) => position === 0 || index > (reached[position - 1] ?? -1));
  return [
    ...wrong,
    ...missed,
    ...(inOrder ? [] : [`the order is not that of the page: ${reached.join(' ')}`]),
  ];
}

/** Takes the focus from a field that has it from the start, so that Tab begins at the top. */
function startAtTop(): void {
  const { activeElement, body } = document;
  if (activeElement === body) return;
  body.tabIndex = -1;
  body.focus();
  body.removeAttribute('tabindex');
}

/** From the last of `count` stops to the first. */
async function walkBack(page: Page, count: number): Promise<string[]> {
  const wrong: string[] = [];
  // Between the last and the first, the browser itself has the focus.
  for (let press = 0; press < count + OWN_STOPS; press += 1) {
    await page.keyboard.press('Shift+Tab');
    const stop = await page.evaluate(readFocus);
    if (stop === null) continue;
    wrong.push(...stop.wrong.map((what) => `${stop.name} ${what}, on the way back`));
    if (stop.index === 0) return wrong;
  }
  return [...wrong, 'the way back does not reach the first stop'];
}

/** Runs in the page: numbers everything that Tab should stop at, in document order. */
function markStops(): { index: number; name: string; isInMain: boolean }[] {
  const selector =
    'a[href], button, input, select, textarea, summary, iframe, audio[controls], video[controls], [tabindex]';
  const isStop = (element: HTMLElement): boolean => {
    if (element.tabIndex < 0 || element.matches(':disabled, [type="hidden"]')) return false;
    if (element.closest('[inert]') || !element.checkVisibility({ visibilityProperty: true })) return false;
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
    // A group of radio buttons is one stop: the chosen one, else the first.
    const group = [...document.querySelectorAll<HTMLInputElement>('input[type="radio"]')].filter(
      (one) => one.name === element.name && one.form === element.form,
    );
    return element === (group.find((one) => one.checked) ?? group[0]);
  };
  const stops = [...document.querySelectorAll<HTMLElement>(selector)].filter(isStop);
  return stops.map((element, index) => {
    element.dataset['stop'] = String(index);
    const { outline, boxShadow, backgroundColor, borderColor } = getComputedStyle(element);
    element.dataset['unfocused'] = [outline, boxShadow, backgroundColor, borderColor].join();
    const text = (element.textContent || element.getAttribute('aria-label') || element.id).trim();
    const name = `${element.tagName.toLowerCase()} "${text.slice(0, 40)}"`;
    return { index, name, isInMain: element.closest('main') !== null };
  });
}

/** Runs in the page: the element that has the focus, and whether a person can see that it has once nothing moves. */
async function readFocus(): Promise<
  (ReturnType<typeof markStops>[number] & { wrong: string[]; isScroller: boolean }) | null
> {
  // The focus reaches a frame of another process a moment after the key.
  if (document.activeElement === document.body && document.querySelector('iframe') !== null)
    await new Promise((resolve) => setTimeout(resolve, 250));
  const element = document.activeElement;
  // Charts are SVG.
  const isElement = element instanceof HTMLElement || element instanceof SVGElement;
  if (!isElement || element === document.body) return null;
  // Only a script can mark a frame whose document has the focus, and it learns of it a moment later.
  if (element instanceof HTMLIFrameElement) await new Promise((resolve) => setTimeout(resolve, 100));
  const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
  await Promise.allSettled(transitions.map((one) => one.finished));
  const wrong: string[] = [];
  const { outline, outlineColor, outlineStyle, outlineWidth, boxShadow, backgroundColor, borderColor } =
    getComputedStyle(element);
  const isClear = /, 0\)$|\/ 0\)$|^transparent$/.test(outlineColor);
  const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && !isClear;
  // A frame that is there without the focus too says nothing.
  const isChanged =
    element.dataset['unfocused'] !== [outline, boxShadow, backgroundColor, borderColor].join();
  if (!isChanged || (!hasOutline && boxShadow === 'none')) wrong.push('shows no focus');
  const box = element.getClientRects()[0] ?? element.getBoundingClientRect();
  const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
  const [upper, lower] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
  const [x, y] = [(left + right) / 2, (upper + lower) / 2];
  const top = document.elementFromPoint(x, y);
  const isOnTop =
    top !== null && (element.contains(top) || top.contains(element) || top.closest('label') !== null);
  if (!isOnTop)
    wrong.push(
      `is hidden at ${Math.round(x)},${Math.round(y)} under ${top?.tagName}.${top?.getAttribute('class')}`,
    );
  const text = (element.textContent || element.getAttribute('aria-label') || element.id).trim();
  return {
    index: Number(element.dataset['stop'] ?? -1),
    name: `${element.tagName.toLowerCase()} "${text.slice(0, 40)}"`,
    isInMain: element.closest('main') !== null,
    wrong,
    // Firefox stops at each area that scrolls.
    isScroller:
      element.dataset['stop'] === undefined && /auto|scroll/.test(getComputedStyle(element).overflowY),
  };
}
