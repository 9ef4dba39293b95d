const FRESH_MS = 1_000;

/**
 * Creates a question that is put at most once a second, however often it is asked, and that has an answer
 * after `limitMs` in any case. The answer is null when `attempt` succeeds, else the reason.
 */
export function createProbe(attempt: () => Promise<void>, limitMs: number): () => Promise<string | null> {
  let latest: { at: number; answer: Promise<string | null> } | null = null;
  return () => {
    const now = performance.now();
    if (!latest || now - latest.at > FRESH_MS) latest = { at: now, answer: ask(attempt, limitMs) };
    return latest.answer;
  };
}

function ask(attempt: () => Promise<void>, limitMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('The disk does not answer.'), limitMs);
    attempt()
      .then(
        () => resolve(null),
        (error: Error) => resolve(error.message),
      )
      .finally(() => clearTimeout(timer));
  });
}
