import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { formatPrice, parsePrice } from '../core/products/price.ts';
import type { Source } from '../core/products/product.ts';

/** A price of the sheet, in the words that are shown. */
export interface PriceLine {
  readonly key: string;
  /** Where its product is edited. */
  readonly address: string;
  readonly product: string;
  readonly offer: string;
  readonly shop: string;
  /** Empty: it has none yet. */
  readonly price: string;
  readonly currency: string;
  readonly was: string;
  readonly wasDay: string;
  /** The day of its source, and how long ago that is. */
  readonly checked: string;
  readonly age: string;
  readonly isOld: boolean;
  readonly source: string;
  readonly how: string;
  readonly via: string;
  /** The page of the shop. */
  readonly href: string;
  /** Of the file of its product. */
  readonly hash: string;
  /** The pages that name it. */
  readonly pages: readonly string[];
}

/** What was changed about a price and is not saved. */
export interface PriceMade {
  readonly price: string;
  readonly day: string;
  readonly read: Source['read'];
  readonly via: string;
}

/** A row that can be changed; without one it is read alone. */
interface PriceEdit {
  readonly today: string;
  readonly made: PriceMade | undefined;
  /** What is shown when nothing was changed yet. */
  readonly proposed: PriceMade;
  readonly isOpened: boolean;
  /** Whether Tab leads to it. */
  readonly isCurrent: boolean;
  /** What its field begins with: null is the price, undefined is no field. */
  readonly typed: string | null | undefined;
  readonly isDetailed: boolean;
  change(made: Partial<PriceMade> | null): void;
  /** Ends its field: with another price, or as it was. */
  finish(price: string | null): void;
  edit(typed: string | null): void;
  still(): void;
  move(step: number): void;
  showDetail(): void;
  open(): void;
  announce(text: string): void;
}

interface RowProps {
  readonly line: PriceLine;
  readonly edit: PriceEdit | null;
}

export const namePrice = ({ product, offer }: PriceLine) => `${product}, ${offer}`;

const NOTHING = <span className="no-figure">–</span>;

/** A row of the sheet; below it, when it is asked for, how its price was read. */
export function PriceRow({ line, edit }: RowProps) {
  const { key, address, product, offer, shop, was, age, isOld, price, href, source, how } = line;
  const made = edit?.made;
  const day = made === undefined ? age : made.day === edit?.today ? 'Today' : made.day;
  return (
    <>
      <tr data-changed={made !== undefined || undefined}>
        <th scope="row" id={`price-${key}`}>
          <a href={address}>{product}</a>
        </th>
        <td data-label="Plan">{offer}</td>
        <td data-label="Shop">{shop}</td>
        <PriceCell line={line} edit={edit} />
        <td data-numeric data-label="Was">
          {was}
        </td>
        <td data-label="Checked">
          <span data-checked data-old={isOld || undefined}>
            {day}
          </span>
          <span className="price-thumb">
            <ShopLink href={href} edit={edit}>
              Open
            </ShopLink>{' '}
            {edit !== null && (
              <button type="button" className="text-button" disabled={price === ''} onClick={edit.still}>
                Still the same
              </button>
            )}
          </span>
        </td>
        <td data-phone="hidden" data-label="Source">
          {source === '' ? NOTHING : <span title={how}>{source}</span>}
        </td>
      </tr>
      {edit?.isDetailed === true && <PriceDetail line={line} edit={edit} />}
    </>
  );
}

function PriceCell({ line: { key, price, ...line }, edit }: RowProps) {
  const cell = { 'data-numeric': true, 'data-phone': 'lead-unnamed', 'data-label': 'Price' };
  if (edit === null) return <td {...cell}>{price || NOTHING}</td>;
  const { made, typed } = edit;
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step !== undefined) edit.move(step);
    else if (event.key === 'Enter' || event.key === 'F2') edit.edit(null);
    else if (event.key === '=') edit.still();
    else if (event.key === 'Escape') edit.change(null);
    else if (event.key === ' ') edit.showDetail();
    else if (/^[\d.$€£]$/.test(event.key)) edit.edit(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <td
      {...cell}
      data-cell={key}
      tabIndex={edit.isCurrent ? 0 : -1}
      onKeyDown={press}
      onClick={() => typed === undefined && edit.edit(null)}
    >
      {typed !== undefined ? (
        <PriceInput line={{ key, price, ...line }} edit={edit} typed={typed} />
      ) : made === undefined ? (
        price || NOTHING
      ) : made.price === price ? (
        price
      ) : (
        <>
          <del>{price}</del> {made.price}
        </>
      )}
    </td>
  );
}

