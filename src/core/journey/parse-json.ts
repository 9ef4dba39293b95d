/** The value of a JSON text; anything but a text stays as it is, and what is no JSON is null. */
export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
