import { formatPrice, parsePrice } from '../../core/products/price.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { buildElement } from './command-palette.ts';

// The sheet of prices. Without this script it is a list, and each row leads to its form.
const KINDS = ['opened', 'stated', 'transcribed', 'copied'] as const;
type Kind = (typeof KINDS)[number];
const findKind = (value: unknown): Kind => KINDS.find((kind) => kind === value) ?? 'stated';
const TEXTS = [
  'key',
  'price',
  'currency',
  'via',
  'hash',
  'href',
  'product',
  'offer',
  'was',
  'source',
] as const;

interface Change {
  readonly price: string;
  readonly day: string;
  readonly read: Kind;
  readonly via: string;
}
/** What was sent, in case nothing of it is saved. */
const SENT_KEY = 'console-prices-sent';
const READS = [
  ['opened', 'Opened by us'],
  ['stated', 'Stated by us'],
  ['transcribed', 'Transcribed by'],
  ['copied', 'From a copy'],
] as const;

interface Row extends Readonly<Record<(typeof TEXTS)[number], string>> {
  readonly pages: readonly string[];
  readonly element: HTMLElement;
  readonly cell: HTMLElement;
  readonly checked: HTMLElement;
  /** What the cells show while nothing is changed. */
  readonly shown: readonly Node[];
  readonly age: string;
}

function readRow(element: HTMLElement): Row[] {
  const sent: Record<string, unknown> = Object(parseJson(element.dataset['price'] ?? ''));
  const cell = element.querySelector<HTMLElement>('[data-cell]');
  const checked = element.querySelector<HTMLElement>('[data-checked]');
  if (cell === null || checked === null) return [];
  const get = (name: (typeof TEXTS)[number]) => String(sent[name] ?? '');
  const pages = Array.isArray(sent['pages']) ? sent['pages'].map(String) : [];
  const [key, price, currency, via, hash] = [
    get('key'),
    get('price'),
    get('currency'),
    get('via'),
    get('hash'),
  ];
  const [href, product, offer, was, source] = [
    get('href'),
    get('product'),
    get('offer'),
    get('was'),
    get('source'),
  ];
  const texts = { key, price, currency, via, hash, href, product, offer, was, source };
  const shown = [...cell.childNodes];
  return [{ ...texts, pages, element, cell, checked, shown, age: checked.textContent ?? '' }];
}

const nameRow = ({ product, offer }: Row) => `${product}, ${offer}`;

/** The prices as cells that are edited in place, with what was changed and is not saved. */
class PriceSheet {
  readonly #form: HTMLFormElement;
  readonly #today: string;
  readonly #rows: readonly Row[];
  readonly #live = buildElement('p', { class: 'hidden-text', 'aria-live': 'polite' });
  readonly #changes = new Map<string, Change>();
  /** Rows whose shop was opened from here. */
  readonly #opened = new Set<string>();
  #detail: HTMLElement | null = null;
  #isSending = false;

