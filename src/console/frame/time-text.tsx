import { formatAge, formatTime } from '../figures/format-time.ts';

/** A moment in the site's time zone; with `now`, how long ago it was, and the moment on hover. */
export function TimeText(props: {
  /** ms since 1970. */
  readonly time: number;
  readonly timeZone: string;
  readonly now?: number;
}) {
  const { time, timeZone, now } = props;
  const exact = formatTime(time, timeZone);
  return (
    <time
      className="time"
      dateTime={new Date(time).toISOString()}
      title={now === undefined ? undefined : exact}
    >
      {now === undefined ? exact : formatAge(time, now)}
    </time>
  );
}
