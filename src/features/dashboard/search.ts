import type { TicketState } from '#domain/tickets/ticket-state.ts'

/** `words` are found too: other names of the page. */
export type MenuHit = {
  readonly id: string
  readonly title: string
  readonly link: string
  readonly words?: string
}
export type SearchTicket = {
  readonly id: string
  readonly title: string
  readonly lastMessage: { readonly message: string }
  readonly status: TicketState
  readonly mergedInto?: { readonly identifier: string } | undefined
}
export type SearchServer = {
  readonly id: string
  readonly name: string
  readonly identifier: string
  readonly address: string | null
}
export type SearchSources<Server extends SearchServer, Menu extends MenuHit> = {
  readonly servers: readonly Server[]
  readonly tickets: readonly SearchTicket[]
  readonly menu: readonly Menu[]
}

/** In lower case and without accents, so that `szigetvar` finds Szigetvár. */
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

const matcher = (input: string) => {
  const wanted = folded(input.trim())
  return (text: string) => wanted !== '' && folded(text).includes(wanted)
}

const once = <Item extends { readonly id: string }>(items: readonly Item[]): Item[] => {
  const seen = new Set<string>()
  return items.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/**
 * The search results (specification section 2): servers by name, address or number, tickets by title or last message,
 * menu entries by title; a part of the text without regard to case and accents, each id once. An empty input finds
 * nothing.
 */
export const searchAll = <Server extends SearchServer, Menu extends MenuHit>(
  input: string,
  sources: SearchSources<Server, Menu>,
): SearchSources<Server, Menu> => {
  const matches = matcher(input)
  return {
    servers: once(
      sources.servers.filter(({ name, identifier, address }) => matches(`${name}\n${identifier}\n${address ?? ''}`)),
    ),
    tickets: once(sources.tickets.filter(({ title, lastMessage }) => matches(title) || matches(lastMessage.message))),
    menu: once(sources.menu.filter(({ title, words = '' }) => matches(`${title}\n${words}`))),
  }
}

/** The selection after one step, wrapping around at both ends. */
export const wrapped = (at: number, by: -1 | 1, count: number): number =>
  count === 0 ? 0 : (((at + by) % count) + count) % count

export type TextPart = { readonly text: string; readonly isHit: boolean }

/** The text cut at its match, for highlighting. If it has another length without accents nothing is highlighted. */
export const partsOf = (text: string, input: string): readonly TextPart[] => {
  const wanted = folded(input.trim())
  const lower = folded(text)
  if (wanted === '' || lower.length !== text.length) return [{ text, isHit: false }]
  const parts: TextPart[] = []
  let from = 0
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), isHit: false })
    from = at + wanted.length
    parts.push({ text: text.slice(at, from), isHit: true })
  }
  if (from < text.length) parts.push({ text: text.slice(from), isHit: false })
  return parts
}
