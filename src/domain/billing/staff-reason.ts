import { tidyText } from '../users/contact.ts'

/** Letters, not characters: digits and dots explain nothing to a later reader. `most` counts characters. */
export const STAFF_REASON = { leastLetters: 10, most: 500 } as const

const letters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

/**
 * Whether staff's sentence explains to a later reader why money moved: 10 letters or more, 500 characters at most,
 * tidied.
 */
export const isReason = (text: string): boolean => {
  const tidied = tidyText(text)
  return letters(tidied) >= STAFF_REASON.leastLetters && tidied.length <= STAFF_REASON.most
}
