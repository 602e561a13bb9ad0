'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { nameOf } from '#contracts/panel/file-path.ts'
import type { Server } from '#contracts/http/server.ts'
import { FixDone, FocusKept } from '@/lib/servers/fix-done.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { FileTrouble } from './file-trouble.ts'
import { filesOf } from './files-context.tsx'
import { disabledName, disablePlugin, enablePlugin } from './plugin-file.ts'
import type { PluginChange } from './plugin-file.ts'
import { useTroubleText } from './trouble-text.ts'

/** Disables and undoes; each failure is a toast, and leaves the file as it is. */
const usePlugin = (server: Server) => {
  const t = useTranslations('console.known.plugin')
  const toast = useToast()
  const troubleText = useTroubleText()
  const [change, setChange] = useState<PluginChange | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { node } = filesOf(server, Date.now())
  const run = async (path: string, act: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      await act()
    } catch (error) {
      const isChanged = error instanceof FileTrouble && error.code === 'CHANGED'
      toast({ lamp: 'crash', text: isChanged ? t('changed', { path }) : troubleText(error, path) })
    } finally {
      setBusy(false)
    }
  }
  return {
    change,
    isBusy,
    disable: (path: string) => run(path, async () => setChange(await disablePlugin(node, path))),
    undo: ({ path }: PluginChange) =>
      run(disabledName(path), async () => {
        if (change === null) return
        await enablePlugin(node, change)
        setChange(null)
        toast({ lamp: 'done', text: t('undone', { path }) })
      }),
  }
}

/** Renames the file of a plugin that can't be loaded, so that the server starts without it. */
export const DisablePlugin = ({ server, path }: { server: Server; path: string }) => {
  const t = useTranslations('console.known')
  const tp = useTranslations('collaborators.keys')
  const { change, isBusy, disable, undo } = usePlugin(server)
  if (filesOf(server, Date.now()).isReadOnly) return <span className="small t2">{t('plugin.readOnly')}</span>
  const missing = (['file.update', 'file.read'] as const).find((key) => !server.permissions.includes(key))
  if (missing !== undefined) return <span className="small t2">{t('needs', { permission: tp(missing) })}</span>
  return (
    <FocusKept state={change === null ? 'offered' : 'done'}>
      {change === null ? (
        <Button size="s" look="primary" busy={isBusy} onClick={() => void disable(path)}>
          {t('plugin.disable', { name: nameOf(path) })}
        </Button>
      ) : (
        <FixDone
          server={server}
          text={t('plugin.done', { name: nameOf(disabledName(change.path)) })}
          isBusy={isBusy}
          onUndo={() => void undo(change)}
        />
      )}
    </FocusKept>
  )
}
