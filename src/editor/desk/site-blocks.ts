import { getFormAddress } from '../../console/islands/command-palette.ts';

/** Draws shortcodes with the site's own pages: the server renders the unsaved text, as for the preview. */
export class SiteBlocks {
  readonly #form: HTMLFormElement;
  readonly #drawn = new Map<string, Element>();
  readonly #sheet = new CSSStyleSheet();
  readonly #changed: () => void;
  #asked = '';

  /** Calls `changed` when more can be drawn. */
  constructor(form: HTMLFormElement, changed: () => void) {
    this.#form = form;
    this.#changed = changed;
  }

  draw(shortcode: string, element: HTMLElement): boolean {
    const block = this.#drawn.get(shortcode);
    if (block === undefined) return false;
    const root = element.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [this.#sheet];
    const own = document.importNode(block, true);
    // The policy refuses styles that stand in the text of a page, and lets a script set them.
    for (const part of own.querySelectorAll<HTMLElement>('[data-style]'))
      part.style.cssText = part.dataset['style'] ?? '';
    root.append(own);
    return true;
  }

  /** Asks the server for the shortcodes that are not known yet: those of the text, or of another `body`. */
  async read(shortcodes: readonly string[], body?: string): Promise<void> {
    const missing = shortcodes.filter((one) => !this.#drawn.has(one));
    const key = missing.join('\n');
    if (missing.length === 0 || key === this.#asked) return;
    this.#asked = key;
    const page = await readPage(this.#form, body);
    if (page === null) return;
    const blocks = [...page.querySelectorAll('.article-products')];
    // One that is not valid is left out of the page: which one, the notes say.
    if (blocks.length !== shortcodes.length) return;
    const css = [...page.querySelectorAll<HTMLTemplateElement>('[data-styles]')]
      .map(({ content }) => content.textContent ?? '')
      .join('\n');
    const own = css.replaceAll(/:root\b|(?<=^|[},\s])(?:html|body)(?=[\s,{])/g, ':host');
    // The text has its own space around a box.
    this.#sheet.replaceSync(
      `${own}\n:host { min-height: 0 !important; }\n.article-products > * { margin: 0 !important; padding-block: 0.5rem !important; }`,
    );
    blocks.forEach((block, index) => {
      // What it shows is not used here: its links would count as clicks.
      for (const part of block.querySelectorAll('a, button, input, select, summary'))
        part.setAttribute('tabindex', '-1');
      this.#drawn.set(shortcodes[index] ?? '', block);
    });
    this.#changed();
  }
}

/** The page of the unsaved text as a document. The policy of the console lets no script parse HTML; a request does. */
export function readPage(form: HTMLFormElement, text?: string): Promise<Document | null> {
  const body = new FormData(form);
  body.set('action', 'blocks');
  if (text !== undefined) body.set('body', text);
  const request = new XMLHttpRequest();
  request.open('POST', getFormAddress(form));
  request.responseType = 'document';
  return new Promise((resolve) => {
    request.addEventListener('loadend', () => resolve(request.status === 200 ? request.responseXML : null));
    request.send(body);
  });
}
