'use client'
import { useTranslations } from 'next-intl'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { fitsLimit } from './command-sender.ts'

type PasteDialogProps = {
  commands: readonly string[]
  onClose: () => void
  onSend: (commands: readonly string[]) => void
}

/** Several lines are several commands: they are shown before they are sent, one after another. */
export const PasteDialog = ({ commands, onClose, onSend }: PasteDialogProps) => {
  const t = useTranslations('console')
  const tc = useTranslations('common')
  const tooLong = commands.filter((command) => !fitsLimit(command)).length
  return (
    <Dialog
      open={commands.length > 0}
      onClose={onClose}
      title={t('pasteTitle', { count: commands.length })}
      closeLabel={tc('close')}
      actions={
        <>
          <Button onClick={onClose}>{tc('cancel')}</Button>
          <Button
            look="primary"
            aria-disabled={tooLong > 0}
            onClick={() => (tooLong > 0 ? undefined : onSend(commands))}
          >
            {t('pasteSend', { count: commands.length })}
          </Button>
        </>
      }
    >
      <p>{t('pasteText')}</p>
      {tooLong > 0 ? <p className="paste-bad">{t('pasteTooLong', { count: tooLong })}</p> : null}
      <pre className="paste" tabIndex={0}>
        {commands.join('\n')}
      </pre>
    </Dialog>
  )
}
