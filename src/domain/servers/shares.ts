import { DAY_MS } from '../billing/period.ts'
import { PERMISSION_NEEDS, withNeeds, type PermissionKey } from './permissions.ts'

/** How long an invitation waits for its answer. */
export const INVITATION_DAYS = 14

/** The shortest time after which a share can end by itself: shorter ones would end while they are being entered. */
export const SHORTEST_SHARE_MS = 60_000

const ALL = Object.keys(PERMISSION_NEEDS) as PermissionKey[]

const MODERATOR = [
  'control.start',
  'control.stop',
  'control.restart',
  'console.command',
  'console.read',
  'activity.view',
] as const satisfies readonly PermissionKey[]

/**
 * Sets of permissions with a name, from the smallest to everything. Each is complete: it contains what its keys need. A
 * viewer sees neither the addresses of the others nor the start-up settings, which may hold passwords.
 */
export const SHARE_PRESETS = {
  viewer: [
    'console.read',
    'file.list',
    'database.list',
    'timer.view',
    'backup.list',
    'allocation.view',
    'activity.view',
  ],
  moderator: MODERATOR,
  builder: [
    ...MODERATOR,
    'file.list',
    'file.read',
    'file.create',
    'file.update',
    'file.compress',
    'file.sftp',
    'backup.list',
    'backup.create',
    'startup.view',
  ],
  coOwner: ALL,
} as const satisfies Readonly<Record<string, readonly PermissionKey[]>>

export type SharePreset = keyof typeof SHARE_PRESETS
export const SHARE_PRESET_NAMES = Object.keys(SHARE_PRESETS) as SharePreset[]

/** The keys of a preset. */
export const presetKeys = (preset: SharePreset): readonly PermissionKey[] => SHARE_PRESETS[preset]

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((key) => others.includes(key))

/** The preset that has exactly these permissions; undefined for a set of one's own. */
export const presetOf = (permissions: readonly string[]): SharePreset | undefined =>
  SHARE_PRESET_NAMES.find((preset) => isSame(withNeeds(permissions), presetKeys(preset)))

/** Whether one set of permissions is the other, whatever their order. */
export const isSamePermissions = (some: readonly string[], others: readonly string[]): boolean =>
  isSame(withNeeds(some), withNeeds(others))

/** The keys that need this one. */
export const neededBy = (key: PermissionKey): readonly PermissionKey[] =>
  ALL.filter((other) => (PERMISSION_NEEDS[other] as readonly PermissionKey[]).includes(key))

/**
 * Ticks or unticks a permission. A ticked one brings what it needs; an unticked one takes with it what needs it, so the
 * set is always complete.
 */
export const toggled = (ticked: readonly PermissionKey[], key: PermissionKey, isOn: boolean): PermissionKey[] => {
  if (isOn) return withNeeds([...ticked, key])
  const gone = [key, ...neededBy(key)]
  return ticked.filter((each) => !gone.includes(each))
}

/** When an invitation of now is no longer answered. */
export const invitationEndMs = (nowMs: number): number => nowMs + INVITATION_DAYS * DAY_MS

/** The people of a server: those who have a share, and those who were invited and have not answered. */
export type Seats = { readonly limit: number; readonly shares: number; readonly invitations: number }

/** Whether one more person may be invited. A pending invitation holds a place, so that nobody is promised one that is taken. */
export const hasSeat = ({ limit, shares, invitations }: Seats): boolean => shares + invitations < limit

/** Whether an invited person may accept: their own invitation holds a place, but the limit may have shrunk since. */
export const canAccept = ({ limit, shares }: Pick<Seats, 'limit' | 'shares'>): boolean => shares < limit

/** When a share ends: epoch milliseconds, or null for no end. */
export type ShareEndMs = number | null

const endsLater = (endMs: ShareEndMs, otherMs: ShareEndMs): boolean =>
  otherMs !== null && (endMs === null || endMs > otherMs)

/**
 * Whether a change of a share's end gives more time than the actor has, or changes the time of permissions that the
 * actor lacks: time is a part of what is shared, so the rule of `refuseShareChange` applies to it too.
 */
export const isEndRefused = (change: {
  readonly own: readonly PermissionKey[]
  readonly ownEndMs: ShareEndMs
  /** The whole share after the change. */
  readonly permissions: readonly string[]
  /** Undefined for an invitation. */
  readonly beforeMs: ShareEndMs | undefined
  readonly afterMs: ShareEndMs
}): boolean => {
  const { own, ownEndMs, permissions, beforeMs, afterMs } = change
  if (beforeMs === afterMs) return false
  return endsLater(afterMs, ownEndMs) || !withNeeds(permissions).every((key) => own.includes(key))
}
