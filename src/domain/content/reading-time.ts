/** Words that a reader takes in each minute; code is read more slowly and is not counted apart. */
const WORDS_PER_MINUTE = 200

/** The minutes that a text takes to read, at least one. */
export const readingMinutes = (text: string): number => {
  const words = text.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE))
}
