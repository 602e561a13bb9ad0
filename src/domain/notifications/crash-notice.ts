/** Crashes within this time count together (clarifications, part 9). */
export const CRASHES_WITHIN_MS = 3_600_000
const TOLD_FROM = 2

/** Whether the owner hears of a crash: of the second one in an hour, and of one after which the server stays stopped. */
export const crashNotice = (type: string, crashesInTime: number): 'again' | 'stays' | undefined => {
  if (type === 'server:crash-loop') return 'stays'
  return type === 'server:crashed' && crashesInTime >= TOLD_FROM ? 'again' : undefined
}

type Title = { readonly en: string; readonly hu: string; readonly de: string }
/** The facts of a crash in a notice: its cause, and that the server was restarted (`again`) or stays stopped. */
export type CrashWords = {
  readonly again?: true | undefined
  readonly error?: string | undefined
  readonly staffError?: Title | undefined
}

/** The cause of a crash: the known error, else the title of the staff's rule, else none, which is a cause of its own. */
const causeOf = ({ error, staffError }: CrashWords): string =>
  error ?? (staffError ? JSON.stringify([staffError.en, staffError.hu, staffError.de]) : '')

/** A new notice, the one of this id with the new words, or none. */
export type CrashTelling =
  { readonly is: 'new' } | { readonly is: 'changed'; readonly id: string } | { readonly is: 'none' }

/**
 * How the owner learns of a crash, by the notices of the last hour about the same server: each cause has one. The notice that
 * already named the cause says as well that the server stays stopped.
 */
export const crashTelling = (
  words: CrashWords,
  lately: readonly { readonly id: string; readonly words: CrashWords }[],
): CrashTelling => {
  const told = lately.find((notice) => causeOf(notice.words) === causeOf(words))
  if (told === undefined) return { is: 'new' }
  return told.words.again && !words.again ? { is: 'changed', id: told.id } : { is: 'none' }
}
