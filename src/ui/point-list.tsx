import type { Calls } from '../core/content/page.schema.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { InlineText } from './inline-text.tsx';

/** A heading over points with the same mark, under a strong line. */
export function PointList(props: {
  readonly title: string;
  readonly icon: IconName;
  readonly tone: string;
  readonly items: readonly string[];
  readonly calls: Calls | undefined;
}) {
  return (
    <div className="border-t-2 border-line-strong pt-4">
      <h3 className="text-xl">{props.title}</h3>
      <ul className="mt-3">
        {props.items.map((item) => (
          <li key={item} className="flex items-baseline gap-3 border-b border-line py-2.5">
            <Icon name={props.icon} className={`size-4 translate-y-0.5 ${props.tone}`} />
            <span>
              <InlineText text={item} calls={props.calls} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
