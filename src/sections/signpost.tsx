import type { Site } from '../core/content/site.schema.ts';

/** The three ways in, as the boards of a signpost. */
export function Signpost({ ways }: { readonly ways: Site['home']['ways'] }) {
  return (
    <nav aria-label="Ways in">
      <ul className="signpost">
        {ways.map(({ label, text, href }) => (
          <li key={href}>
            <a href={href} className="board">
              <strong>{label}</strong>
              <span>{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
