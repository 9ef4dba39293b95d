/** Computes the mean of scores such as `4.5/5`, with one decimal: `4.7`. Empty when a score is not out of 5. */
export function computeTotalScore(rows: readonly { readonly score: string }[]): string {
  const scores = rows.map(({ score }) => /^([0-5](?:\.\d)?)\/5$/.exec(score)?.[1]);
  if (scores.length === 0 || scores.some((score) => score === undefined)) return '';
  return (scores.reduce((sum, score) => sum + Number(score), 0) / scores.length).toFixed(1);
}
