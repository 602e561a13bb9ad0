import { Lock } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { FormEvent, ReactNode } from 'react'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Button } from '@/ui/controls/button.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'

type SettingsFrameProps = {
  readonly isDirty: boolean
  readonly isSaving: boolean
  readonly isSaved: boolean
  /** Why the last save failed, unless a field says it; null if it did not. */
  readonly failure: unknown
  /** The changes that somebody else saved meanwhile. */
  readonly others: ReactNode
  readonly onSave: () => void
  readonly onDiscard: () => void
  /** Why the reader cannot change it now; null if they can. */
  readonly closed: string | null
  readonly children: ReactNode
}

/** The fields of one part of the settings, with its buttons and what became of the last save. Nothing typed is lost. */
export const SettingsFrame = (props: SettingsFrameProps) => {
  const t = useTranslations('serverSettings.form')
  const failureText = useFailureText()
  const { isDirty, isSaving, isSaved, failure, others, onSave, onDiscard, closed, children } = props
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (isDirty && !isSaving) onSave()
  }
  return (
    <form className="settings-part" onSubmit={save} noValidate method="post" aria-busy={isSaving}>
      {children}
      {failure === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(failure)} {others}
        </Notice>
      )}
      {closed === null ? null : (
        <p className="t2 settings-closed">
          <Lock className="i i-s" aria-hidden /> {closed}
        </p>
      )}
      <div className="settings-act" hidden={closed !== null}>
        <Button
          type="submit"
          look={isDirty ? 'primary' : 'plain'}
          busy={isSaving}
          aria-disabled={!isDirty || undefined}
        >
          {t('save')}
        </Button>
        {isDirty ? (
          <Button onClick={onDiscard} disabled={isSaving}>
            {t('discard')}
          </Button>
        ) : null}
        <span role="status" className="settings-said">
          {isSaved && !isDirty ? (
            <>
              <LampGlyph kind="done" /> {t('saved')}
            </>
          ) : null}
        </span>
      </div>
    </form>
  )
}
