import { getFormAddress } from '../command-palette.ts';

/** Draws shortcodes with the site's own pages: the server renders the unsaved text, as for the preview. */
export class SiteBlocks {
  readonly #form: HTMLFormElement;
  readonly #drawn = new Map<string, string>();
  readonly #sheet = new CSSStyleSheet();
  readonly #changed: () => void;
  #asked = '';

  /** Calls `changed` when more can be drawn. */
  constructor(form: HTMLFormElement, changed: () => void) {
    this.#form = form;
    this.#changed = changed;
  }

  draw(shortcode: string, element: HTMLElement): boolean {
    const html = this.#drawn.get(shortcode);
    if (html === undefined) return false;
    const root = element.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [this.#sheet];
    const parsed = new DOMParser().parseFromString(html, 'text/html');
    // What it shows is not used here: its links would count as clicks.
    for (const part of parsed.querySelectorAll('a, button, input, select, summary'))
      part.setAttribute('tabindex', '-1');
    root.append(...parsed.body.childNodes);
    return true;
  }

  /** Asks the server for the shortcodes that are not known yet. */
  async read(shortcodes: readonly string[]): Promise<void> {
    const missing = shortcodes.filter((one) => !this.#drawn.has(one));
    const key = missing.join('\n');
    if (missing.length === 0 || key === this.#asked) return;
    this.#asked = key;
    const body = new FormData(this.#form);
    body.set('action', 'preview');
    const sent = { method: 'POST', body, redirect: 'error' } as const;
    const response = await fetch(getFormAddress(this.#form), sent).catch(() => null);
    if (response?.ok !== true) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const blocks = [...page.querySelectorAll('.article-products')];
    // One that is not valid is left out of the page: which one, the notes say.
    if (blocks.length !== shortcodes.length) return;
    const css = [...page.querySelectorAll('style')].map(({ textContent }) => textContent ?? '').join('\n');
    this.#sheet.replaceSync(css.replaceAll(/:root\b|(?<=^|[},\s])(?:html|body)(?=[\s,{])/g, ':host'));
    blocks.forEach((block, index) => {
      for (const script of block.querySelectorAll('script')) script.remove();
      this.#drawn.set(shortcodes[index] ?? '', block.outerHTML);
    });
    this.#changed();
  }
}
