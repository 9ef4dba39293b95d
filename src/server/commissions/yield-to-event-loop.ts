/** Lets requests that have arrived have their turn, between two parts of a long computation. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
