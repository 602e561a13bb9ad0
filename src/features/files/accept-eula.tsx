'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { FixDone, FocusKept } from '@/lib/servers/fix-done.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { acceptEula, undoEula } from './eula-file.ts'
import type { EulaChange } from './eula-file.ts'
import { FileTrouble } from './file-trouble.ts'
import { filesOf } from './files-context.tsx'
import { useTroubleText } from './trouble-text.ts'

/** Accepts and undoes; each failure is a toast, and leaves the file as it is. */
const useEula = (server: Server) => {
  const t = useTranslations('console.known.eula')
  const toast = useToast()
  const troubleText = useTroubleText()
  const [change, setChange] = useState<EulaChange | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { node } = filesOf(server, Date.now())
  const run = async (act: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      await act()
    } catch (error) {
      const isChanged = error instanceof FileTrouble && error.code === 'CHANGED'
      if (isChanged) setChange(null)
      toast({ lamp: 'crash', text: isChanged ? t('changed') : troubleText(error, 'eula.txt') })
    } finally {
      setBusy(false)
    }
  }
  return {
    change,
    isBusy,
    accept: () => run(async () => setChange(await acceptEula(node))),
    undo: () =>
      run(async () => {
        if (change === null) return
        await undoEula(node, change)
        setChange(null)
        toast({ lamp: 'done', text: t('undone') })
      }),
  }
}

/** Accepts the EULA in the customer's name, who confirms it first. */
export const AcceptEula = ({ server }: { server: Server }) => {
  const t = useTranslations('console.known')
  const tc = useTranslations('common')
  const tp = useTranslations('collaborators.keys')
  const { change, isBusy, accept, undo } = useEula(server)
  const [isAsking, setAsking] = useState(false)
  if (filesOf(server, Date.now()).isReadOnly) return <span className="small t2">{t('eula.readOnly')}</span>
  const missing = (['file.update', 'file.create'] as const).find((key) => !server.permissions.includes(key))
  if (missing !== undefined) return <span className="small t2">{t('needs', { permission: tp(missing) })}</span>
  return (
    <FocusKept state={change === null ? 'offered' : 'done'}>
      {change === null ? null : (
        <FixDone server={server} text={t('eula.done')} isBusy={isBusy} onUndo={() => void undo()} />
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
                void accept()
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
