'use client'
import { useTranslations } from 'next-intl'
import { nameOf } from '#contracts/panel/file-path.ts'
import type { Server } from '#contracts/http/server.ts'
import { FixDone, FocusKept } from '@/lib/servers/fix-done.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { filesOf } from '../files-context.tsx'
import { disabledName, disablePlugin, enablePlugin } from './plugin-file.ts'
import type { PluginChange } from './plugin-file.ts'
import { useFileFix } from './use-file-fix.ts'

/** Renames the file of a plugin that can't be loaded, so that the server starts without it. */
export const DisablePlugin = ({ server, path }: { server: Server; path: string }) => {
  const t = useTranslations('console.known')
  const tp = useTranslations('collaborators.keys')
  const { change, isBusy, apply, undo } = useFileFix<PluginChange>({
    undone: (done) => t('plugin.undone', { path: done.path }),
    changed: (changed) => t('plugin.changed', { path: changed }),
    endsWhenChanged: false,
  })
  const { node, isReadOnly } = filesOf(server, Date.now())
  if (isReadOnly) return <span className="small t2">{t('plugin.readOnly')}</span>
  const missing = (['file.update', 'file.read'] as const).find((key) => !server.permissions.includes(key))
  if (missing !== undefined) return <span className="small t2">{t('needs', { permission: tp(missing) })}</span>
  return (
    <FocusKept state={change === null ? 'offered' : 'done'}>
      {change === null ? (
        <Button size="s" look="primary" busy={isBusy} onClick={() => void apply(path, () => disablePlugin(node, path))}>
          {t('plugin.disable', { name: nameOf(path) })}
        </Button>
      ) : (
        <FixDone
          server={server}
          text={t('plugin.done', { name: nameOf(disabledName(change.path)) })}
          isBusy={isBusy}
          onUndo={() => void undo(disabledName(change.path), (done) => enablePlugin(node, done))}
        />
      )}
    </FocusKept>
  )
}
