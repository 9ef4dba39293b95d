const ALLOWED: Readonly<Record<string, RegExp>> = {
  a: /^(href|rel|target|title|data-(action|label|source)|id|lang|dir)$/,
  abbr: /^(title|id|lang|dir)$/,
  code: /^(class|id|lang|dir)$/,
  col: /^(span|id)$/,
  details: /^(open|id|lang|dir)$/,
  div: /^(class|role|tabindex|aria-label|id|lang|dir)$/,
  figure: /^(data-video|id|lang|dir)$/,
  img: /^(src|srcset|sizes|alt|title|width|height|loading|decoding|class|id|lang|dir)$/,
  li: /^(value|id|lang|dir)$/,
  ol: /^(start|reversed|id|lang|dir)$/,
  source: /^(type|srcset|sizes|id|lang|dir)$/,
  table: /^(aria-label|data-stacked|id|lang|dir)$/,
  td: /^(data-align|data-column|data-short|colspan|rowspan|id|lang|dir)$/,
  th: /^(data-align|data-short|colspan|rowspan|scope|id|lang|dir)$/,
  time: /^(datetime|id|lang|dir)$/,
};
const PLAIN =
  /^(b|bdi|blockquote|br|caption|cite|colgroup|dd|del|dfn|dl|dt|em|figcaption|h[2-6]|hr|i|ins|kbd|mark|p|picture|pre|q|rp|rt|ruby|s|samp|section|small|span|strong|sub|summary|sup|tbody|tfoot|thead|tr|u|ul|var|wbr)$/;
const VOID = /^(br|col|hr|img|source|wbr)$/;
const PIECE = /<(\/?)([a-z0-9]+)((?: [a-z-]+(?:="[^"<>]*")?)*)>|[^<>]+/gy;

/** Finds what does not belong into the HTML of an article; written independently of the sanitizer. */
export function findStrangeHtml(html: string, hosts: readonly string[]): readonly string[] {
  const strange: string[] = [];
  const open: string[] = [];
  let end = 0;
  for (const match of html.matchAll(PIECE)) {
    end = match.index + match[0].length;
    const [, slash, name, attributes = ''] = match;
    if (name === undefined) continue;
    if (!ALLOWED[name] && !PLAIN.test(name)) strange.push(`<${name}>`);
    if (slash) {
      if (open.pop() !== name) strange.push(`</${name}> closes nothing`);
    } else if (!VOID.test(name)) open.push(name);
    strange.push(...findStrangeAttributes(name, attributes, hosts));
  }
  if (end !== html.length) strange.push(`unreadable at ${end}: ${html.slice(end, end + 40)}`);
  if (open.length > 0) strange.push(`not closed: ${open.slice(0, 5).join(' ')}`);
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1] ?? '');
  strange.push(
    ...ids.filter((id, at) => !id.startsWith('s-') || ids.indexOf(id) !== at).map((id) => `id ${id}`),
  );
  return strange;
}

function findStrangeAttributes(tag: string, text: string, hosts: readonly string[]): string[] {
  return [...text.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].flatMap(([, name = '', value = '']) => {
    if (!(ALLOWED[tag] ?? /^(id|lang|dir)$/).test(name)) return [`${name} on ${tag}`];
    if (name === 'href' && !/^(https?:\/\/[^@]*$|\/(?!\/)|#s-|mailto:|tel:)/.test(value))
      return [`href ${value}`];
    if (
      name === 'src' &&
      !/^\/(?!\/)/.test(value) &&
      !hosts.some((host) => value.startsWith(`https://${host}/`))
    ) {
      return [`src ${value}`];
    }
    if (name === 'class' && !/^(table-scroll|unsized|language-[\w+#-]+)$/.test(value))
      return [`class ${value}`];
    return [];
  });
}
