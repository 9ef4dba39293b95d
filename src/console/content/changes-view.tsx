import type { ReactNode } from 'react';
import { TimeText } from '../frame/cells.tsx';
import { ActionForm, Submit } from '../frame/forms.tsx';
import type { readUndo } from './line-changes.ts';

/** The last change of several files, with the button that takes it back. */
export function UndoLast({ undo }: { readonly undo: Awaited<ReturnType<typeof readUndo>> }): ReactNode {
  if (undo === null) return null;
  return (
    <ActionForm of="undo-changes" className="undo-last">
      <p>
        {undo.message} <TimeText time={undo.time} />
      </p>
      <Submit className="text-button">Undo</Submit>
    </ActionForm>
  );
}
