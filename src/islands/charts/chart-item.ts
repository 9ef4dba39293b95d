/** One value of a chart. */
export interface ChartItem {
  readonly label: string;
  readonly value: number;
  /** `answer`: the one argued for. */
  readonly look: 'ink' | 'answer' | 'quiet';
  /** Further words in the tooltip. */
  readonly detail?: string | undefined;
}
