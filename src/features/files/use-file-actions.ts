'use client'
import { saveAddress } from '@/lib/browser-client/save-file.ts'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { joinPath, nameOf } from '#contracts/panel/file-path.ts'
import { MAX_CHOSEN, MAX_JOB_THINGS } from '#contracts/panel/node-files.ts'
import { bytesText } from '@/lib/format/size.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { beginJob } from './begin-job.ts'
import { useFileCall } from './files-queries.ts'
import type { Files } from './files-context.tsx'
import { portionsOf } from './portions.ts'
import { outcomesOf, useTelling } from './telling.ts'
import type { Outcome, Telling } from './telling.ts'
import { useDeleting } from './use-deleting.ts'

export type Clipboard = { readonly kind: 'copy' | 'cut'; readonly paths: readonly string[] }
type Moved = { readonly from: string; readonly to: string }

/** Sends things in portions, and says once what was not done, also when a portion fails. */
const inPortions = async <Thing>(
  { tell, fail }: Telling,
  things: readonly Thing[],
  send: (portion: Thing[]) => Promise<Outcome[]>,
): Promise<void> => {
  const outcomes: Outcome[] = []
  try {
    for (const portion of portionsOf(things, MAX_CHOSEN)) outcomes.push(...(await send(portion)))
  } catch (failure) {
    fail(failure)
  }
  tell(outcomes)
}

/** Moves and copies. A copy beside something of its name gets a number; a move never replaces anything. */
const useMoving = (files: Files, telling: Telling) => {
  const { fail } = telling
  const [clipboard, setClipboard] = useState<Clipboard | null>(null)
  const move = useFileCall(files, 'move')
  const copy = useFileCall(files, 'copy')
  const end = useFileCall(files, 'end-job')

  const moveAll = (moves: readonly Moved[]): Promise<void> =>
    inPortions(telling, moves, async (portion) => {
      const { refusals } = await move.mutateAsync({ moves: portion })
      const paths = portion.map(({ from }) => from)
      return outcomesOf(paths, refusals)
    })

  /** One job for each portion, which is done whatever becomes of the page. */
  const copyAll = async (moves: readonly Moved[]): Promise<void> => {
    try {
      for (const portion of portionsOf(moves, MAX_JOB_THINGS)) {
        await beginJob(
          () => copy.mutateAsync({ moves: portion, taken: 'number' }),
          (id) => end.mutateAsync({ id }),
        )
      }
    } catch (failure) {
      fail(failure, nameOf(moves[0]?.from ?? ''))
    }
  }

  const paste = async (into: string): Promise<void> => {
    if (clipboard === null) return
    const { kind, paths } = clipboard
    const moves = paths.map((from) => ({ from, to: joinPath(into, nameOf(from)) }))
    if (kind === 'cut') setClipboard(null)
    await (kind === 'cut' ? moveAll(moves) : copyAll(moves))
  }

  return { clipboard, setClipboard, moveAll, paste }
}

/** What the reader does with chosen files. Each says what was not done. */
export const useFileActions = (files: Files) => {
  const t = useTranslations('files')
  const locale = useLocale()
  const toast = useToast()
  const telling = useTelling()
  const moving = useMoving(files, telling)
  const deleting = useDeleting(files, telling)
  const mode = useFileCall(files, 'change-mode')

  const changeMode = (paths: readonly string[], bits: number): Promise<void> =>
    inPortions(telling, paths, async (portion) =>
      outcomesOf(portion, (await mode.mutateAsync({ paths: portion, mode: bits })).refusals),
    )

  const take = async (path: string): Promise<void> => {
    try {
      saveAddress(await files.node.downloadAddress(path))
    } catch (failure) {
      telling.fail(failure, nameOf(path))
    }
  }

  /** Says how much a folder takes; counting a large one takes a while. */
  const measure = async (path: string): Promise<void> => {
    try {
      const { bytes, entries } = await files.node.call('folder-size', { path })
      toast({ text: t('measured', { name: nameOf(path), size: bytesText(bytes, locale), count: entries }) })
    } catch (failure) {
      telling.fail(failure, nameOf(path))
    }
  }

  return { ...moving, ...deleting, changeMode, take, measure }
}
export type FileActions = ReturnType<typeof useFileActions>
