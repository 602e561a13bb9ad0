import type { TICKET_STATES } from '#contracts/http/ticket.ts'

export type TicketState = (typeof TICKET_STATES)[number]
export type MenuHit = { readonly id: string; readonly title: string; readonly link: string }
export type SearchTicket = {
  readonly id: string
  readonly title: string
  readonly lastMessage: { readonly message: string }
  readonly status: TicketState
}
export type SearchServer = { readonly id: string; readonly name: string }
export type SearchSources<Server extends SearchServer, Menu extends MenuHit> = {
  readonly servers: readonly Server[]
  readonly tickets: readonly SearchTicket[]
  readonly menu: readonly Menu[]
}

const matcher = (input: string) => {
  const wanted = input.trim().toLowerCase()
  return (text: string) => wanted !== '' && text.toLowerCase().includes(wanted)
}

const once = <Item extends { readonly id: string }>(items: readonly Item[]): Item[] => {
  const seen = new Set<string>()
  return items.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/**
 * The search results (specification section 2): servers by name, tickets by title or last message, menu entries by
 * title; case-insensitive substring, each id once. An empty input finds nothing.
 */
export const searchAll = <Server extends SearchServer, Menu extends MenuHit>(
  input: string,
  sources: SearchSources<Server, Menu>,
): SearchSources<Server, Menu> => {
  const matches = matcher(input)
  return {
    servers: once(sources.servers.filter(({ name }) => matches(name))),
    tickets: once(sources.tickets.filter(({ title, lastMessage }) => matches(title) || matches(lastMessage.message))),
    menu: once(sources.menu.filter(({ title }) => matches(title))),
  }
}

/** The selection after one step, wrapping around at both ends. */
export const wrapped = (at: number, by: -1 | 1, count: number): number =>
  count === 0 ? 0 : (((at + by) % count) + count) % count

export type TextPart = { readonly text: string; readonly isHit: boolean }

/** The text cut at its match, for highlighting. If the lower case has another length nothing is highlighted. */
export const partsOf = (text: string, input: string): readonly TextPart[] => {
  const wanted = input.trim().toLowerCase()
  const lower = text.toLowerCase()
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
