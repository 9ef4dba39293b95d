/** Parses a JSON text; values of other types are returned as they are, and invalid JSON is null. */
export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  // Most links carry no JSON. An exception for an empty text would be an eighth of the cost of a redirect.
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
