'use client'
import { useTranslations } from 'next-intl'
import type { Permission } from '#contracts/panel/permissions.ts'
import { OFFERED_PERMISSIONS } from '#contracts/panel/offered-permissions.ts'
import { isPermission } from '#contracts/panel/permissions.ts'
import { presetOf } from '#domain/servers/shares.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'

/** The words of permissions, of sets of them, and of refusals that name one. */
export const useShareWords = () => {
  const t = useTranslations('collaborators')
  const failureText = useFailureText()
  const permissionWord = (permission: Permission): string => t(`keys.${permission}`)
  return {
    permissionWord,
    /** The preset of a set of permissions, or how many they are. */
    setWord: (permissions: readonly Permission[]): string => {
      const preset = presetOf(permissions)
      return preset === undefined
        ? t('count', { count: permissions.filter((key) => OFFERED_PERMISSIONS.includes(key)).length })
        : t(`presets.${preset}.title`)
    },
    /** A failure as a sentence; without a permission it says which one is missing. */
    failureWord: (failure: unknown): string => {
      const missing = failure instanceof ApiFailure && failure.code === 'FORBIDDEN' ? failure.params.permission : null
      return isPermission(missing) ? t('needs', { permission: permissionWord(missing) }) : failureText(failure)
    },
  }
}
