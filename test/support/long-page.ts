/** Builds a page of 250 KB whose text names its version from its first to its last line. */
export function buildLongPage(version: number): string {
  const description = `Version ${version} of a page that is long enough to be half written by a process that is killed.`;
  const line = `  - { type: prose, body: ${'word '.repeat(50)}${version} }\n`;
  return `title: Version ${version}\ndescription: ${description}\nsections:\n${line.repeat(1000)}# end of ${version}\n`;
}
