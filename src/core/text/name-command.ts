/**
 * A command of the program as a reader types it, such as `npm run -s signpost -- links check`: in a clone by npm, in
 * the folder of a site from the package that is installed there, `npx signpost links check`. `words` are the name of the command and
 * what follows; `file` is the address of a file of the program.
 */
export function nameCommand(words: string, file = import.meta.url): string {
  return `${/[\\/]node_modules[\\/]/.test(file) ? 'npx signpost' : 'npm run -s signpost --'} ${words}`;
}
