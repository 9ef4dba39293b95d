import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { formatPrice, parsePrice } from '../core/products/price.ts';
import { namePrice, type PriceLine, type PriceMade, PriceRow } from './prices.tsx';

interface PriceSheet {
  readonly lines: readonly PriceLine[];
  readonly today: string;
}

/** What was sent, in case nothing of it is saved. */
const SENT_KEY = 'console-prices-sent';

/** Lets the prices of a table that can only be read be changed in it. */
export function openPrices(host: HTMLElement): void {
  const [table, rows] = [host.querySelector('table'), host.querySelector('tbody')];
  const form = document.querySelector<HTMLFormElement>('[data-price-bar]');
  const [paste, says] = ['paste', 'says'].map((name) => document.querySelector(`[data-price-${name}]`));
  if (!table || !rows || !form || !paste || !says) return;
  const sheet: PriceSheet = JSON.parse(host.dataset['sheet'] ?? '');
  table.setAttribute('role', 'grid');
  createRoot(rows).render(<Rows {...sheet} form={form} paste={paste} says={says} />);
}

/** What was sent and not saved. */
function readSent(): Readonly<Record<string, PriceMade>> {
  const sent = sessionStorage.getItem(SENT_KEY);
  sessionStorage.removeItem(SENT_KEY);
  return document.querySelector('.notice[role="alert"]') === null ? {} : JSON.parse(sent ?? '{}');
}

const focusPrice = (key: string | undefined) =>
  document.querySelector<HTMLElement>(`[data-cell="${key}"]`)?.focus();

interface Places {
  /** Sends what was changed. */
  readonly form: HTMLFormElement;
  /** Where two columns are pasted. */
  readonly paste: Element;
  /** Where what happens is read out. */
  readonly says: Element;
}

function Rows({ lines, today, form, paste, says }: PriceSheet & Places) {
  const [made, setMade] = useState(readSent);
  /** Rows whose shop was opened from here. */
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [{ current, typed, detailed }, setPlace] = useState<{
    readonly current: string | undefined;
    readonly typed?: string | null | undefined;
    readonly detailed?: string | undefined;
  }>({ current: lines[0]?.key });
  const [said, announce] = useState('');
  const isSending = useRef(false);
  const changed = lines.filter(({ key }) => made[key] !== undefined);
  useEffect(() => {
    form.hidden = changed.length === 0;
    const send = () => {
      sessionStorage.setItem(SENT_KEY, JSON.stringify(made));
      isSending.current = true;
    };
    const leave = (event: Event) => {
      if (changed.length > 0 && !isSending.current) event.preventDefault();
    };
    form.addEventListener('submit', send);
    window.addEventListener('beforeunload', leave);
    return () => {
      form.removeEventListener('submit', send);
      window.removeEventListener('beforeunload', leave);
    };
  });
  const propose = ({ key, price }: PriceLine): PriceMade => ({
    price,
    day: today,
    read: opened.includes(key) ? 'opened' : 'stated',
    via: '',
  });
  const change = (line: PriceLine, next: Partial<PriceMade> | null) => {
    const { [line.key]: before = propose(line) } = made;
    setMade(({ [line.key]: one = before, ...rest }) =>
      next === null ? rest : { ...rest, [line.key]: { ...one, ...next } },
    );
    const { price, day } = { ...before, ...next };
    announce(`${namePrice(line)}: ${next === null ? 'not changed' : `${price}, ${day}`}`);
  };
  const move = (line: PriceLine, step: number) => {
    const at = Math.max(0, Math.min(lines.length - 1, lines.indexOf(line) + step));
    const key = lines[at]?.key;
    setPlace((place) => ({ ...place, current: key }));
    focusPrice(key);
  };
  const show = (key: string, text?: string | null) => setPlace({ current: key, detailed: key, typed: text });
  const still = (line: PriceLine) => {
    if (line.price === '') return show(line.key, '');
    change(line, propose(line));
    return move(line, 1);
  };
  /** Tells the server that a shop was opened from its row: only then its price can be *opened by us*. */
  const open = async (line: PriceLine) => {
    const body = new FormData(form);
    body.set('action', 'open-shop');
    body.set('offer', line.key);
    body.delete('changes');
    const request = { method: 'POST', body, keepalive: true, redirect: 'error' } as const;
    const answer = await fetch(location.href, request).catch(() => null);
    if (answer?.status !== 204) return;
    setOpened((keys) => [...keys, line.key]);
    setMade((all) =>
      all[line.key]?.read === 'stated'
        ? { ...all, [line.key]: { ...all[line.key], ...propose(line), read: 'opened' } }
        : all,
    );
  };
  const undoAll = () => {
    setMade({});
    setPlace({ current: lines[0]?.key });
    focusPrice(lines[0]?.key);
  };
  const pages = new Set(changed.flatMap((one) => one.pages)).size;
  const prices = `${changed.length} ${changed.length === 1 ? 'price' : 'prices'}`;
  const sent = changed.map(({ key, hash }) => ({ key, hash, ...made[key] }));
  return (
    <>
      {lines.map((line) => (
        <PriceRow
          key={line.key}
          line={line}
          edit={{
            today,
            made: made[line.key],
            proposed: propose(line),
            isOpened: opened.includes(line.key),
            isCurrent: line.key === current,
            typed: line.key === current ? typed : undefined,
            isDetailed: line.key === detailed,
            change: (next) => change(line, next),
            finish: (price) => {
              setPlace((place) => ({ ...place, typed: undefined }));
              if (price !== null) change(line, { price });
            },
            edit: (text) => show(line.key, text),
            still: () => still(line),
            move: (step) => move(line, step),
            showDetail: () => show(line.key),
            open: () => void open(line),
            announce,
          }}
        />
      ))}
      {createPortal(
        <>
          <input type="hidden" name="changes" value={JSON.stringify(sent)} />
          <p aria-live="polite">
            {prices} changed. {pages} {pages === 1 ? 'page names' : 'pages name'} them.
          </p>
          <button type="submit" className="button">
            Save {prices}
          </button>
          <button type="button" className="button button-quiet" onClick={undoAll}>
            Undo all
          </button>
        </>,
        form,
      )}
      {createPortal(
        // Nobody has opened a shop for a whole list.
        <PasteBox
          lines={lines}
          take={(line, price) => change(line, { price, day: today, read: 'stated', via: '' })}
        />,
        paste,
      )}
      {createPortal(said, says)}
    </>
  );
}

