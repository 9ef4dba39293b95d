const STAR = 'M12 2.6l2.9 5.9 6.5.95-4.7 4.6 1.1 6.5L12 17.5l-5.8 3.05 1.1-6.5-4.7-4.6 6.5-.95z';

/** Distance of two stars and width of one. */
const STEP = 25;
const WIDTH = 24;

/** Five stars, `value` of them filled, the last one by its fraction; read out as `label`. */
export function Stars({ value, label }: { readonly value: number; readonly label: string }) {
  const whole = Math.floor(value);
  return (
    <svg viewBox="0 0 124 24" className="h-5 w-26" role="img" aria-label={label}>
      {[0, 1, 2, 3, 4].map((index) => (
        <Star key={index} left={index * STEP} isFilled={index < whole} />
      ))}
      {value > whole && (
        // An inner svg cuts off what is outside its box.
        <svg x={whole * STEP} width={(value - whole) * WIDTH} height="24" aria-hidden>
          <Star left={0} isFilled />
        </svg>
      )}
    </svg>
  );
}

function Star({ left, isFilled }: { readonly left: number; readonly isFilled: boolean }) {
  return (
    <path
      d={STAR}
      transform={`translate(${left} 0)`}
      className={isFilled ? 'fill-ink stroke-ink' : 'fill-none stroke-muted'}
      strokeWidth="1.5"
      strokeLinejoin="round"
    />
  );
}
