import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useId, useMemo } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { ServerSettings } from '#contracts/http/panel/server-settings.ts'
import { STOP_TIMEOUT_S, type Operation } from '#domain/servers/operation.ts'
import { formatDate } from '@/lib/format/date.ts'
import { NeedsRestart } from '@/lib/servers/needs-restart.tsx'
import { useStatusChange } from '@/lib/servers/use-status-change.ts'
import { Switch } from '@/ui/controls/choice.tsx'
import { Select } from '@/ui/controls/field.tsx'
import { RangeSlider } from '@/ui/controls/range-slider.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { useDraft, type DraftForm } from './use-draft.ts'
import { isClash, settingsQuery, useChangeSettings } from './use-settings.ts'

const operationOf = ({ timeZone, autoStart, stopTimeoutS }: ServerSettings): Operation => ({
  timeZone,
  autoStart,
  stopTimeoutS,
})

const RANGE = { minimum: STOP_TIMEOUT_S.least, maximum: STOP_TIMEOUT_S.most, step: 5 }

const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ')

const zonesWith = (chosen: string | null): readonly string[] => {
  // Browsers leave UTC out of their list, and the name under which a zone was once chosen.
  const known = new Set(['UTC', ...(chosen === null ? [] : [chosen]), ...Intl.supportedValuesOf('timeZone')])
  return [...known].sort((one, other) => Number(other === 'UTC') - Number(one === 'UTC') || one.localeCompare(other))
}

type FieldsProps = { readonly draft: DraftForm<Operation>; readonly isClosed: boolean }

const Zone = ({ draft, isClosed }: FieldsProps) => {
  const t = useTranslations('serverSettings.operation')
  const locale = useLocale()
  const { timeZone } = draft.typed
  const zones = useMemo(() => zonesWith(timeZone), [timeZone])
  const help =
    timeZone === null
      ? t('zoneHelp')
      : t('zoneNow', { time: formatDate(new Date(), locale, { style: 'time', timeZone }) })
  return (
    <Select
      label={t('zone')}
      help={help}
      disabled={isClosed}
      value={timeZone ?? ''}
      onChange={(event) => draft.type({ timeZone: event.currentTarget.value || null })}
    >
      <option value="">{t('zoneMachine')}</option>
      {zones.map((name) => (
        <option key={name} value={name}>
          {zoneLabel(name)}
        </option>
      ))}
    </Select>
  )
}

const AutoStart = ({ draft, isClosed }: FieldsProps) => {
  const t = useTranslations('serverSettings.operation')
  const help = useId()
  return (
    <div>
      <Switch
        checked={draft.typed.autoStart}
        disabled={isClosed}
        aria-describedby={help}
        onChange={(event) => draft.type({ autoStart: event.currentTarget.checked })}
      >
        {t('autoStart')}
      </Switch>
      <p className="help" id={help}>
        {t('autoStartHelp')}
      </p>
    </div>
  )
}

const StopTimeout = ({ draft, isClosed }: FieldsProps) => {
  const t = useTranslations('serverSettings.operation')
  const id = useId()
  const help = useId()
  const { stopTimeoutS } = draft.typed
  return (
    <div className="settings-stop">
      <RangeSlider
        id={id}
        label={t('stop')}
        range={RANGE}
        value={stopTimeoutS}
        words={(seconds) => t('seconds', { count: seconds })}
        disabled={isClosed}
        describedBy={help}
        onChange={(value) => draft.type({ stopTimeoutS: value })}
      />
      <p className="help" id={help}>
        {t('stopHelp')}
      </p>
    </div>
  )
}

/** How a server is run: its clock, whether it starts by itself, and how long a stop waits. */
export const OperationPanel = ({
  server,
  settings,
  closed,
}: {
  server: Server
  settings: ServerSettings
  closed: string | null
}) => {
  const t = useTranslations('serverSettings.operation')
  const client = useQueryClient()
  // A start of the program ends what waits for a restart.
  useStatusChange(server, () => void client.invalidateQueries({ queryKey: settingsQuery(server.id).queryKey }))
  const change = useChangeSettings(server.id, 'operation')
  const draft = useDraft(operationOf(settings), isClash(change.error))
  const { typed, seen, others } = draft
  const save = () =>
    change.mutate({ ...typed, seen }, { onSuccess: (saved) => draft.settle(operationOf(saved), typed) })
  const fields = { draft, isClosed: closed !== null }
  return (
    <Panel title={t('title')}>
      {settings.needsRestart ? <NeedsRestart server={server}>{t('needsRestart')}</NeedsRestart> : null}
      <SettingsFrame
        isDirty={draft.isDirty}
        isSaving={change.isPending}
        isSaved={change.isSuccess}
        failure={change.error}
        others={others && t('others')}
        onSave={save}
        onDiscard={() => {
          change.reset()
          draft.discard()
        }}
        closed={closed}
      >
        <Zone {...fields} />
        <AutoStart {...fields} />
        <StopTimeout {...fields} />
      </SettingsFrame>
    </Panel>
  )
}
