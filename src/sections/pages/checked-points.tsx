import { Icon } from '../../ui/icon.tsx';

/** Points with a check mark each. `className` lays them out. */
export function CheckedPoints(props: { readonly points: readonly string[]; readonly className: string }) {
  return (
    <ul className={props.className}>
      {props.points.map((point) => (
        <li key={point} className="flex items-baseline gap-2.5">
          <Icon name="check" className="size-4 translate-y-0.5 text-positive" />
          {point}
        </li>
      ))}
    </ul>
  );
}
