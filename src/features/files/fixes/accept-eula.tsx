'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { FixDone, FocusKept } from '@/lib/servers/fix-done.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { filesOf } from '../files-context.tsx'
import { acceptEula, EULA_FILE, undoEula } from './eula-file.ts'
import type { EulaChange } from './eula-file.ts'
import { useFileFix } from './use-file-fix.ts'

/** Accepts the EULA in the customer's name, who confirms it first. */
export const AcceptEula = ({ server }: { server: Server }) => {
  const t = useTranslations('console.known')
  const tc = useTranslations('common')
  const tp = useTranslations('collaborators.keys')
  const { change, isBusy, apply, undo } = useFileFix<EulaChange>({
    undone: () => t('eula.undone'),
    changed: () => t('eula.changed'),
  })
  const [isAsking, setAsking] = useState(false)
  const { node, isReadOnly } = filesOf(server, Date.now())
  if (isReadOnly) return <span className="small t2">{t('eula.readOnly')}</span>
  const missing = (['file.update', 'file.create'] as const).find((key) => !server.permissions.includes(key))
  if (missing !== undefined) return <span className="small t2">{t('needs', { permission: tp(missing) })}</span>
  return (
    <FocusKept state={change === null ? 'offered' : 'done'}>
      {change === null ? null : (
        <FixDone
          server={server}
          text={t('eula.done')}
          isBusy={isBusy}
          onUndo={() => void undo(EULA_FILE, (done) => undoEula(node, done))}
        />
      )}
      {change === null ? (
        <Button size="s" look="primary" busy={isBusy} onClick={() => setAsking(true)}>
          {t('eula.accept')}
        </Button>
      ) : null}
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('eula.title')}
        closeLabel={tc('close')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{tc('cancel')}</Button>
            <Button
              look="primary"
              onClick={() => {
                setAsking(false)
                void apply(EULA_FILE, () => acceptEula(node))
              }}
            >
              {t('eula.accept')}
            </Button>
          </>
        }
      >
        <p>{t('eula.text')}</p>
      </Dialog>
    </FocusKept>
  )
}
