import { DISCLOSURE_PATH } from '../../core/paths.ts';
/** The short affiliate disclosure, beside what it is about. */
export function DisclosureLine(props: { readonly text: string; readonly className?: string }) {
  return (
    <p
      data-disclosure
      className={`max-w-text border-l-3 border-marker pl-4 text-sm text-muted ${props.className ?? ''}`}
    >
      {props.text} <a href={DISCLOSURE_PATH}>How we are paid</a>
    </p>
  );
}