function PriceInput(props: {
  readonly line: PriceLine;
  readonly edit: PriceEdit;
  readonly typed: string | null;
}) {
  const { line, edit, typed } = props;
  const before = edit.made?.price ?? line.price;
  const [{ value, isWrong }, set] = useState({ value: typed ?? before, isWrong: false });
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    field.current?.focus();
    if (typed === null) field.current?.select();
  }, [typed]);
  const finish = (price: string | null) => {
    // A field that is taken away loses the focus too.
    if (!isDone.current) edit.finish(price);
    isDone.current = true;
    return true;
  };
  /** Takes what was typed; false when it is no price. */
  const take = () => {
    if (value.trim() === '' || value === before) return finish(null);
    const amount = parsePrice(value, line.currency);
    if (amount !== null) return finish(formatPrice(amount, line.currency));
    set({ value, isWrong: true });
    edit.announce(`“${value}” is no amount of ${line.currency}.`);
    return false;
  };
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    const step = { Enter: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      if (take()) edit.move(step);
    } else if (event.key === 'Escape' || event.key === '=') {
      finish(null);
      if (event.key === '=') edit.still();
      else edit.move(0);
    } else return;
    event.preventDefault();
  };
  return (
    <input
      ref={field}
      type="text"
      inputMode="decimal"
      size={8}
      aria-label={`Price of ${namePrice(line)}`}
      aria-invalid={isWrong || undefined}
      value={value}
      onChange={({ target }) => set({ value: target.value, isWrong: false })}
      onBlur={take}
      onKeyDown={press}
    />
  );
}

const READS = [
  ['opened', 'Opened by us'],
  ['stated', 'Stated by us'],
  ['transcribed', 'Transcribed by'],
  ['copied', 'From a copy'],
] as const;

function PriceDetail({ line, edit }: { readonly line: PriceLine; readonly edit: PriceEdit }) {
  const { read, day, via } = edit.made ?? edit.proposed;
  const choose = (value: string) => {
    const [chosen] = READS.find(([name]) => name === value) ?? READS[1];
    const isOthers = chosen === 'transcribed' || chosen === 'copied';
    edit.change({
      read: chosen,
      via: isOthers ? via || line.via : '',
      ...(chosen === 'opened' && { day: edit.today }),
    });
  };
  return (
    <tr onKeyDown={({ key }) => key === 'Escape' && edit.move(0)}>
      <td colSpan={7} headers={`price-${line.key}`}>
        <div className="price-detail">
          {line.was !== '' && (
            <span>
              was {line.was} on {line.wasDay}
            </span>
          )}
          {line.source}
          <select aria-label="How it was read" value={read} onChange={({ target }) => choose(target.value)}>
            {READS.map(([value, name]) => (
              <option key={value} value={value} disabled={value === 'opened' && !edit.isOpened}>
                {name}
              </option>
            ))}
          </select>
          {(read === 'transcribed' || read === 'copied') && (
            <input
              type="text"
              size={18}
              aria-label="Who transcribed it, or which copy"
              value={via}
              onChange={({ target }) => edit.change({ via: target.value })}
            />
          )}
          <input
            // A day that is typed half is none yet: the field keeps it.
            key={read === 'opened' ? 'today' : ''}
            type="date"
            aria-label="Day"
            min={line.checked}
            max={edit.today}
            defaultValue={day}
            onChange={({ target }) => target.value !== '' && edit.change({ day: target.value })}
          />
          {line.href !== '' && (
            <ShopLink href={line.href} edit={edit}>
              Open the shop
            </ShopLink>
          )}
        </div>
      </td>
    </tr>
  );
}

const ShopLink = (props: {
  readonly href: string;
  readonly edit: PriceEdit | null;
  readonly children: ReactNode;
}) => (
  <a
    href={props.href}
    target="_blank"
    rel="noreferrer"
    onClick={props.edit?.open}
    onAuxClick={props.edit?.open}
  >
    {props.children}
  </a>
);
