import { Icon } from '../../ui/icon.tsx';
import { InlineText, Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

const COLUMN_CLASSES = {
  2: 'grid gap-x-10 gap-y-8 sm:grid-cols-2',
  3: 'grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-3',
} as const;

/** What is included, ticked off, in one list or in groups. */
export function ChecklistSection({ section, context }: SectionProps<'checklist'>) {
  const isGrouped = section.groups.length > 1;
  return (
    <SectionFrame section={section} context={context}>
      <div className={isGrouped ? COLUMN_CLASSES[section.groups.length % 3 === 0 ? 3 : 2] : ''}>
        {section.groups.map(({ title, items }) => (
          <div key={title ?? ''} className="border-t-2 border-line-strong">
            {title !== undefined && <h3 className="pt-4 pb-2 text-xl">{title}</h3>}
            <ul className={isGrouped ? '' : 'gap-x-12 md:columns-2'}>
              {items.map(({ text, detail }) => (
                <li
                  key={text}
                  className="flex break-inside-avoid items-baseline gap-3 border-b border-line py-2.5"
                >
                  <Icon name="check" className="relative top-0.5 size-4 text-positive" />
                  <span>
                    <InlineText text={text} cta={context.cta} />
                    <Text as="span" className="block text-sm text-muted" text={detail} cta={context.cta} />
                  </span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </SectionFrame>
  );
}