  constructor(table: HTMLTableElement, form: HTMLFormElement) {
    this.#form = form;
    this.#today = table.dataset['today'] ?? '';
    this.#rows = [...table.querySelectorAll<HTMLElement>('[data-price]')].flatMap(readRow);
    table.after(this.#live);
    table.setAttribute('role', 'grid');
    for (const [index, row] of this.#rows.entries()) this.#listen(row, index === 0);
    form.querySelector('[data-price-undo]')?.addEventListener('click', () => this.#undoAll());
    form.addEventListener('submit', () => this.#send());
    window.addEventListener('beforeunload', (event) => {
      if (this.#changes.size > 0 && !this.#isSending) event.preventDefault();
    });
    this.#restore();
    // Nobody has opened a shop for a whole list.
    startPaste(this.#rows, (row, price) =>
      this.#change(row, { price, day: this.#today, read: 'stated', via: '' }),
    );
  }

  #listen(row: Row, isFirst: boolean): void {
    row.cell.tabIndex = isFirst ? 0 : -1;
    row.cell.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target !== row.cell) return;
      if (!this.#press(row, event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    row.cell.addEventListener('click', () => this.#edit(row, null));
    row.element.querySelector('[data-still]')?.addEventListener('click', () => this.#still(row));
    const link = row.element.querySelector<HTMLAnchorElement>('a[data-open]');
    if (link) this.#listenForOpening(link, row);
  }

  /** Does what a key on a price does; false when it does nothing. */
  #press(row: Row, key: string): boolean {
    const last = this.#rows.length;
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -last, End: last }[key];
    if (step !== undefined) this.#move(row, step);
    else if (key === 'Enter' || key === 'F2') this.#edit(row, null);
    else if (key === '=') this.#still(row);
    else if (key === 'Escape') this.#change(row, null);
    else if (key === ' ') this.#showDetail(row);
    else if (/^[\d.$€£]$/.test(key)) this.#edit(row, key);
    else return false;
    return true;
  }

  /** How a row is read when nothing else is said: what nobody has opened from here is our word. */
  #propose(row: Row): Change {
    const read = this.#opened.has(row.key) ? 'opened' : 'stated';
    return { price: row.price, day: this.#today, read, via: '' };
  }

  #change(row: Row, made: Partial<Change> | null): void {
    if (made === null) this.#changes.delete(row.key);
    else this.#changes.set(row.key, { ...(this.#changes.get(row.key) ?? this.#propose(row)), ...made });
    this.#draw(row);
    const now = this.#changes.get(row.key)?.price ?? 'not changed';
    this.#live.textContent = `${nameRow(row)}: ${now}, ${row.checked.textContent}`;
  }

  #draw(row: Row): void {
    const made = this.#changes.get(row.key);
    row.element.toggleAttribute('data-changed', made !== undefined);
    row.checked.textContent = made === undefined ? row.age : made.day === this.#today ? 'Today' : made.day;
    if (made === undefined) row.cell.replaceChildren(...row.shown);
    else if (made.price === row.price) row.cell.replaceChildren(row.price);
    else row.cell.replaceChildren(buildElement('del', {}, row.price), ' ', made.price);
    const changed = this.#rows.filter(({ key }) => this.#changes.has(key));
    const pages = new Set(changed.flatMap((one) => one.pages)).size;
    const prices = `${changed.length} ${changed.length === 1 ? 'price' : 'prices'}`;
    const count = this.#form.querySelector('[data-price-count]');
    if (count)
      count.textContent = `${prices} changed. ${pages} ${pages === 1 ? 'page names' : 'pages name'} them.`;
    const submit = this.#form.querySelector('[type="submit"]');
    if (submit) submit.textContent = `Save ${prices}`;
    this.#form.hidden = changed.length === 0;
  }

  /** Moves to the price some rows further. */
  #move(row: Row, step: number): void {
    const place = Math.max(0, Math.min(this.#rows.length - 1, this.#rows.indexOf(row) + step));
    const next = this.#rows[place] ?? row;
    for (const one of this.#rows) one.cell.tabIndex = one === next ? 0 : -1;
    next.cell.focus();
    next.cell.scrollIntoView({ block: 'nearest' });
  }

  #still(row: Row): void {
    if (row.price === '') this.#edit(row, '');
    else {
      this.#change(row, this.#propose(row));
      this.#move(row, 1);
    }
  }

  #edit(row: Row, typed: string | null): void {
    if (row.cell.querySelector('input') !== null) return;
    const value = typed ?? this.#changes.get(row.key)?.price ?? row.price;
    const label = `Price of ${nameRow(row)}`;
    const named = { 'aria-label': label, size: '8' };
    const input = buildElement('input', { type: 'text', inputmode: 'decimal', ...named });
    input.value = value;
    row.cell.replaceChildren(input);
    this.#showDetail(row);
    input.focus();
    if (typed === null) input.select();
    let isDone = false;
    const finish = (step: number | null, isKept: boolean) => {
      if (isDone) return;
      const isTyped = isKept && input.value.trim() !== '' && (input.value !== value || typed !== null);
      const amount = parsePrice(input.value, row.currency);
      if (isTyped && amount === null && step !== null) {
        input.setAttribute('aria-invalid', 'true');
        this.#live.textContent = `“${input.value}” is no amount of ${row.currency}.`;
        return;
      }
      isDone = true;
      if (isTyped && amount !== null) this.#change(row, { price: formatPrice(amount, row.currency) });
      else this.#draw(row);
      if (step !== null) this.#move(row, step);
    };
    input.addEventListener('blur', () => finish(null, true));
    input.addEventListener('keydown', (event) => {
      event.stopPropagation();
      const step = { Enter: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) finish(step, true);
      else if (event.key === 'Escape') finish(0, false);
      else if (event.key === '=') {
        finish(0, false);
        this.#still(row);
      } else return;
      event.preventDefault();
    });
  }

  /** Source, day and shop of a row, below it. */
  #showDetail(row: Row): void {
    if (this.#detail?.dataset['of'] === row.key) return;
    this.#detail?.remove();
    const made = this.#changes.get(row.key) ?? this.#propose(row);
    const select = buildElement('select', { 'aria-label': 'How it was read' });
    for (const [value, name] of READS) {
      const option = buildElement('option', { value }, name);
      option.disabled = value === 'opened' && !this.#opened.has(row.key);
      select.append(option);
    }
    select.value = made.read;
    const asked = { 'aria-label': 'Who transcribed it, or which copy', size: '18' };
    const via = buildElement('input', { type: 'text', ...asked });
    via.value = made.via || row.via;
    const range = { max: this.#today, min: row.checked.dataset['day'] ?? '' };
    const day = buildElement('input', { type: 'date', 'aria-label': 'Day', ...range });
    day.value = made.day;
    const keep = () => {
      const chosen = findKind(select.value);
      via.hidden = chosen === 'opened' || chosen === 'stated';
      if (chosen === 'opened') day.value = this.#today;
      return { read: chosen, via: via.hidden ? '' : via.value, day: day.value || this.#today };
    };
    keep();
    for (const field of [select, via, day]) field.addEventListener('change', () => this.#change(row, keep()));
    const shop = buildElement('a', { href: row.href, target: '_blank', rel: 'noreferrer' }, 'Open the shop');
    const box = buildElement('div', { class: 'price-detail' });
    if (row.was !== '') box.append(buildElement('span', {}, `was ${row.was}`));
    box.append(row.source, select, via, day);
    if (row.href !== '') box.append(shop);
    const [head] = row.element.children;
    if (head !== undefined) head.id = `price-${row.key}`;
    const spans = { colspan: String(row.element.children.length), headers: `price-${row.key}` };
    const cell = buildElement('td', spans);
    cell.append(box);
    const detail = buildElement('tr', { 'data-of': row.key });
    detail.append(cell);
    detail.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#move(row, 0);
    });
    this.#listenForOpening(shop, row);
    row.element.after(detail);
    this.#detail = detail;
  }

  /** Tells the server that a shop was opened from its row: only then its price can be *opened by us*. */
  #listenForOpening(link: HTMLAnchorElement, row: Row): void {
    const tell = async () => {
      const body = new FormData(this.#form);
      body.set('action', 'open-shop');
      body.set('offer', row.key);
      body.delete('changes');
      const request = { method: 'POST', body, keepalive: true, redirect: 'error' } as const;
      const answer = await fetch(location.href, request).catch(() => null);
      if (answer?.status !== 204) return;
      this.#opened.add(row.key);
      if (this.#changes.get(row.key)?.read === 'stated')
        this.#change(row, { read: 'opened', via: '', day: this.#today });
      if (this.#detail?.dataset['of'] !== row.key) return;
      for (const option of this.#detail.querySelectorAll('option')) option.disabled = false;
    };
    link.addEventListener('click', tell);
    link.addEventListener('auxclick', tell);
  }

  #undoAll(): void {
    for (const row of this.#rows) if (this.#changes.has(row.key)) this.#change(row, null);
    this.#detail?.remove();
    this.#detail = null;
    this.#rows[0]?.cell.focus();
  }

  #send(): void {
    const sent = this.#rows.flatMap(({ key, hash }) => {
      const made = this.#changes.get(key);
      return made === undefined ? [] : [{ key, hash, ...made }];
    });
    const field = this.#form.querySelector<HTMLInputElement>('[name="changes"]');
    if (field) field.value = JSON.stringify(sent);
    sessionStorage.setItem(SENT_KEY, JSON.stringify(Object.fromEntries(this.#changes)));
    this.#isSending = true;
  }

  /** Shows what was sent again when it was not saved. */
  #restore(): void {
    const sent = sessionStorage.getItem(SENT_KEY);
    sessionStorage.removeItem(SENT_KEY);
    if (sent === null || document.querySelector('.notice[role="alert"]') === null) return;
    const kept: Record<string, unknown> = Object(parseJson(sent));
    for (const row of this.#rows) {
      if (!(row.key in kept)) continue;
      const made: Record<string, unknown> = Object(kept[row.key]);
      const get = (name: string) => String(made[name] ?? '');
      const [price, day, via] = [get('price'), get('day'), get('via')];
      this.#change(row, { price, day, via, read: findKind(made['read']) });
    }
  }
}

const sheet = document.querySelector<HTMLTableElement>('.price-sheet[data-editable]');
const bar = document.querySelector<HTMLFormElement>('[data-price-bar]');

/** Letters and digits alone. */
const simplify = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
/** What a name in a spreadsheet can be: a product with its offer, or either where there is one such row. */
const NAMES: readonly ((row: Row) => string)[] = [
  ({ product, offer }) => product + offer,
  ({ product }) => product,
  ({ offer }) => offer,
];

function findRow(rows: readonly Row[], name: string): Row | undefined {
  const found = NAMES.map((build) => rows.filter((row) => simplify(build(row)) === simplify(name)));
  return found.find(({ length }) => length === 1)?.[0];
}

/** Shows which rows two pasted columns mean, before they are taken. */
function startPaste(rows: readonly Row[], take: (row: Row, price: string) => void): void {
  const field = document.querySelector<HTMLTextAreaElement>('textarea[data-paste]');
  const box = field?.closest('details');
  if (!field || !box) return;
  const list = buildElement('div', { class: 'price-matches', 'aria-live': 'polite' });
  box.append(list);
  const show = () => {
    const ticked: { tick: HTMLInputElement; run: () => void }[] = [];
    const items = field.value.split('\n').flatMap((line) => {
      const [, name = '', price = ''] = /^(.+?)\s*(?:\t|;| {2,})\s*(\S[^\t;]*)$/.exec(line.trim()) ?? [];
      if (name === '') return [];
      const row = findRow(rows, name);
      const amount = row && parsePrice(price, row.currency);
      if (row === undefined)
        return buildElement('li', {}, `“${name}” is no row here, or several are called so.`);
      if (typeof amount !== 'number')
        return buildElement('li', {}, `${name}: “${price}” is no amount of ${row.currency}.`);
      const tick = buildElement('input', { type: 'checkbox' });
      tick.checked = true;
      const shown = formatPrice(amount, row.currency);
      ticked.push({ tick, run: () => take(row, shown) });
      const label = buildElement('label', { class: 'check-line' });
      label.append(tick, `${nameRow(row)}: ${row.price || 'no price'} → ${shown}`);
      const item = buildElement('li');
      item.append(label);
      return item;
    });
    const words = `Take ${ticked.length} of ${items.length}`;
    const button = buildElement('button', { type: 'button', class: 'button' }, words);
    button.addEventListener('click', () => {
      for (const { tick, run } of ticked) if (tick.checked) run();
      field.value = '';
      box.open = false;
      list.replaceChildren();
    });
    const all = buildElement('ul');
    all.append(...items);
    list.replaceChildren(all, ...(ticked.length === 0 ? [] : [button]));
  };
  field.addEventListener('input', show);
  document.addEventListener('paste', (event) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    const isField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
    if (isField || !pasted.includes('\t')) return;
    event.preventDefault();
    box.open = true;
    field.value = pasted;
    field.focus();
    show();
  });
}

if (sheet !== null && bar !== null) new PriceSheet(sheet, bar);
