'use client'
import clsx from 'clsx'
import { RotateCw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ServerStartup } from '#contracts/http/panel/startup.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { MissingPermissions } from '@/lib/servers/missing-permissions.tsx'
import { useRestart } from '@/lib/servers/use-restart.ts'
import { Button } from '@/ui/controls/button.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { useStartupPlace } from './startup-context.tsx'
import type { StartupForm } from './use-startup-draft.ts'

/** Whether the running program was started with anything else than what is saved. */
const needsRestart = ({ running }: ServerStartup): boolean =>
  running !== null && (running.variables.length > 0 || running.image || running.rest)

const Restart = () => {
  const ts = useTranslations('servers')
  const { mayRestart, missing, isPending, restart } = useRestart(useStartupPlace().server)
  if (!mayRestart) return <MissingPermissions missing={missing} />
  return (
    <Button busy={isPending} onClick={restart}>
      <RotateCw className="i" aria-hidden />
      {ts('actions.restart')}
    </Button>
  )
}

/** The one sentence of the bar: what failed, what is not saved, what waits for a restart, or what was saved. */
const useSaying = (form: StartupForm) => {
  const t = useTranslations('startup')
  const failureText = useFailureText()
  const { count, faults, refused, failure, hasSaved, draft } = form
  const wrong = new Set([...Object.keys(faults), ...Object.keys(refused)]).size
  if (failure !== null) return { lamp: 'crash', text: t('bar.failed', { reason: failureText(failure) }) } as const
  if (wrong > 0) return { lamp: 'crash', text: t('bar.faults', { count: wrong }) } as const
  if (count > 0) return { lamp: 'due', text: t('bar.count', { count }) } as const
  if (needsRestart(draft.base)) return { lamp: 'due', text: t('restart.needed') } as const
  return hasSaved ? ({ lamp: 'done', text: t('bar.saved') } as const) : null
}

/** Save, discard, and what a restart is needed for. It is always there, so that nothing moves when it has something to say. */
export const SaveBar = ({ form }: { form: StartupForm }) => {
  const t = useTranslations('startup.bar')
  const { may } = useStartupPlace()
  const saying = useSaying(form)
  const { count, faults, isSaving, draft } = form
  const canSave = count > 0 && Object.keys(faults).length === 0
  return (
    <div className={clsx('su-bar', count === 0 && 'su-bar-rest')}>
      <p role="status" className="su-saying">
        {saying === null ? null : (
          <>
            <LampGlyph kind={saying.lamp} />
            <span>{saying.text}</span>
          </>
        )}
      </p>
      {count === 0 && needsRestart(draft.base) ? <Restart /> : null}
      {may('startup.update') ? (
        <>
          {count > 0 ? <Button onClick={form.discard}>{t('discard')}</Button> : null}
          <Button type="submit" look="primary" busy={isSaving} aria-disabled={!canSave || undefined}>
            {t('save')}
          </Button>
        </>
      ) : null}
    </div>
  )
}
