/** What was typed into a field that may stay empty: undefined where nothing was. */
export const typedText = (typed: unknown): string | undefined => {
  const text = typeof typed === 'string' ? typed.trim() : ''
  return text === '' ? undefined : text
}
