import { CONTACT_PATH } from '../../core/paths.ts';
import { Container } from '../../ui/section.tsx';

/** The page that the user agent of link checks names, for operators of the sites that are checked. */
export function AboutLinkWatch({ siteName }: { readonly siteName: string }) {
  return (
    <Container className="py-[clamp(3rem,8vw,6rem)]">
      <div className="prose prose-long">
        <h1 className="text-4xl">About our link checks</h1>
        <p>
          {siteName} checks that the links on its pages still lead where they should, and that the prices and
          terms it names are still right. The requests come from a program whose user agent begins with{' '}
          <code>Signpost-LinkWatch/1</code>.
        </p>
        <h2>What it requests</h2>
        <ul>
          <li>
            Pages that {siteName} links to: about once a day for the programs it recommends, about once a week
            for other sites and for tracking links of affiliate networks.
          </li>
          <li>
            One page, with its redirects, and at most one of a host in 10 seconds. It runs no scripts, loads
            no images and follows no other links of the page.
          </li>
          <li>At most 512 KB of a page. A page that fails is requested again two hours later.</li>
        </ul>
        <h2>What it respects</h2>
        <ul>
          <li>
            <code>robots.txt</code>, for every page whose price or terms it reads. Its name there is{' '}
            <code>Signpost-LinkWatch</code>.
          </li>
          <li>
            <code>Retry-After</code>: it comes back no earlier.
          </li>
          <li>Access: it sends no passwords, and a page that refuses it is left as it is.</li>
        </ul>
        <h2>Clicks of tracking links</h2>
        <p>
          A check carries a reserved sub-id: <code>lw</code> and the day, such as <code>lw20261103</code>.{' '}
          {siteName} never counts it as a click, and neither should you.
        </p>
        <h2>How to keep it out</h2>
        <p>
          This in your <code>robots.txt</code> stops it from reading prices and terms. To stop all checks of
          your site, <a href={CONTACT_PATH}>write to us</a>.
        </p>
        <pre>
          <code>{'User-agent: Signpost-LinkWatch\nDisallow: /'}</code>
        </pre>
      </div>
    </Container>
  );
}
