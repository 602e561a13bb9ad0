/** The trimmed text of an optional field; undefined if it is empty. */
export const typedText = (typed: unknown): string | undefined => {
  const text = typeof typed === 'string' ? typed.trim() : ''
  return text === '' ? undefined : text
}
