import { useState } from 'react'
import { beginDraft, isDirty, rebaseDraft, settleDraft, type Draft } from './draft.ts'

export type DraftForm<Values> = Draft<Values> & {
  readonly isDirty: boolean
  readonly type: (part: Partial<Values>) => void
  readonly discard: () => void
  /** `sent` was saved as `saved`. */
  readonly settle: (saved: Values, sent: Values) => void
}

/** The draft of a form over values that others save too. */
export const useDraft = <Values extends object>(saved: Values, isRefused: boolean): DraftForm<Values> => {
  const [known, setKnown] = useState(() => beginDraft(saved))
  const draft = rebaseDraft(known, saved, isRefused)
  if (draft !== known) setKnown(draft)
  return {
    ...draft,
    isDirty: isDirty(draft),
    type: (part) => setKnown((present) => ({ ...present, typed: { ...present.typed, ...part } })),
    discard: () => setKnown(({ seen }) => beginDraft(seen)),
    settle: (values, sent) => setKnown((present) => settleDraft(present, { saved: values, sent })),
  }
}
