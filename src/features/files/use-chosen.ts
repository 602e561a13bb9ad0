'use client'
import { useMemo, useState } from 'react'
import type { DragEvent } from 'react'
import { folderOf, joinPath, nameOf } from '#contracts/panel/file-path.ts'
import type { FileEntry } from '#contracts/panel/node-files.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { useFiles } from './files-context.tsx'
import type { Asked } from './folder-dialogs.tsx'
import type { Action } from './list/row-menu.tsx'
import { nothing, present } from './list/selection.ts'
import type { Selection } from './list/selection.ts'
import { possibleActions } from './possible-actions.ts'
import type { FilesPlace } from './place.ts'
import { useTroubleText } from './trouble-text.ts'
import type { useFolder } from './use-folder.ts'
import { useOtherServers } from './use-other-servers.ts'
import { useWholeFolder } from './use-whole-folder.ts'
import type { Dropping } from './uploads/use-dropping.ts'
import type { FileActions } from './use-file-actions.ts'

/** Marks a drag of our own, so that it is not taken for an upload. */
const OWN = 'application/x-bakter-files'

type ChosenProps = {
  readonly place: FilesPlace
  readonly read: ReturnType<typeof useFolder>
  readonly actions: FileActions
  readonly onGo: (next: FilesPlace) => void
  readonly onDropped: Dropping
}

/** The chosen entries of a folder, also of what is not read yet. */
const useFolderSelection = (read: ReturnType<typeof useFolder>, folder: string) => {
  const { entries } = read
  const toast = useToast()
  const troubleText = useTroubleText()
  const [selected, setSelected] = useState(nothing)
  const names = useMemo(() => entries.map(({ name }) => name), [entries])
  const selection = useMemo(() => present(names, selected), [names, selected])
  const whole = useWholeFolder({
    folder,
    read,
    onRead: (choose) => setSelected(choose(names, selection)),
    onFailed: (failure) => toast({ text: troubleText(failure, folder), lamp: 'crash' }),
  })
  const select = (next: Selection) => {
    whole.forget()
    setSelected(next)
  }
  return { names, selection, select, whole }
}

/** The chosen entries in the open folder, and the reader's acts on them. */
export const useChosen = ({ place: { folder }, read, actions, onGo, onDropped }: ChosenProps) => {
  const files = useFiles()
  const { names, selection, select, whole } = useFolderSelection(read, folder)
  const [asked, setAsked] = useState<Asked | null>(null)
  const chosen = read.entries.filter(({ name }) => selection.chosen.has(name))
  const paths = chosen.map(({ name }) => joinPath(folder, name))
  const hasOther = useOtherServers(files.server).length > 0
  const facts = { may: files.may, hasClipboard: actions.clipboard !== null, hasOther }
  // Nothing is done with a part of what somebody is choosing.
  const possible = whole.isReading ? [] : possibleActions(chosen, facts)
  const go = (next: string) => {
    select(nothing)
    onGo({ folder: next, file: null })
  }
  const open = ({ name, kind }: FileEntry) => {
    if (kind === 'folder') go(joinPath(folder, name))
    else if (kind === 'file') onGo({ folder, file: joinPath(folder, name) })
  }
  const act = (action: Action) => {
    const [first] = chosen
    if (!possible.includes(action)) return
    if (action === 'download') for (const path of paths) void actions.take(path)
    else if (action === 'copy' || action === 'cut') actions.setClipboard({ kind: action, paths })
    else if (action === 'paste') void actions.paste(folder)
    else if (action === 'delete') void actions.deleteAll(paths)
    else if (action === 'move') setAsked({ kind: 'move', paths })
    else if (action === 'send') setAsked({ kind: 'transfer', paths })
    else if (action === 'compress') setAsked({ kind: 'compress', names: chosen.map(({ name }) => name) })
    else if (first === undefined) return
    else if (action === 'open') open(first)
    else if (action === 'size') void actions.measure(joinPath(folder, first.name))
    else if (action === 'extract') setAsked({ kind: 'extract', name: first.name })
    else if (action === 'rename') setAsked({ kind: 'rename', name: first.name })
    else setAsked({ kind: 'mode', paths, mode: first.mode })
  }
  const dropInto = (into: FileEntry, event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const target = joinPath(folder, into.name)
    if (!event.dataTransfer.types.includes(OWN)) onDropped(target, event.dataTransfer)
    else if (files.may('file.update') && !selection.chosen.has(into.name)) {
      void actions.moveAll(paths.map((from) => ({ from, to: joinPath(target, nameOf(from)) })))
    }
  }
  return {
    names,
    selection,
    select,
    clear: () => select(nothing),
    isReadingOn: whole.isReading,
    chooseBeyond: whole.want,
    asked,
    ask: setAsked,
    possible,
    go,
    goUp: () => go(folderOf(folder)),
    open,
    act,
    drag: (event: DragEvent) => event.dataTransfer.setData(OWN, 'own'),
    dropInto,
  }
}
export type ChosenFiles = ReturnType<typeof useChosen>
