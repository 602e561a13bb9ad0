'use client'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Trash2, Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { BIN_DAYS } from '#contracts/panel/node-files.ts'
import type { BinEntry } from '#contracts/panel/node-files.ts'
import { IconButton } from '@/ui/controls/button.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { beginJob } from './begin-job.ts'
import { inFreePlace } from './free-place.ts'
import { SureDialog } from './dialogs/sure-dialog.tsx'
import { useFiles } from './files-context.tsx'
import { binQuery, useFileCall } from './files-queries.ts'
import { useTroubleText } from './trouble-text.ts'

const DAY_MS = 86_400_000

const daysLeft = ({ deletedAtMs }: BinEntry, nowMs: number): number =>
  Math.max(1, Math.ceil((deletedAtMs + BIN_DAYS * DAY_MS - nowMs) / DAY_MS))

/** Puts things back where they were; beside something of the same name under a number, and says so. */
const useRestore = () => {
  const t = useTranslations('files.bin')
  const toast = useToast()
  const troubleText = useTroubleText()
  const restore = useFileCall(useFiles(), 'restore')
  return async ({ id, path }: BinEntry): Promise<void> => {
    try {
      const done = await inFreePlace(path, (to) => restore.mutateAsync(to === path ? { id } : { id, to }))
      toast({ text: t(done.path === path ? 'restored' : 'restoredAs', { path: done.path }), lamp: 'done' })
    } catch (failure) {
      toast({ text: troubleText(failure, path), lamp: 'crash' })
    }
  }
}

/** More are shown when the reader asks for them. */
const SHOWN = 100

const Entries = ({ entries, mayRestore }: { entries: readonly BinEntry[]; mayRestore: boolean }) => {
  const t = useTranslations('files.bin')
  const restore = useRestore()
  const [shown, setShown] = useState(SHOWN)
  return (
    <ul className="bin-list">
      {entries.slice(0, shown).map((entry) => (
        <li key={entry.id}>
          <span className="cut" title={entry.path}>
            {entry.kind === 'folder' ? `${entry.path}/` : entry.path}
          </span>
          <span className="small t3 nw">{t('left', { days: daysLeft(entry, Date.now()) })}</span>
          {mayRestore ? (
            <IconButton
              small
              label={t('restore', { path: entry.path })}
              icon={<Undo2 className="i" aria-hidden />}
              onClick={() => void restore(entry)}
            />
          ) : null}
        </li>
      ))}
      {entries.length > shown ? (
        <li>
          <button type="button" className="text-btn" onClick={() => setShown(shown + SHOWN * 5)}>
            {t('more', { count: entries.length - shown })}
          </button>
        </li>
      ) : null}
    </ul>
  )
}

/** Empties the bin as a job, which the list of jobs shows if it takes longer. */
const useEmptying = () => {
  const files = useFiles()
  const toast = useToast()
  const troubleText = useTroubleText()
  const empty = useFileCall(files, 'empty-bin')
  const end = useFileCall(files, 'end-job')
  return async (): Promise<void> => {
    try {
      await beginJob(
        () => empty.mutateAsync({ deletionJobs: true }),
        (id) => end.mutateAsync({ id }),
      )
    } catch (failure) {
      toast({ text: troubleText(failure), lamp: 'crash' })
    }
  }
}

const Count = ({ entries }: { entries: readonly BinEntry[] | undefined }) => {
  const t = useTranslations('files.bin')
  // Nothing is known of a bin that could not be read.
  if (entries === undefined) return <span className="t3 bin-count" />
  return <span className="t3 bin-count">{t('kept', { count: entries.length, days: BIN_DAYS })}</span>
}

/** Deleted files of the last days, and a button that restores each. */
export const BinPanel = () => {
  const t = useTranslations('files.bin')
  const files = useFiles()
  const { data, error } = useQuery(binQuery(files))
  const entries = data?.entries ?? []
  const empty = useEmptying()
  const troubleText = useTroubleText()
  const [isAsking, setAsking] = useState(false)
  const mayChange = files.may('file.update')
  return (
    <details className="bin">
      <summary>
        <Trash2 className="i" aria-hidden />
        {t('title')}
        <Count entries={data?.entries} />
        <ChevronDown className="i i-s end" aria-hidden />
      </summary>
      {entries.length === 0 ? (
        <p className="bin-none t2">{data === undefined && error !== null ? troubleText(error) : t('none')}</p>
      ) : (
        <>
          <Entries entries={entries} mayRestore={mayChange} />
          {mayChange ? (
            <button type="button" className="text-btn bin-empty" onClick={() => setAsking(true)}>
              {t('empty')}
            </button>
          ) : null}
        </>
      )}
      <SureDialog open={isAsking} title={t('sure')} act={t('empty')} onAct={empty} onClose={() => setAsking(false)}>
        <p>{t('sureText', { count: entries.length })}</p>
      </SureDialog>
    </details>
  )
}
