/** Something that happened to the site on a day, for the chart. */
export interface ChartAnnotation {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly text: string;
}
