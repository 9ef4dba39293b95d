/** The promoted platforms' identity and destinations, as `content/partners/*.yaml` states them. */
export interface Partner {
  /** Key in paths: `/go/{key}`. `[a-z0-9-]+`. */
  readonly key: string;
  readonly name: string;
  /** Origin of the partner's site with a trailing slash, for example `https://www.gohighlevel.com/`. */
  readonly site: string;
  /** The parameter that names who is paid, and its value. Nothing a visitor sends can change either. */
  readonly affiliate: { readonly parameter: string; readonly value: string };
  /** The parameter that carries the click id back to the operator in the program's reports; null when it has none. */
  readonly subId: { readonly parameter: string; readonly maxLength: number } | null;
  /** Absolute address by page key. `pricing` always exists and serves every unknown key. */
  readonly destinations: ReadonlyMap<string, string>;
}
