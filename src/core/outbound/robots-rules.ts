/** Whether robots.txt lets an agent read a path, by RFC 9309: the longest rule that fits counts, of two equal ones `Allow`. */
export function isAllowedByRobots(robots: string, agent: string, path: string): boolean {
  const groups = parseGroups(robots);
  const token = agent.toLowerCase();
  const own = groups.filter(({ agents }) => agents.some((name) => name === token));
  const rules = (own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))).flatMap(
    (group) => group.rules,
  );
  const fitting = rules.filter(({ pattern }) => fits(pattern, path));
  const longest = fitting.reduce((length, { pattern }) => Math.max(length, pattern.length), 0);
  const decisive = fitting.filter(({ pattern }) => pattern.length === longest);
  return decisive.length === 0 || decisive.some(({ isAllowed }) => isAllowed);
}

interface Group {
  readonly agents: string[];
  readonly rules: { readonly isAllowed: boolean; readonly pattern: string }[];
}

function parseGroups(robots: string): Group[] {
  const groups: Group[] = [];
  let isNaming = false;
  for (const line of robots.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const name = field.toLowerCase();
    const text = value.trim();
    if (name === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [] });
      groups.at(-1)?.agents.push(text.toLowerCase());
      isNaming = true;
    } else if (name === 'allow' || name === 'disallow') {
      isNaming = false;
      if (text !== '') groups.at(-1)?.rules.push({ isAllowed: name === 'allow', pattern: text });
    }
  }
  return groups;
}

/** `*` is any text, `$` at the end the end. Matched part by part, so that no pattern takes long. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of parts.entries()) {
    if (isWhole && index === parts.length - 1) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}
