const startsKept = 9
const key = (serverId: string) => `bakter.starts.${serverId}`

/** The median of some seconds; null without any. */
export const median = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}

/** Durations in seconds of the starts seen by this browser, oldest first. */
export const readStarts = (serverId: string): readonly number[] => {
  try {
    const held: unknown = JSON.parse(window.localStorage.getItem(key(serverId)) ?? '[]')
    return Array.isArray(held) ? held.filter((value) => typeof value === 'number') : []
  } catch {
    return []
  }
}

export const keepStart = (serverId: string, seconds: number): void => {
  try {
    const starts = [...readStarts(serverId), seconds].slice(-startsKept)
    window.localStorage.setItem(key(serverId), JSON.stringify(starts))
  } catch {
    // Without storage only the phases are shown.
  }
}
