export type DayPart = 'night' | 'morning' | 'day' | 'evening'

/** Part of the day for the greeting, by the reader's own clock. */
export const dayPartOf = (hour: number): DayPart => {
  if (hour < 4) return 'night'
  if (hour < 10) return 'morning'
  return hour < 18 ? 'day' : 'evening'
}
