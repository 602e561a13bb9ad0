import { ACTIVITY_GROUPS, type ActivityGroup } from './activity-groups.ts'
import type { PermissionKey } from './permissions.ts'

/** A reader of a server's activities, who has the permission to view them. */
export type ActivityReader = {
  readonly userId: string
  readonly owns: boolean
  readonly isAdmin: boolean
  readonly permissions: readonly PermissionKey[]
}

/**
 * The permission that the details of a group require: a log must not show a path or a command to somebody who may see
 * neither files nor console. Null requires nothing more.
 */
const DETAIL_NEEDS = {
  power: null,
  state: null,
  console: 'console.read',
  files: 'file.list',
  saves: 'backup.list',
  databases: 'database.list',
  timers: 'timer.view',
  networks: 'allocation.view',
  startup: 'startup.view',
  users: 'user.list',
  settings: null,
} as const satisfies Readonly<Record<Exclude<ActivityGroup, 'contract'>, PermissionKey | null>>

const isPrivileged = ({ owns, isAdmin }: ActivityReader): boolean => owns || isAdmin

/**
 * The permission that a reader needs to see the details of a group, or null if none is missing. Details of unknown types are for the
 * owner and administrators alone.
 */
export const missingForDetails = (
  group: ActivityGroup | 'other',
  reader: ActivityReader,
): PermissionKey | 'owner' | null => {
  if (isPrivileged(reader)) return null
  if (group === 'contract' || group === 'other') return 'owner'
  const need = DETAIL_NEEDS[group]
  return need === null || reader.permissions.includes(need) ? null : need
}

/** Groups that a reader does not see at all: the contract is about the owner's money. */
export const hiddenGroups = (reader: ActivityReader): ActivityGroup[] => (isPrivileged(reader) ? [] : ['contract'])

/** Groups whose details a reader sees, and may therefore search. */
export const readableGroups = (reader: ActivityReader): ActivityGroup[] =>
  ACTIVITY_GROUPS.filter((group) => missingForDetails(group, reader) === null)

/**
 * How much of an address a reader sees: administrators and the person themselves all of it, the owner the place of those
 * who are not staff, and nobody else anything.
 */
export const originSeen = (
  reader: ActivityReader,
  actor: { readonly userId: string; readonly isStaff: boolean },
): 'address' | 'place' | 'nothing' => {
  if (reader.isAdmin || reader.userId === actor.userId) return 'address'
  return reader.owns && !actor.isStaff ? 'place' : 'nothing'
}
