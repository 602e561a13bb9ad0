import type { ErrorCode } from '#contracts/http/errors.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import type { ShareChange, ShareRefusal } from '#domain/servers/permissions.ts'
import { SHORTEST_SHARE_MS, type ShareEndMs } from '#domain/servers/shares.ts'
import type { ServerAccess } from '../access/server-access.ts'

export type SharingCaller = Pick<Caller, 'userId' | 'isAdmin' | 'isVerified' | 'address' | 'way'>

export type SharingRefusal = {
  readonly ok: false
  readonly code: Extract<
    ErrorCode,
    | ShareRefusal
    | 'NOT_FOUND'
    | 'VALIDATION'
    | 'EMAIL_NOT_VERIFIED'
    | 'TOO_MANY_REQUESTS'
    | 'COLLABORATOR_UNKNOWN'
    | 'ALREADY_COLLABORATOR'
    | 'COLLABORATOR_LIMIT'
    | 'SHARE_CHANGED'
  >
  readonly params?: Readonly<Record<string, string | number>>
  readonly fields?: Readonly<Record<string, string>>
}

export const refuse = (
  code: SharingRefusal['code'],
  facts: Omit<SharingRefusal, 'ok' | 'code'> = {},
): SharingRefusal => ({
  ok: false,
  code,
  ...facts,
})

/** The refusal of somebody who lacks a permission, with its name. */
export const lacks = (permission: Permission): SharingRefusal => refuse('FORBIDDEN', { params: { permission } })

/** The caller as the domain asks for them. */
export const actorOf = (
  caller: Pick<Caller, 'userId'>,
  { server, permissions, isStaff }: ServerAccess,
): ShareChange['actor'] => ({
  userId: caller.userId,
  visitor: { owns: server.ownerId === caller.userId, isAdmin: isStaff, shared: permissions },
})

/** Whether a new end lies too near, or in the past. */
export const isEndTooSoon = (endsAtMs: ShareEndMs, nowMs: number): boolean =>
  endsAtMs !== null && endsAtMs < nowMs + SHORTEST_SHARE_MS
