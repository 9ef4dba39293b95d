/** How Google Analytics knows a visit whose visitor allows it. */
export interface AnalyticsVisit {
  /** Client id, `1234567890.1700000000`. */
  readonly client: string;
  /** Session id: when the session began, in seconds since 1970. */
  readonly session: string;
}

/** The tag writes the time of the last hit; a session of Google Analytics ends this long after it. */
const SESSION_MS = 30 * 60_000;

const CLIENT = /^GA\d\.\d\.(\d{1,12}\.\d{1,12})$/;
/** `GS1.1.{session}.{number}.{engaged}.{last hit}.…` and `GS2.1.s{session}$o{number}$g{engaged}$t{last hit}$…`. */
const SESSION = [
  /^GS1\.\d\.(\d{9,11})\.\d+\.\d\.(\d{9,11})\b/,
  /^GS2\.\d\.s(\d{9,11})\$(?:[^t$][^$]*\$)*t(\d{9,11})\b/,
];

/**
 * Reads the cookies that the analytics tag sets once it may store something. Null unless the tag of this measurement id
 * has stored a hit within its session: a cookie that is left over from earlier is no consent. `now` in ms since 1970.
 */
export function parseAnalyticsVisit(
  cookies: string,
  measurementId: string,
  now: number,
): AnalyticsVisit | null {
  const values = new Map(
    cookies.split(';').map((cookie): [string, string] => {
      const [name = '', ...value] = cookie.split('=');
      return [name.trim(), value.join('=').trim()];
    }),
  );
  const [, client] = CLIENT.exec(values.get('_ga') ?? '') ?? [];
  const stored = values.get(`_ga_${measurementId.replace(/^G-/, '')}`) ?? '';
  const [, session, lastHit] = SESSION.map((pattern) => pattern.exec(stored)).find(Boolean) ?? [];
  if (client === undefined || session === undefined) return null;
  const age = now - Number(lastHit) * 1_000;
  return Math.abs(age) <= SESSION_MS ? { client, session } : null;
}
