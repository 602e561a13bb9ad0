/** Crashes within this time count together (clarifications, part 9). */
export const CRASHES_WITHIN_MS = 3_600_000
const TOLD_FROM = 2

/** Whether the owner hears of a crash: of the second one in an hour, and of one after which the server stays stopped. */
export const crashNotice = (type: string, crashesInTime: number): 'again' | 'stays' | undefined => {
  if (type === 'server:crash-loop') return 'stays'
  return type === 'server:crashed' && crashesInTime >= TOLD_FROM ? 'again' : undefined
}
