/** An item of an export of WordPress, with the fields that a test is about. */
export interface WxrItem {
  readonly id: number;
  readonly title?: string;
  readonly type?: string;
  readonly slug?: string;
  readonly link?: string;
  readonly status?: string;
  readonly password?: string;
  /** `2019-05-01 12:00:00`, in the zone of the site. */
  readonly date?: string;
  readonly gmt?: string;
  readonly content?: string;
  readonly excerpt?: string;
  readonly categories?: readonly (readonly [slug: string, name: string])[];
  readonly tags?: readonly (readonly [slug: string, name: string])[];
  readonly meta?: readonly (readonly [key: string, value: string])[];
  readonly attachment?: string;
  /** Id of the post that an attachment belongs to. */
  readonly parent?: number;
}

const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

/** Builds an export in the form that WordPress 6 writes it. */
export function buildWxr(
  items: readonly WxrItem[],
  { url = 'https://old.example', version = '1.2' } = {},
): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress/6.4.3" created="2026-01-05 10:00" -->
<rss version="2.0"
\txmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
\txmlns:content="http://purl.org/rss/1.0/modules/content/"
\txmlns:wfw="http://wellformedweb.org/CommentAPI/"
\txmlns:dc="http://purl.org/dc/elements/1.1/"
\txmlns:wp="http://wordpress.org/export/1.2/"
>
<channel>
\t<title>Old site</title>
\t<description>Coffee &amp; more</description>
\t<link>${url}</link>
\t<language>en-US</language>
\t<wp:wxr_version>${version}</wp:wxr_version>
\t<wp:base_site_url>${url}</wp:base_site_url>
\t<wp:base_blog_url>${url}</wp:base_blog_url>
\t<wp:author><wp:author_id>1</wp:author_id><wp:author_login>${cdata('ada')}</wp:author_login><wp:author_display_name>${cdata('Ada Example')}</wp:author_display_name></wp:author>
${items.map((item) => buildItem(item, url)).join('\n')}
</channel>
</rss>
`;
}

function buildItem(item: WxrItem, url: string): string {
  const {
    id,
    title = `Post ${id}`,
    type = 'post',
    slug = `post-${id}`,
    status = 'publish',
    date = '2024-03-01 10:00:00',
  } = item;
  const { gmt = date, categories = [['guides', 'Guides']], tags = [], meta = [], attachment } = item;
  const link = item.link ?? `${url}/${slug}/`;
  const term = (domain: string, [nicename, name]: readonly [string, string]) =>
    `\t\t<category domain="${domain}" nicename="${nicename}">${cdata(name)}</category>`;
  return `\t<item>
\t\t<title>${cdata(title)}</title>
\t\t<link>${link.replaceAll('&', '&amp;')}</link>
\t\t<pubDate>Fri, 01 Mar 2024 10:00:00 +0000</pubDate>
\t\t<dc:creator>${cdata('ada')}</dc:creator>
\t\t<guid isPermaLink="false">${url}/?p=${id}</guid>
\t\t<description></description>
\t\t<content:encoded>${cdata(item.content ?? '')}</content:encoded>
\t\t<excerpt:encoded>${cdata(item.excerpt ?? '')}</excerpt:encoded>
\t\t<wp:post_id>${id}</wp:post_id>
\t\t<wp:post_date>${cdata(date)}</wp:post_date>
\t\t<wp:post_date_gmt>${cdata(gmt)}</wp:post_date_gmt>
\t\t<wp:post_modified>${cdata(date)}</wp:post_modified>
\t\t<wp:post_modified_gmt>${cdata(gmt)}</wp:post_modified_gmt>
\t\t<wp:post_name>${cdata(slug)}</wp:post_name>
\t\t<wp:status>${cdata(status)}</wp:status>
\t\t<wp:post_parent>${item.parent ?? 0}</wp:post_parent>
\t\t<wp:menu_order>0</wp:menu_order>
\t\t<wp:post_type>${cdata(type)}</wp:post_type>
\t\t<wp:post_password>${cdata(item.password ?? '')}</wp:post_password>
\t\t<wp:is_sticky>0</wp:is_sticky>
${attachment === undefined ? '' : `\t\t<wp:attachment_url>${cdata(attachment)}</wp:attachment_url>\n`}${[...categories.map((pair) => term('category', pair)), ...tags.map((pair) => term('post_tag', pair))].join('\n')}
${meta.map(([key, value]) => `\t\t<wp:postmeta>\n\t\t<wp:meta_key>${cdata(key)}</wp:meta_key>\n\t\t<wp:meta_value>${cdata(value)}</wp:meta_value>\n\t\t</wp:postmeta>`).join('\n')}
\t</item>`;
}
