/** A choice among addresses: a native disclosure, so that it works without scripts. */
export function LinkMenu(props: {
  /** What is chosen, before the choice. */
  readonly label: string;
  readonly value: string;
  readonly groups: readonly {
    readonly name?: string;
    readonly items: readonly {
      readonly text: string;
      readonly href: string;
      readonly isChosen: boolean;
      /** The key that chooses it. */
      readonly shortcut?: string | undefined;
    }[];
  }[];
  readonly isAtEnd?: boolean;
  /** The label is only read out: the value says what is chosen. */
  readonly isLabelHidden?: boolean;
}) {
  const { label, value, groups, isAtEnd = false, isLabelHidden = false } = props;
  return (
    <details className={isAtEnd ? 'menu menu-at-end' : 'menu'} name="console-menu">
      <summary>
        <span className={isLabelHidden ? 'hidden-text' : 'menu-label'}>{label}</span> {value}
      </summary>
      <div className="menu-panel">
        {groups.map(({ name = label, items }) => (
          <div key={name}>
            {groups.length > 1 && <p className="menu-group">{name}</p>}
            <ul aria-label={name}>
              {items.map(({ text, href, isChosen, shortcut }) => (
                <li key={text}>
                  <a
                    className="menu-link"
                    href={href}
                    aria-current={isChosen ? 'true' : undefined}
                    data-key={shortcut}
                  >
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </details>
  );
}
