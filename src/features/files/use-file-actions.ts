'use client'
import { saveAddress } from '@/lib/browser-client/save-file.ts'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { joinPath, nameOf, numberedName } from '#contracts/panel/file-path.ts'
import type { FileRefusal } from '#contracts/panel/file-refusals.ts'
import { bytesText } from '@/lib/format/size.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { FileTrouble } from './file-trouble.ts'
import { useFileCall } from './files-queries.ts'
import type { Files } from './files-context.tsx'
import { useTroubleText } from './trouble-text.ts'

export type Clipboard = { readonly kind: 'copy' | 'cut'; readonly paths: readonly string[] }
type Outcome = { readonly path: string; readonly refusal: FileRefusal | null }

/** Pastes beside a thing of the same name under the next number, as often as this. */
const MOST_NUMBERS = 50

/** Says what was not done, once for many things. */
const useTelling = () => {
  const t = useTranslations('files')
  const toast = useToast()
  const troubleText = useTroubleText()
  const fail = (failure: unknown, path = ''): void => void toast({ text: troubleText(failure, path), lamp: 'crash' })
  const tell = (outcomes: readonly Outcome[]): void => {
    const [first, ...more] = outcomes.filter(({ refusal }) => refusal !== null)
    if (!first?.refusal) return
    const text = troubleText(new FileTrouble(first.refusal), nameOf(first.path))
    toast({ text: more.length === 0 ? text : t('andMore', { text, count: more.length }), lamp: 'crash' })
  }
  return { tell, fail }
}
type Telling = ReturnType<typeof useTelling>

const outcomesOf = (paths: readonly string[], refusals: readonly (FileRefusal | null)[]): Outcome[] =>
  paths.map((path, index) => ({ path, refusal: refusals[index] ?? null }))

/** Moves and copies. A copy beside something of its name gets a number; a move never replaces anything. */
const useMoving = (files: Files, { tell, fail }: Telling) => {
  const [clipboard, setClipboard] = useState<Clipboard | null>(null)
  const move = useFileCall(files, 'move')
  const copy = useFileCall(files, 'copy')
  const end = useFileCall(files, 'end-job')

  const moveAll = async (moves: readonly { from: string; to: string }[]): Promise<void> => {
    try {
      const { refusals } = await move.mutateAsync({ moves: [...moves] })
      const paths = moves.map(({ from }) => from)
      tell(outcomesOf(paths, refusals))
    } catch (failure) {
      fail(failure)
    }
  }

  const copyOne = async (from: string, into: string): Promise<FileRefusal | null> => {
    for (let number = 1; number <= MOST_NUMBERS; number += 1) {
      const name = number === 1 ? nameOf(from) : numberedName(nameOf(from), number)
      const { job } = await copy.mutateAsync({ moves: [{ from, to: joinPath(into, name) }] })
      const refusal = job.refusal ?? job.refusals[0] ?? null
      // It is said here, and not once more by the list of jobs.
      if (refusal !== null) await end.mutateAsync({ id: job.id })
      if (refusal !== 'ALREADY_EXISTS') return refusal
    }
    return 'ALREADY_EXISTS'
  }

  const paste = async (into: string): Promise<void> => {
    if (clipboard === null) return
    const { kind, paths } = clipboard
    if (kind === 'cut') {
      setClipboard(null)
      return moveAll(paths.map((from) => ({ from, to: joinPath(into, nameOf(from)) })))
    }
    const outcomes: Outcome[] = []
    try {
      for (const path of paths) outcomes.push({ path, refusal: await copyOne(path, into) })
    } catch (failure) {
      fail(failure)
    }
    tell(outcomes)
  }

  return { clipboard, setClipboard, moveAll, paste }
}

/** Deletes into the bin, or for good once the reader has decided so. */
const useDeleting = (files: Files, { tell, fail }: Telling) => {
  const t = useTranslations('files')
  const toast = useToast()
  const remove = useFileCall(files, 'delete')
  /** Things that are too large for the bin, until the reader has decided. */
  const [tooLarge, setTooLarge] = useState<readonly string[]>([])
  const deleteAll = async (paths: readonly string[], forever = false): Promise<void> => {
    try {
      const outcomes = outcomesOf(paths, (await remove.mutateAsync({ paths: [...paths], forever })).refusals)
      setTooLarge(outcomes.filter(({ refusal }) => refusal === 'BIN_TOO_SMALL').map(({ path }) => path))
      tell(outcomes.filter(({ refusal }) => refusal !== 'BIN_TOO_SMALL'))
      const done = outcomes.filter(({ refusal }) => refusal === null)
      const name = nameOf(done[0]?.path ?? '')
      const text = t(forever ? 'deleted' : 'inBin', { count: done.length, name })
      if (done.length > 0) toast({ text, lamp: 'done' })
    } catch (failure) {
      fail(failure)
    }
  }
  return { tooLarge, setTooLarge, deleteAll }
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

  const changeMode = async (paths: readonly string[], bits: number): Promise<void> => {
    try {
      telling.tell(outcomesOf(paths, (await mode.mutateAsync({ paths: [...paths], mode: bits })).refusals))
    } catch (failure) {
      telling.fail(failure)
    }
  }

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
