'use client'
import { useTranslations } from 'next-intl'
import type { Permission } from '#contracts/panel/permissions.ts'

type Reader = { readonly permissions: readonly Permission[] }

/** The ones of these permissions that the reader lacks on a server. */
export const missingOf = ({ permissions }: Reader, wanted: readonly Permission[]): readonly Permission[] =>
  wanted.filter((permission) => !permissions.includes(permission))

/** Missing permissions in a few words, by their names on the collaborators' page. */
export const useMissingWords = () => {
  const t = useTranslations('collaborators')
  return (missing: readonly Permission[]): string =>
    t('missing', {
      count: missing.length,
      list: missing.map((permission) => t('quoted', { permission: t(`keys.${permission}`) })).join(', '),
    })
}

/** One quiet line in the place of controls that the reader lacks; nothing where no permission is missing. */
export const MissingPermissions = ({ missing }: { missing: readonly Permission[] }) => {
  const words = useMissingWords()
  return missing.length === 0 ? null : <p className="small t2">{words(missing)}</p>
}
