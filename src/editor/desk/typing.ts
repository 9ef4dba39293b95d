import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import type { MarkType } from 'prosemirror-model';
import { TextSelection } from 'prosemirror-state';
import { CALLOUT_MARK, FIGURE_WORD } from '../../core/articles/markdown-words.ts';
import { findDepth, isInside } from './keys.ts';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

const SIGNS = '*_`~';

/** What is typed in marks becomes what they mean. */
function markRule(mark: MarkType, sign: string): InputRule {
  const words = `[^\\s${SIGNS}](?:[^${SIGNS}]*[^\\s${SIGNS}])?`;
  const pattern = new RegExp(`(?:^|[^${SIGNS}\\p{L}\\p{N}])(${sign}(${words})${sign})$`, 'u');
  return new InputRule(pattern, (state, [whole, marked = '', inner = ''], start, end) => {
    const from = start + whole.length - marked.length;
    if (isInside(state, nodes.fence)) return null;
    const added = mark.create().addToSet(state.doc.resolve(from + 1).marks());
    return state.tr.replaceWith(from, end, schema.text(inner, added)).removeStoredMark(mark);
  });
}

const wordRule = (pattern: RegExp) =>
  new InputRule(pattern, (state, [raw = ''], start, end) =>
    isInside(state, nodes.fence) ? null : state.tr.replaceWith(start, end, nodes.word.create({ raw })),
  );

/** `[words](address)` becomes a link, whose words keep what else they are. */
const linkRule = new InputRule(
  /(!?)\[([^[\]]+)\]\(((?:https?:\/\/|mailto:|\/|#)[^\s()]*)\)$/,
  (state, [, sign, words = '', href = ''], start, end) => {
    if (sign !== '' || isInside(state, nodes.fence)) return null;
    const to = start + words.length;
    const changed = state.tr.delete(to + 1, end).delete(start, start + 1);
    return changed.addMark(start, to, marks.link.create({ href })).removeStoredMark(marks.link);
  },
);

const RULES = [
  textblockTypeInputRule(/^(#{1,4})\s$/, nodes.heading, ([, signs = '']) => ({
    level: Math.max(2, signs.length),
  })),
  textblockTypeInputRule(/^```$/, nodes.fence),
  wrappingInputRule(/^[-+*]\s$/, nodes.list),
  wrappingInputRule(
    /^(\d{1,9})[.)]\s$/,
    nodes.numbers,
    ([, start]) => ({ start: Number(start) }),
    () => false,
  ),
  wrappingInputRule(/^>\s$/, nodes.quote),
  new InputRule(/^---$/, (state, _, start) => {
    const { $from } = state.selection;
    if ($from.depth !== 1 || $from.parent.type !== nodes.paragraph || start !== $from.start()) return null;
    const rule = [nodes.rule.create(), nodes.paragraph.create()];
    const changed = state.tr.replaceWith($from.before(), $from.after(), rule);
    return changed.setSelection(TextSelection.create(changed.doc, $from.before() + 2));
  }),
  new InputRule(/^\[([ x])\]\s$/, (state, [, sign], start, end) => {
    const depth = findDepth(state, nodes.item);
    if (depth === null) return null;
    const at = state.selection.$from.before(depth);
    return state.tr.delete(start, end).setNodeMarkup(at, null, { checked: sign === 'x' });
  }),
  new InputRule(new RegExp(`^${CALLOUT_MARK}$`, 'i'), (state, [, callout], start, end) => {
    const depth = findDepth(state, nodes.quote);
    if (depth === null) return null;
    const at = state.selection.$from.before(depth);
    return state.tr.delete(start, end).setNodeMarkup(at, null, { ...state.doc.nodeAt(at)?.attrs, callout });
  }),
  markRule(marks.bold, '\\*\\*'),
  markRule(marks.bold, '__'),
  markRule(marks.italic, '\\*'),
  markRule(marks.italic, '_'),
  markRule(marks.struck, '~~'),
  markRule(marks.code, '`'),
  linkRule,
  wordRule(/\[\^\d{1,2}\]$/),
  wordRule(new RegExp(`${FIGURE_WORD.source}$`)),
];

/** What typing means beside letters; it is loaded when the text is used. */
export const TYPING = [
  inputRules({ rules: RULES }),
  keymap({ Backspace: undoInputRule, 'Mod-z': undoInputRule }),
  gapCursor(),
  dropCursor({ color: 'var(--accent)', width: 2 }),
];
