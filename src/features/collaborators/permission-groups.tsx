'use client'
import { useTranslations } from 'next-intl'
import { listedOnly, OFFERED_GROUPS } from '#contracts/panel/offered-permissions.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { changesOnlyOwn, PERMISSION_NEEDS } from '#domain/servers/permissions.ts'
import { toggled } from '#domain/servers/shares.ts'
import { Checkbox } from '@/ui/controls/choice.tsx'
import { useShareWords } from './use-share-words.ts'

type PermissionGroupsProps = {
  readonly permissions: readonly Permission[]
  /** The permissions that the reader may give and take. */
  readonly own: readonly Permission[]
  readonly onChange: (permissions: readonly Permission[]) => void
}

/**
 * All permissions that this installation has use for, by group. Permissions that a tick brings or takes with it move at
 * once.
 */
export const PermissionGroups = ({ permissions, own, onChange }: PermissionGroupsProps) => {
  const t = useTranslations('collaborators')
  const { permissionWord } = useShareWords()
  return (
    <div className="perm-groups">
      {OFFERED_GROUPS.map(({ group, keys }) => (
        <fieldset key={group} className="perm-group">
          <legend className="label">{t(`groups.${group}`)}</legend>
          {keys.map((key) => {
            const isTicked = permissions.includes(key)
            // The tick brings what the permission needs; without it goes what needs it.
            const after = toggled(permissions, key, !isTicked)
            const mayChange = changesOnlyOwn(own, { before: permissions, after })
            const needs = PERMISSION_NEEDS[key].filter((need) => !permissions.includes(need))
            return (
              <Checkbox
                key={key}
                checked={isTicked}
                disabled={!mayChange}
                onChange={(event) => {
                  const isOn = event.currentTarget.checked
                  const next = toggled(permissions, key, isOn)
                  // A preset from which something is taken no longer promises what this build does not have yet.
                  onChange(isOn ? next : listedOnly(next, own))
                }}
              >
                {permissionWord(key)}
                {mayChange ? null : <span className="small t3 block">{t('dialog.lacked')}</span>}
                {mayChange && !isTicked && needs.length > 0 ? (
                  <span className="vh"> {t('dialog.brings', { list: needs.map(permissionWord).join(', ') })}</span>
                ) : null}
              </Checkbox>
            )
          })}
        </fieldset>
      ))}
    </div>
  )
}