/** Letters and digits alone. */
const simplify = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
/** What a name in a spreadsheet can be: a product with its offer, or either where there is one such row. */
const NAMES: readonly ((line: PriceLine) => string)[] = [
  ({ product, offer }) => product + offer,
  ({ product }) => product,
  ({ offer }) => offer,
];

function findLine(lines: readonly PriceLine[], name: string): PriceLine | undefined {
  const found = NAMES.map((build) => lines.filter((line) => simplify(build(line)) === simplify(name)));
  return found.find(({ length }) => length === 1)?.[0];
}

interface Pasted {
  readonly line?: PriceLine;
  readonly price: string;
  /** Why it is no price of the sheet. */
  readonly problem: string;
}

/** Reads a row of two columns. */
function readPasted(lines: readonly PriceLine[], row: string): readonly Pasted[] {
  const [, name = '', price = ''] = /^(.+?)\s*(?:\t|;| {2,})\s*(\S[^\t;]*)$/.exec(row.trim()) ?? [];
  if (name === '') return [];
  const line = findLine(lines, name);
  if (line === undefined) return [{ price, problem: `“${name}” is no row here, or several are called so.` }];
  const amount = parsePrice(price, line.currency);
  return amount === null
    ? [{ price, problem: `${name}: “${price}” is no amount of ${line.currency}.` }]
    : [{ line, price: formatPrice(amount, line.currency), problem: '' }];
}

/** Shows which rows two pasted columns mean, before they are taken. */
function PasteBox(props: {
  readonly lines: readonly PriceLine[];
  readonly take: (line: PriceLine, price: string) => void;
}) {
  const { lines, take } = props;
  const [{ isOpen, text }, set] = useState({ isOpen: false, text: '' });
  const [left, leave] = useState<readonly string[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const listen = (event: ClipboardEvent) => {
      const pasted = event.clipboardData?.getData('text/plain') ?? '';
      const isField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
      if (isField || !pasted.includes('\t')) return;
      event.preventDefault();
      set({ isOpen: true, text: pasted });
      // A folded field takes no focus.
      setTimeout(() => field.current?.focus());
    };
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
  const found = text.split('\n').flatMap((row) => readPasted(lines, row));
  const known = found.flatMap(({ line, price }) => (line === undefined ? [] : [{ line, price }]));
  return (
    <details
      className="price-paste"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => set((now) => ({ ...now, isOpen: open }))}
    >
      <summary className="button button-quiet">Paste from a spreadsheet</summary>
      <label>
        Two columns: name and price
        <textarea
          ref={field}
          rows={4}
          value={text}
          onChange={({ target }) => set({ isOpen: true, text: target.value })}
        />
      </label>
      <div className="price-matches" aria-live="polite">
        <ul>
          {found.map(({ line, price, problem }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <li key={at}>
              {line === undefined ? (
                problem
              ) : (
                <label className="check-line">
                  <input
                    type="checkbox"
                    checked={!left.includes(line.key)}
                    onChange={({ target }) =>
                      leave((keys) => [
                        ...keys.filter((key) => key !== line.key),
                        ...(target.checked ? [] : [line.key]),
                      ])
                    }
                  />
                  {namePrice(line)}: {line.price || 'no price'} → {price}
                </label>
              )}
            </li>
          ))}
        </ul>
        {known.length > 0 && (
          <button
            type="button"
            className="button"
            onClick={() => {
              for (const { line, price } of known) if (!left.includes(line.key)) take(line, price);
              set({ isOpen: false, text: '' });
              leave([]);
            }}
          >
            Take {known.length} of {found.length}
          </button>
        )}
      </div>
    </details>
  );
}
