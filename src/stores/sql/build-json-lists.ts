/** UTF-16 units of one text; D1 binds values of up to 2 MB. */
const MAX_LENGTH = 500_000;

/**
 * Builds JSON lists of rows, for statements that read them with `json_each(?)`: one statement for all rows, because D1
 * binds at most 100 values and counts statements. A list exceeds half a megabyte only if it has a single row.
 */
export function buildJsonLists(rows: readonly (readonly unknown[])[]): readonly string[] {
  const lists: string[][] = [];
  let length = MAX_LENGTH;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (length + text.length > MAX_LENGTH) {
      lists.push([]);
      length = 0;
    }
    lists.at(-1)?.push(text);
    length += text.length;
  }
  return lists.map((list) => `[${list.join()}]`);
}
