import { type Partner, RULE_SUBJECTS } from '../../core/outbound/partner.ts';
import { Block, FactRow } from '../frame/data-table.tsx';

const ALLOWED = { yes: 'Allowed', no: 'Not allowed', ask: 'Ask first' } as const;

/** What the program of a partner demands of the site, each with its source and the day of the copy that was read. */
export function ProgramRules({ partner }: { readonly partner: Partner }) {
  const { rules } = partner;
  const others = rules.conditions.map((condition) => ({ title: 'Condition', condition }));
  const stated = RULE_SUBJECTS.map(({ key, title }) => {
    const rule = rules[key];
    return {
      title: capitalize(title),
      condition: rule && { ...rule, text: `${ALLOWED[rule.allowed]}. ${rule.text}` },
    };
  });
  return (
    <Block title="Rules of the program" note={`As content/partners/${partner.key}.yaml states them.`}>
      <dl className="facts">
        {[...stated, ...others].map(({ title, condition }) => (
          <FactRow key={`${title} ${condition?.text}`} name={title}>
            {condition === null ? (
              <span className="text-muted">not known, ask the program</span>
            ) : (
              <>
                {condition.text}{' '}
                <small>
                  <a href={condition.source} rel="noopener noreferrer">
                    {new URL(condition.source).hostname}
                  </a>
                  , {condition.checked}
                </small>
              </>
            )}
          </FactRow>
        ))}
      </dl>
    </Block>
  );
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
