export type Age = { unit: 'now' | 'minutes' | 'hours' | 'days'; count: number }

/** A past time's age in the largest whole unit; the future and the last minute are "now". */
export const ageOf = (moment: string, nowMs: number): Age => {
  const minutes = Math.floor((nowMs - Date.parse(moment)) / 60_000)
  if (minutes < 1) return { unit: 'now', count: 0 }
  if (minutes < 60) return { unit: 'minutes', count: minutes }
  if (minutes < 48 * 60) return { unit: 'hours', count: Math.floor(minutes / 60) }
  return { unit: 'days', count: Math.floor(minutes / (24 * 60)) }
}
