import { formatOf } from '#contracts/panel/archive-formats.ts'
import { MAX_JOB_THINGS } from '#contracts/panel/node-files.ts'
import type { FileEntry } from '#contracts/panel/node-files.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { ACTIONS } from './list/row-menu.tsx'
import type { Action } from './list/row-menu.tsx'

type Facts = {
  readonly may: (permission: Permission) => boolean
  readonly hasClipboard: boolean
  /** Whether the reader has another server on the same machine. */
  readonly hasOther: boolean
}

/** More downloads at once would be taken for an attack by browsers. */
const MOST_DOWNLOADS = 5

/** The actions that this reader can do with these entries; nothing else is offered. */
export const possibleActions = (
  chosen: readonly FileEntry[],
  { may, hasClipboard, hasOther }: Facts,
): readonly Action[] => {
  const [first] = chosen
  const isOne = chosen.length === 1
  const isPlain = chosen.every(({ kind }) => kind === 'file' || kind === 'folder')
  const holds: Readonly<Record<Action, boolean>> = {
    open: isOne && (first?.kind === 'folder' || (first?.kind === 'file' && may('file.read'))),
    download: isPlain && chosen.length > 0 && chosen.length <= MOST_DOWNLOADS && may('file.read'),
    rename: isOne && may('file.update'),
    copy: chosen.length > 0 && may('file.create'),
    cut: chosen.length > 0 && may('file.update'),
    paste: hasClipboard && may('file.create'),
    move: chosen.length > 0 && may('file.update'),
    send: hasOther && isPlain && chosen.length > 0 && may('file.read'),
    compress: isPlain && chosen.length > 0 && chosen.length <= MAX_JOB_THINGS && may('file.compress'),
    extract: isOne && first?.kind === 'file' && formatOf(first.name) !== undefined && may('file.compress'),
    mode: chosen.length > 0 && isPlain && may('file.update'),
    size: isOne && first?.kind === 'folder',
    delete: chosen.length > 0 && may('file.update'),
  }
  return ACTIONS.filter((action) => holds[action])
}
