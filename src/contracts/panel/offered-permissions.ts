import type { PermissionKey } from '#domain/servers/permissions.ts'
import { isBuilt, type PanelPage } from '../features.ts'
import { PERMISSION_OF_CALL, PERMISSIONS, type Permission } from './permissions.ts'

/** The subjects of permissions in display order, with the page of the panel that each is about. */
const PAGE_OF_GROUP = {
  control: 'console',
  console: 'console',
  file: 'files',
  user: 'users',
  database: 'databases',
  timer: 'timers',
  backup: 'saves',
  allocation: 'networks',
  startup: 'startup',
  settings: 'settings',
  activity: 'activities',
} as const satisfies Record<string, PanelPage>

export type PermissionGroup = keyof typeof PAGE_OF_GROUP
const GROUPS = Object.keys(PAGE_OF_GROUP) as PermissionGroup[]

const NAMED: readonly unknown[] = Object.values(PERMISSION_OF_CALL)

const isIn = (group: PermissionGroup, key: PermissionKey): boolean => key.startsWith(`${group}.`)

/** The settings of a server come one by one: a permission is of use once a call asks for it. */
const keysOf = (group: PermissionGroup): readonly Permission[] => {
  const page = PAGE_OF_GROUP[group]
  if (!isBuilt(page)) return []
  return PERMISSIONS.filter((key) => isIn(group, key) && (page !== 'settings' || NAMED.includes(key)))
}

/** The permissions that a page lists, by their subject: those of features that this build has. Presets contain the others too. */
export const OFFERED_GROUPS: readonly { readonly group: PermissionGroup; readonly keys: readonly Permission[] }[] =
  GROUPS.map((group) => ({ group, keys: keysOf(group) })).filter(({ keys }) => keys.length > 0)

export const OFFERED_PERMISSIONS: readonly Permission[] = OFFERED_GROUPS.flatMap(({ keys }) => keys)

/**
 * A set that somebody ticks one by one: without what no page lists, because nobody gives what they cannot see. Keys that the
 * reader lacks stay, because the reader may not take them away.
 */
export const listedOnly = (ticked: readonly Permission[], own: readonly Permission[]): Permission[] =>
  ticked.filter((key) => OFFERED_PERMISSIONS.includes(key) || !own.includes(key))
