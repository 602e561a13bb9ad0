'use client'
import { saveAddress } from '@/lib/browser-client/save-file.ts'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { joinPath, nameOf } from '#contracts/panel/file-path.ts'
import { MAX_CHOSEN } from '#contracts/panel/node-files.ts'
import { bytesText } from '@/lib/format/size.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { useFileCall } from './files-queries.ts'
import type { Files } from './files-context.tsx'
import { portionsOf } from './portions.ts'
import { outcomesOf, refusedTogether, useTelling } from './telling.ts'
import type { Outcome, Telling } from './telling.ts'
import { useCopying } from './use-copying.ts'
import type { Moved } from './use-copying.ts'
import { useDeleting } from './use-deleting.ts'

export type Clipboard = { readonly kind: 'copy' | 'cut'; readonly paths: readonly string[] }
const fromOf = ({ from }: Moved): string => from

/** Sends things in portions, and says once what was not done, also when a portion fails: with it and all that follow. */
const inPortions = async <Thing>(
  { tell, fail }: Telling,
  things: readonly Thing[],
  { send, pathOf }: { send: (portion: Thing[]) => Promise<Outcome[]>; pathOf: (thing: Thing) => string },
): Promise<void> => {
  const outcomes: Outcome[] = []
  try {
    for (const portion of portionsOf(things, MAX_CHOSEN)) outcomes.push(...(await send(portion)))
  } catch (failure) {
    const refused = refusedTogether(things.slice(outcomes.length).map(pathOf), failure)
    if (refused === undefined) fail(failure)
    else outcomes.push(...refused)
  }
  tell(outcomes)
}

/** Moves and copies. A copy beside something of its name gets a number; a move never replaces anything. */
const useMoving = (files: Files, telling: Telling) => {
  const [clipboard, setClipboard] = useState<Clipboard | null>(null)
  const move = useFileCall(files, 'move')
  const copyAll = useCopying(files, telling)

  const moveAll = (moves: readonly Moved[]): Promise<void> =>
    inPortions(telling, moves, {
      send: async (portion) => outcomesOf(portion.map(fromOf), (await move.mutateAsync({ moves: portion })).refusals),
      pathOf: fromOf,
    })

  const paste = async (into: string): Promise<void> => {
    if (clipboard === null) return
    const { kind, paths } = clipboard
    const moves = paths.map((from) => ({ from, to: joinPath(into, nameOf(from)) }))
    if (kind === 'cut') setClipboard(null)
    await (kind === 'cut' ? moveAll(moves) : copyAll(moves))
  }

  return { clipboard, setClipboard, moveAll, paste }
}

/** The reader's acts on chosen files. Each says what was not done. */
export const useFileActions = (files: Files) => {
  const t = useTranslations('files')
  const locale = useLocale()
  const toast = useToast()
  const telling = useTelling()
  const moving = useMoving(files, telling)
  const deleting = useDeleting(files, telling)
  const mode = useFileCall(files, 'change-mode')

  const changeMode = (paths: readonly string[], bits: number): Promise<void> =>
    inPortions(telling, paths, {
      send: async (portion) => outcomesOf(portion, (await mode.mutateAsync({ paths: portion, mode: bits })).refusals),
      pathOf: (path) => path,
    })

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
