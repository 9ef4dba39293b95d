import { Icon } from './icon.tsx';

const MARKS = {
  yes: { icon: 'check', text: 'Yes', iconClassName: 'text-positive' },
  no: { icon: 'x', text: 'No', iconClassName: 'text-muted' },
  included: { icon: 'check', text: 'Included', iconClassName: 'text-positive' },
  'costs extra': { icon: 'plus', text: 'Costs extra', iconClassName: 'text-warning' },
  depends: { icon: 'minus', text: 'Depends', iconClassName: 'text-muted' },
  'not offered': { icon: 'x', text: 'Not offered', iconClassName: 'text-muted' },
  partly: { icon: 'minus', text: 'Partly', iconClassName: 'text-warning' },
} as const;

export type CellMarkName = keyof typeof MARKS;

/** Whether the text of a table cell names a mark. */
export function isCellMark(text: string): text is CellMarkName {
  return Object.hasOwn(MARKS, text);
}

/** An icon with its word, for table cells that compare features. */
export function CellMark({ name }: { readonly name: CellMarkName }) {
  const { icon, text, iconClassName } = MARKS[name];
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon name={icon} className={`size-4 ${iconClassName}`} />
      {text}
    </span>
  );
}
