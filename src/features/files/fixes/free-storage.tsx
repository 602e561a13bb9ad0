'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { bytesText } from '@/lib/format/size.ts'
import { FixDone, FocusKept } from '@/lib/servers/fix-done.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { SureDialog } from '../dialogs/sure-dialog.tsx'
import { filesOf } from '../files-context.tsx'
import { filesKey } from '../files-queries.ts'
import type { NodeFiles } from '../node-files.ts'
import { useTroubleText } from '../trouble-text.ts'
import { clearLogs, emptyBin, planClearing, restoreLogs } from './cleared-logs.ts'
import type { ClearedLogs, StoragePlan } from './cleared-logs.ts'
import { useFileFix } from './use-file-fix.ts'

type EmptyBinProps = {
  node: NodeFiles
  bin: StoragePlan['bin']
  onEmptied: () => void
  look: () => Promise<void>
}

/** Emptying, the only step that frees storage. It has no way back, so that it asks first, with what it deletes. */
const EmptyBin = ({ node, bin: { ids, bytes }, onEmptied, look }: EmptyBinProps) => {
  const t = useTranslations('console.known.storage')
  const tb = useTranslations('files.bin')
  const locale = useLocale()
  const toast = useToast()
  const troubleText = useTroubleText()
  const [isAsking, setAsking] = useState(false)
  const count = ids.length
  const empty = async () => {
    try {
      const freed = await emptyBin(node, ids)
      onEmptied()
      toast({ lamp: 'done', text: t(freed.isEmpty ? 'emptied' : 'freed', { size: bytesText(freed.bytes, locale) }) })
    } catch (error) {
      toast({ lamp: 'crash', text: troubleText(error) })
    }
    await look()
  }
  return (
    <div className="known-done">
      <span className="small t2">{t('bin', { count, size: bytesText(bytes, locale) })}</span>
      <Button size="s" onClick={() => setAsking(true)}>
        {tb('empty')}
      </Button>
      <SureDialog open={isAsking} title={tb('sure')} act={tb('empty')} onAct={empty} onClose={() => setAsking(false)}>
        <p>{tb('sureText', { count })}</p>
      </SureDialog>
    </div>
  )
}

const LogsOffered = ({
  old: { logs, bytes },
  isBusy,
  onApply,
}: {
  old: StoragePlan['old']
  isBusy: boolean
  onApply: () => void
}) => {
  const t = useTranslations('console.known.storage')
  const locale = useLocale()
  return (
    <>
      <span className="small t2">{t('preview', { count: logs.length, size: bytesText(bytes, locale) })}</span>
      <Button size="s" look="primary" busy={isBusy} onClick={onApply}>
        {t('move')}
      </Button>
    </>
  )
}

/** Moves logs and crash reports of earlier runs into the bin, with a way back, and empties the bin once the reader has confirmed it. */
export const FreeStorage = ({ server, otherwise }: { server: Server; otherwise: ReactNode }) => {
  const t = useTranslations('console.known')
  const tp = useTranslations('collaborators.keys')
  const locale = useLocale()
  const client = useQueryClient()
  const { node, isReadOnly } = filesOf(server, Date.now())
  const missing = (['file.list', 'file.update'] as const).find((key) => !server.permissions.includes(key))
  const { change, isBusy, apply, undo, forget } = useFileFix<ClearedLogs>({
    undone: ({ entries }) => t('storage.undone', { count: entries.length }),
    changed: () => t('storage.changed'),
  })
  const plan = useQuery({
    queryKey: [...filesKey(server.id), 'clearing'],
    queryFn: () => planClearing(node),
    enabled: !isReadOnly && missing === undefined,
    retry: false,
    staleTime: 0,
  }).data
  const look = () => client.invalidateQueries({ queryKey: filesKey(server.id) })
  const note = isReadOnly ? t('storage.readOnly') : missing && t('needs', { permission: tp(missing) })
  const offered = change === null ? `offered ${plan?.bin.ids.length}` : 'done'
  return (
    <FocusKept state={offered}>
      {note ? <span className="small t2">{note}</span> : null}
      {change === null && plan && plan.old.logs.length > 0 ? (
        <LogsOffered
          old={plan.old}
          isBusy={isBusy}
          onApply={() => void apply('', () => clearLogs(node, plan)).then(look)}
        />
      ) : null}
      {change === null ? null : (
        <FixDone
          server={server}
          text={t('storage.done', { count: change.entries.length, size: bytesText(change.bytes, locale) })}
          isBusy={isBusy}
          onUndo={() => void undo('', (done) => restoreLogs(node, done)).then(look)}
        />
      )}
      {plan && plan.bin.ids.length > 0 ? <EmptyBin node={node} bin={plan.bin} onEmptied={forget} look={look} /> : null}
      {otherwise}
    </FocusKept>
  )
}
