/** A row, or the heading of a group, with its place on the page in pixels. */
export type Slot = {
  readonly kind: 'row' | 'heading'
  /** The server of a row; empty for a heading. */
  readonly id: string
  readonly groupId: string | null
  readonly top: number
  readonly bottom: number
}

export type DropPlace = {
  readonly groupId: string | null
  /** The server in front of which it lands; null for the end of the group. */
  readonly before: string | null
  /** Where a line shows the place. */
  readonly lineY: number
}

const distanceTo = ({ top, bottom }: Slot, y: number): number => Math.max(top - y, y - bottom, 0)

/** Where a server lands that is let go at this height. Headings stand for the beginning of their group. */
export const dropPlace = (slots: readonly Slot[], draggedId: string, y: number): DropPlace | null => {
  const others = slots.filter(({ id, kind }) => kind === 'heading' || id !== draggedId)
  const nearest = others.toSorted((a, b) => distanceTo(a, y) - distanceTo(b, y))[0]
  if (nearest === undefined) return null
  const at = others.indexOf(nearest)
  const { groupId } = nearest
  const isAbove = nearest.kind === 'row' && y < (nearest.top + nearest.bottom) / 2
  if (isAbove) return { groupId, before: nearest.id, lineY: nearest.top }
  const next = others[at + 1]
  const before = next?.kind === 'row' && next.groupId === groupId ? next.id : null
  return { groupId, before, lineY: nearest.bottom }
}

type Sectioned = {
  readonly group: { readonly id: string } | null
  readonly servers: readonly { readonly id: string }[]
}

/** The place one step up or down from a server's, across the edges of groups; undefined at both ends of the list. */
export const steppedPlace = (
  sections: readonly Sectioned[],
  id: string,
  step: -1 | 1,
): Pick<DropPlace, 'groupId' | 'before'> | undefined => {
  const at = sections.findIndex(({ servers }) => servers.some((server) => server.id === id))
  const section = sections[at]
  if (section === undefined) return undefined
  const index = section.servers.findIndex((server) => server.id === id)
  const groupId = section.group?.id ?? null
  if (step === -1 && index > 0) return { groupId, before: section.servers[index - 1]?.id ?? null }
  if (step === 1 && index < section.servers.length - 1)
    return { groupId, before: section.servers[index + 2]?.id ?? null }
  const neighbour = sections[at + step]
  if (neighbour === undefined) return undefined
  return { groupId: neighbour.group?.id ?? null, before: step === 1 ? (neighbour.servers[0]?.id ?? null) : null }
}
