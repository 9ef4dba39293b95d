/**
 * The beta distribution, as far as comparing counts needs it. Checked against printed tables in the tests.
 * References: Press et al., Numerical Recipes (2007), 6.1 and 6.4; Lanczos (1964) for the gamma function.
 */

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** The natural logarithm of the gamma function for x > 0; relative error below 1e-13. */
export function getLogGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - getLogGamma(1 - x);
  const y = x - 1;
  const series = LANCZOS.reduce((sum, c, index) => sum + c / (y + index + 1), 0.9999999999998099);
  const t = y + LANCZOS.length - 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(series);
}

const getLogBeta = (a: number, b: number) => getLogGamma(a) + getLogGamma(b) - getLogGamma(a + b);

/** The probability that a Beta(a, b) variable is at most x: the regularized incomplete beta function. */
export function getBetaCdf(x: number, a: number, b: number, logBeta = getLogBeta(a, b)): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta);
  // The continued fraction converges quickly on this side of the mean only.
  return x < (a + 1) / (a + b + 2)
    ? (front * getContinuedFraction(x, a, b)) / a
    : 1 - (front * getContinuedFraction(1 - x, b, a)) / b;
}

/** Lentz's method for the continued fraction of the incomplete beta function. */
function getContinuedFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const keepAway = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / keepAway(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / keepAway(1 + even * d);
    c = keepAway(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / keepAway(1 + odd * d);
    c = keepAway(1 + odd / c);
    const step = d * c;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return fraction;
}
