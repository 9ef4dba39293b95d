import type { Calls } from '../core/content/page.schema.ts';
import { Icon } from '../ui/icon.tsx';
import { InlineText } from './inline-text.tsx';

const MARKS = {
  yes: { icon: 'check', word: 'Yes', tone: 'text-positive' },
  no: { icon: 'x', word: 'No', tone: 'text-muted' },
  partly: { icon: 'minus', word: 'Partly', tone: 'text-warning' },
} as const;

const isMark = (text: string): text is keyof typeof MARKS => Object.hasOwn(MARKS, text);

/** The content of a table cell: `yes`, `no` and `partly` as a mark with its word, anything else as it stands. */
export function CellMark(props: { readonly text: string; readonly calls: Calls | undefined }) {
  if (!isMark(props.text)) return <InlineText text={props.text} calls={props.calls} />;
  const { icon, word, tone } = MARKS[props.text];
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon name={icon} className={`size-4 ${tone}`} />
      {word}
    </span>
  );
}
