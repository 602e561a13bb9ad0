import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DESCRIPTION_LENGTH, IdentityChange } from '#contracts/http/panel/server-settings.ts'
import type { ServerSettings } from '#contracts/http/panel/server-settings.ts'
import { fieldFault } from '#contracts/http/field-fault.ts'
import type * as z from 'zod'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { Field, TextArea } from '@/ui/controls/field.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { useDraft } from './use-draft.ts'
import { isClash, useChangeSettings } from './use-settings.ts'

type Identity = Pick<ServerSettings, 'name' | 'description'>
type Faults = Partial<Record<keyof Identity, string>>

const identityOf = ({ name, description }: ServerSettings): Identity => ({ name, description })

const useIdentity = (serverId: string, settings: ServerSettings) => {
  const t = useTranslations('errors.fields')
  const change = useChangeSettings(serverId, 'identity')
  const draft = useDraft(identityOf(settings), isClash(change.error))
  const [faults, setFaults] = useState<Faults>({})
  const save = () => {
    const { typed, seen } = draft
    const checked = IdentityChange.safeParse(
      { ...typed, seen },
      { error: (issue) => t(fieldFault(issue as z.core.$ZodRawIssue)), reportInput: true },
    )
    if (!checked.success) {
      return setFaults(Object.fromEntries(checked.error.issues.map(({ path, message }) => [path[0], message])))
    }
    setFaults({})
    return change.mutate(checked.data, { onSuccess: (saved) => draft.settle(identityOf(saved), typed) })
  }
  const refused: Faults = change.error instanceof ApiFailure ? change.error.fields : {}
  return { draft, change, save, faults: { ...refused, ...faults } }
}

/** The name and the description of a server, for whoever may rename it; for the others they stand there as text. */
export const IdentityPanel = ({
  serverId,
  settings,
  closed,
}: {
  serverId: string
  settings: ServerSettings
  /** Why the reader cannot change it now; null if they can. */
  closed: string | null
}) => {
  const t = useTranslations('serverSettings.identity')
  const { draft, change, save, faults } = useIdentity(serverId, settings)
  const { typed, others } = draft
  const isNamed = faults.name !== undefined || faults.description !== undefined
  return (
    <Panel title={t('title')}>
      <SettingsFrame
        isDirty={draft.isDirty}
        isSaving={change.isPending}
        isSaved={change.isSuccess}
        failure={isNamed ? null : change.error}
        others={others && t('others', others)}
        onSave={save}
        onDiscard={() => {
          change.reset()
          draft.discard()
        }}
        closed={closed}
      >
        <Field
          label={t('name')}
          value={typed.name}
          maxLength={48}
          readOnly={closed !== null}
          error={faults.name}
          onChange={(event) => draft.type({ name: event.currentTarget.value })}
        />
        <TextArea
          label={t('description')}
          help={t('help', { count: typed.description.length, most: DESCRIPTION_LENGTH })}
          rows={3}
          value={typed.description}
          maxLength={DESCRIPTION_LENGTH}
          readOnly={closed !== null}
          error={faults.description}
          onChange={(event) => draft.type({ description: event.currentTarget.value })}
        />
      </SettingsFrame>
    </Panel>
  )
}
