const STAR = 'M12 2.6l2.9 5.9 6.5.95-4.7 4.6 1.1 6.5L12 17.5l-5.8 3.05 1.1-6.5-4.7-4.6 6.5-.95z';

/** Five stars, `value` of them filled; read out as `label`. */
export function Stars(props: { readonly value: number; readonly label: string }) {
  return (
    <svg viewBox="0 0 124 24" className="h-5 w-26" role="img" aria-label={props.label}>
      {[0, 1, 2, 3, 4].map((index) => (
        <path
          key={index}
          d={STAR}
          transform={`translate(${index * 25} 0)`}
          className={index < props.value ? 'fill-ink stroke-ink' : 'fill-none stroke-muted'}
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
      ))}
    </svg>
  );
}
