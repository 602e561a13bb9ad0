/** A group of a person's list of servers, named by that person. */
export type ServerGroup = {
  readonly id: string
  readonly name: string
  /** Only its heading is shown. */
  readonly folded: boolean
  readonly servers: readonly string[]
}

/** How a person has arranged their list of servers: own order, groups, and the density of rows. */
export type ServerLayout = {
  readonly groups: readonly ServerGroup[]
  /** The servers without a group, in order. */
  readonly loose: readonly string[]
  readonly dense: boolean
}

export type LayoutChange =
  /** Puts servers before another one of the group, or at its end. A null group is none. */
  | {
      readonly kind: 'move'
      readonly servers: readonly string[]
      readonly groupId: string | null
      readonly before: string | null
    }
  | { readonly kind: 'addGroup'; readonly groupId: string; readonly name: string; readonly servers: readonly string[] }
  | { readonly kind: 'renameGroup'; readonly groupId: string; readonly name: string }
  | { readonly kind: 'removeGroup'; readonly groupId: string }
  /** Puts a group before another one, or at the end. */
  | { readonly kind: 'moveGroup'; readonly groupId: string; readonly before: string | null }
  | { readonly kind: 'fold'; readonly groupId: string; readonly folded: boolean }
  | { readonly kind: 'density'; readonly dense: boolean }

export type LayoutRefusal = 'NOT_FOUND' | 'GROUP_EXISTS' | 'GROUP_LIMIT'
export type LayoutResult =
  { readonly ok: true; readonly layout: ServerLayout } | { readonly ok: false; readonly code: LayoutRefusal }

export const MAX_SERVER_GROUPS = 50
export const MAX_GROUP_NAME_LENGTH = 40

/** The layout of somebody who has arranged nothing. */
export const EMPTY_LAYOUT: ServerLayout = { groups: [], loose: [], dense: false }

/**
 * The layout with each of the person's servers exactly once: servers that are gone are left out, and new ones are at the
 * end of those without a group, in the order of `serverIds`.
 */
export const arranged = (layout: ServerLayout, serverIds: readonly string[]): ServerLayout => {
  const missing = new Set(serverIds)
  const taken = (ids: readonly string[]) => ids.filter((id) => missing.delete(id))
  const groups = layout.groups.map((group) => ({ ...group, servers: taken(group.servers) }))
  const loose = taken(layout.loose)
  return { ...layout, groups, loose: [...loose, ...missing] }
}

const without = (layout: ServerLayout, moved: ReadonlySet<string>): ServerLayout => {
  const rest = (ids: readonly string[]) => ids.filter((id) => !moved.has(id))
  return {
    ...layout,
    groups: layout.groups.map((group) => ({ ...group, servers: rest(group.servers) })),
    loose: rest(layout.loose),
  }
}

/** `before` may have left the list meanwhile; the end is then the nearest place. */
const inserted = <Item>(items: readonly Item[], added: readonly Item[], isBefore: (item: Item) => boolean): Item[] => {
  const found = items.findIndex(isBefore)
  const at = found === -1 ? items.length : found
  return [...items.slice(0, at), ...added, ...items.slice(at)]
}

const done = (layout: ServerLayout): LayoutResult => ({ ok: true, layout })
const refused = (code: LayoutRefusal): LayoutResult => ({ ok: false, code })

const withGroup = (layout: ServerLayout, groupId: string, change: Partial<ServerGroup>): LayoutResult =>
  layout.groups.some(({ id }) => id === groupId)
    ? done({
        ...layout,
        groups: layout.groups.map((group) => (group.id === groupId ? { ...group, ...change } : group)),
      })
    : refused('NOT_FOUND')

const isNameTaken = ({ groups }: ServerLayout, name: string, own: string): boolean =>
  groups.some((group) => group.id !== own && group.name.toLowerCase() === name.toLowerCase())

const move = (layout: ServerLayout, { servers, groupId, before }: LayoutChange & { kind: 'move' }): LayoutResult => {
  const moved = [...new Set(servers)]
  const known = new Set([...layout.loose, ...layout.groups.flatMap((group) => group.servers)])
  if (moved.some((id) => !known.has(id))) return refused('NOT_FOUND')
  const rest = without(layout, new Set(moved))
  const put = (ids: readonly string[]) => inserted(ids, moved, (id) => id === before)
  if (groupId === null) return done({ ...rest, loose: put(rest.loose) })
  const group = rest.groups.find(({ id }) => id === groupId)
  return group === undefined ? refused('NOT_FOUND') : withGroup(rest, groupId, { servers: put(group.servers) })
}

const addGroup = (layout: ServerLayout, change: LayoutChange & { kind: 'addGroup' }): LayoutResult => {
  const { groupId, name, servers } = change
  // A repeated call has already been done.
  if (layout.groups.some(({ id }) => id === groupId)) return done(layout)
  if (layout.groups.length >= MAX_SERVER_GROUPS) return refused('GROUP_LIMIT')
  if (isNameTaken(layout, name, groupId)) return refused('GROUP_EXISTS')
  const added = { ...layout, groups: [...layout.groups, { id: groupId, name, folded: false, servers: [] }] }
  return servers.length === 0 ? done(added) : move(added, { kind: 'move', servers, groupId, before: null })
}

const moveGroup = (layout: ServerLayout, change: LayoutChange & { kind: 'moveGroup' }): LayoutResult => {
  const group = layout.groups.find(({ id }) => id === change.groupId)
  if (group === undefined) return refused('NOT_FOUND')
  const rest = layout.groups.filter(({ id }) => id !== change.groupId)
  return done({ ...layout, groups: inserted(rest, [group], ({ id }) => id === change.before) })
}

/**
 * A layout after one change. `layout` is arranged: a server that it does not contain is none of the person's. Changes name what
 * they move and not the whole list, so that those of two browsers are both kept.
 */
export const changedLayout = (layout: ServerLayout, change: LayoutChange): LayoutResult => {
  switch (change.kind) {
    case 'move':
      return move(layout, change)
    case 'addGroup':
      return addGroup(layout, change)
    case 'renameGroup':
      return isNameTaken(layout, change.name, change.groupId)
        ? refused('GROUP_EXISTS')
        : withGroup(layout, change.groupId, { name: change.name })
    case 'removeGroup': {
      const group = layout.groups.find(({ id }) => id === change.groupId)
      // A repeated call has already been done.
      if (group === undefined) return done(layout)
      const groups = layout.groups.filter(({ id }) => id !== change.groupId)
      return done({ ...layout, groups, loose: [...layout.loose, ...group.servers] })
    }
    case 'moveGroup':
      return moveGroup(layout, change)
    case 'fold':
      return withGroup(layout, change.groupId, { folded: change.folded })
    case 'density':
      return done({ ...layout, dense: change.dense })
  }
}
