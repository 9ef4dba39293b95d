import iconPaths from './icon-paths.json' with { type: 'json' };

export type IconName = keyof typeof iconPaths;

/**
 * An icon in the color and size of the text around it. Decorative, so hidden from assistive technology; a size other
 * than 1.15 em comes from classes (`size-6`).
 */
export function Icon(props: { readonly name: IconName; readonly className?: string }) {
  const { name, className = 'size-[1.15em]' } = props;
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.9"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`inline-block shrink-0 ${className}`}
      aria-hidden
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
