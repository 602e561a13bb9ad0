'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import { everything, stepped } from './list/selection.ts'
import type { Beyond, Selection } from './list/selection.ts'
import type { useFolder } from './use-folder.ts'

const applied = (names: readonly string[], selection: Selection, beyond: Beyond): Selection =>
  beyond === 'all'
    ? everything(names, selection)
    : stepped(names, selection, { by: Number.POSITIVE_INFINITY, extends: beyond === 'up-to-end' })

type WholeFolderDeps = {
  readonly folder: string
  readonly read: ReturnType<typeof useFolder>
  readonly onRead: (choose: (names: readonly string[], selection: Selection) => Selection) => void
  readonly onFailed: (failure: unknown) => void
}

/** Reads the rest of a folder when somebody chooses beyond what is there; only then something is chosen. */
export const useWholeFolder = ({ folder, read, onRead, onFailed }: WholeFolderDeps) => {
  const [wish, want] = useState<{ readonly beyond: Beyond; readonly of: string; readonly failures: number } | null>(
    null,
  )
  // Another folder may be open by now.
  const wanted = wish?.of === folder ? wish.beyond : null
  const { more, isWhole, query } = read
  const { isFetchNextPageError, error, errorUpdateCount } = query
  // A page that has failed before is asked for once more by a new wish.
  const hasFailed = isFetchNextPageError && errorUpdateCount > (wish?.failures ?? 0)
  const end = useEffectEvent((beyond: Beyond) => {
    want(null)
    if (hasFailed) onFailed(error)
    else onRead((names, selection) => applied(names, selection, beyond))
  })
  useEffect(() => {
    if (wanted === null) return
    if (isWhole || hasFailed) end(wanted)
    else more()
  }, [wanted, isWhole, hasFailed, more])
  return {
    isReading: wanted !== null,
    want: (beyond: Beyond) => want({ beyond, of: folder, failures: errorUpdateCount }),
    forget: () => want(null),
  }
}
