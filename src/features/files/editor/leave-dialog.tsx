'use client'
import { useTranslations } from 'next-intl'
import { Button } from '@/ui/controls/button.tsx'
import type { LeaveGuard } from '@/ui/screen/leave-guard.ts'
import { Dialog } from '@/ui/surfaces/dialog.tsx'

/** Asks whether a text that is not saved is left. */
export const LeaveDialog = ({ guard }: { guard: LeaveGuard }) => {
  const t = useTranslations('files.editor.leave')
  const tc = useTranslations('common')
  return (
    <Dialog
      open={guard.asked !== null}
      onClose={guard.stay}
      title={t('title')}
      closeLabel={tc('close')}
      actions={
        <>
          <Button onClick={guard.stay}>{t('stay')}</Button>
          <Button look="primary" onClick={guard.leave}>
            {t('leave')}
          </Button>
        </>
      }
    >
      <p>{guard.asked}</p>
    </Dialog>
  )
}
