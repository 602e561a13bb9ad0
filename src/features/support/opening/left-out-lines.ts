/** The FNV hash of 32 bits has this offset and this prime. */
const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/**
 * Stands for a line that was left out of what goes along about a server. It is as short as it is on purpose: a browser keeps it with the draft, and
 * too many lines have the same one for anybody to read a password out of it. A line that has it by chance stays out too, and is seen to.
 */
export const signOfLine = (serverId: string, line: string): string => {
  let hash = OFFSET
  for (const unit of `${serverId}\n${line}`) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), PRIME)
  return (hash >>> 0).toString(36)
}

/** The signs of a draft, as it keeps them: one text. */
export const signsIn = (kept: string | undefined): ReadonlySet<string> =>
  new Set((kept ?? '').split(' ').filter(Boolean))

/** These signs as a draft keeps them; undefined for none. */
export const keptSigns = (signs: ReadonlySet<string>): string | undefined =>
  signs.size === 0 ? undefined : [...signs].join(' ')

/** The places of the lines that were left out before, in another look at their server. */
export const placesOf = (signs: ReadonlySet<string>, lineSigns: readonly string[]): ReadonlySet<number> =>
  new Set(lineSigns.flatMap((sign, at) => (signs.has(sign) ? [at] : [])))

/** The signs after a choice among the lines that are shown. Those of lines that are not shown stay. */
export const signsAfter = (
  signs: ReadonlySet<string>,
  lineSigns: readonly string[],
  without: ReadonlySet<number>,
): ReadonlySet<string> => {
  const shown = new Set(lineSigns)
  return new Set([...[...signs].filter((sign) => !shown.has(sign)), ...lineSigns.filter((_, at) => without.has(at))])
}
