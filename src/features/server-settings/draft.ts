/** Typed values over the saved ones that the person saw. */
export type Draft<Values> = {
  readonly seen: Values
  readonly typed: Values
  /** The values that somebody else saved meanwhile, once a save was refused for it. */
  readonly others: Values | null
}

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other)

export const beginDraft = <Values extends object>(saved: Values): Draft<Values> => ({
  seen: saved,
  typed: saved,
  others: null,
})

export const isDirty = <Values extends object>({ seen, typed }: Draft<Values>): boolean => !isSame(seen, typed)

/** After `sent` was saved as `saved`: what was typed meanwhile stays typed. */
export const settleDraft = <Values extends object>(
  { typed }: Draft<Values>,
  { saved, sent }: { saved: Values; sent: Values },
): Draft<Values> => {
  const keys = Object.keys(saved) as (keyof Values)[]
  const later = keys.filter((key) => typed[key] !== sent[key]).map((key) => [key, typed[key]] as const)
  return { seen: saved, typed: { ...saved, ...Object.fromEntries(later) }, others: null }
}

/**
 * The draft over what is saved now. Without typed values it follows; typed ones stay, and are compared with the saved ones
 * only after a refused save, so that nobody replaces what they have not seen.
 */
export const rebaseDraft = <Values extends object>(
  draft: Draft<Values>,
  saved: Values,
  isRefused: boolean,
): Draft<Values> => {
  if (isSame(saved, draft.seen)) return draft
  if (!isDirty(draft)) return beginDraft(saved)
  return isRefused ? { ...draft, seen: saved, others: saved } : draft
}
