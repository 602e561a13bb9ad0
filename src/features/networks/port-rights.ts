'use client'
import { useTranslations } from 'next-intl'
import type { ServerPorts } from '#contracts/http/panel/ports.ts'
import type { Server } from '#contracts/http/server.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'

const CHANGES = ['allocation.create', 'allocation.update', 'allocation.remove'] as const
type Change = (typeof CHANGES)[number]

/** Keys of the sentences about a missing permission. */
const WORDS = {
  'allocation.view': 'view',
  'allocation.create': 'create',
  'allocation.update': 'update',
  'allocation.remove': 'remove',
} as const

const isKnown = (permission: string): permission is keyof typeof WORDS => Object.hasOwn(WORDS, permission)

/** The changes that the reader may make now, and the permissions that are missing. */
export type PortRights = {
  readonly may: (change: Change) => boolean
  readonly missing: readonly Change[]
}

/** The reader's rights on the ports of a server. Nobody changes those of one that is suspended or expired. */
export const portRightsOf = (
  { permissions }: { readonly permissions: readonly Permission[] },
  { readOnly }: Pick<ServerPorts, 'readOnly'>,
): PortRights => ({
  may: (change) => readOnly === null && permissions.includes(change),
  missing: CHANGES.filter((change) => !permissions.includes(change)),
})

/** The sentence about each missing permission. */
export const useMissingText = () => {
  const t = useTranslations('networks.missing')
  return (permission: keyof typeof WORDS): string => t(WORDS[permission])
}

/** Why a change of the ports was refused; a missing permission is named. */
export const usePortFailure = () => {
  const missing = useMissingText()
  const failureText = useFailureText()
  return (failure: unknown): string => {
    const permission = failure instanceof ApiFailure && failure.code === 'FORBIDDEN' ? failure.params.permission : ''
    return typeof permission === 'string' && isKnown(permission) ? missing(permission) : failureText(failure)
  }
}

export type ShownServer = Pick<Server, 'id' | 'name' | 'status' | 'permissions' | 'computer'>
