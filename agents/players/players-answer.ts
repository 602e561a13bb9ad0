/** Control characters, and those that turn or join the text around them. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu
/** Colours as Minecraft writes them. */
const COLOUR = /§./gu

export interface AnswerBounds {
  readonly count: number
  readonly names: number
  readonly nameLength: number
}

const countIn = (value: unknown, most: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(0, Math.floor(value))) : 0

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

/** A name in one line of visible characters; undefined if nothing of it is left. */
export const cleanName = (raw: unknown, most: number): string | undefined => {
  if (typeof raw !== 'string') return undefined
  // Cut first: a name of megabytes is not searched.
  const text = raw
    .slice(0, most * 4)
    .replace(COLOUR, '')
    .replace(UNSHOWN, '')
    .replace(/\s+/gu, ' ')
    .trim()
  let name = ''
  for (const character of text) {
    if (name.length + character.length > most) break
    name += character
  }
  return name.trim() === '' ? undefined : name.trim()
}

/**
 * The part of a game's answer about its players that counts. Customers control the game, so numbers are clamped, and
 * names are cut, cleaned and limited in number.
 */
export const playersIn = (answer: unknown, bounds: AnswerBounds): { online: number; max: number; names: string[] } => {
  const listed = field(answer, 'players')
  const names: string[] = []
  // Nameless entries count as read, so that a list of nothing else also ends.
  for (const player of Array.isArray(listed) ? listed.slice(0, bounds.names) : []) {
    const name = cleanName(field(player, 'name'), bounds.nameLength)
    if (name !== undefined) names.push(name)
  }
  const online = countIn(field(answer, 'numplayers'), bounds.count)
  return { online, max: countIn(field(answer, 'maxplayers'), bounds.count), names: names.slice(0, online) }
}
