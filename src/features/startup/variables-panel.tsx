'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import { formatDate } from '@/lib/format/date.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { useStartupPlace } from './startup-context.tsx'
import type { StartupForm } from './use-startup-draft.ts'
import { VariableField } from './variable-field.tsx'

/** Why the reader can only look, in one sentence. */
const Closed = () => {
  const t = useTranslations('startup')
  const { closed, may } = useStartupPlace()
  if (closed !== null) return <Notice tone="wait">{t(closed)}</Notice>
  return may('startup.update') ? null : <Notice>{t('noUpdate')}</Notice>
}

const OtherSaved = ({ form }: { form: StartupForm }) => {
  const t = useTranslations('startup.conflict')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const { otherAt } = form.draft
  return (
    <div role="alert">
      {otherAt === null ? null : (
        <Notice tone="wait">{t('title', { time: formatDate(otherAt, locale, { style: 'time', timeZone }) })}</Notice>
      )}
    </div>
  )
}

const ResetAll = ({ form }: { form: StartupForm }) => {
  const t = useTranslations('startup')
  const tc = useTranslations('common')
  const [isAsking, setAsking] = useState(false)
  const reset = () => {
    setAsking(false)
    form.resetAll()
  }
  return (
    <>
      <Button size="s" look="quiet" onClick={() => setAsking(true)}>
        {t('resetAll')}
      </Button>
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('resetAllTitle')}
        closeLabel={tc('close')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{tc('cancel')}</Button>
            <Button look="primary" onClick={reset}>
              {t('resetAllDone')}
            </Button>
          </>
        }
      >
        <p>{t('resetAllText')}</p>
      </Dialog>
    </>
  )
}

/** The variables of the server as fields. */
export const VariablesPanel = ({ form }: { form: StartupForm }) => {
  const t = useTranslations('startup')
  const { may } = useStartupPlace()
  const { variables } = form.draft.base
  const isOpen = may('startup.update') && variables.some(({ editable }) => editable)
  return (
    <Panel title={t('settings')} end={isOpen ? <ResetAll form={form} /> : undefined}>
      <Closed />
      <OtherSaved form={form} />
      {variables.length === 0 ? <EmptyState>{t('noVariables')}</EmptyState> : null}
      {variables.map((variable) => (
        <VariableField key={variable.environmentVariable} variable={variable} form={form} />
      ))}
    </Panel>
  )
}
