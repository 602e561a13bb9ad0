import { describe, expect, it } from 'vitest'
import type { EntryKind } from '#contracts/panel/node-files.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { possibleActions } from '@/features/files/possible-actions.ts'

const entry = (kind: EntryKind) => ({ name: kind, kind, size: 1, mtimeMs: 0, mode: 0o644 })
const having = (...permissions: Permission[]) => ({
  may: (key: Permission) => permissions.includes(key),
  hasClipboard: true,
  hasOther: false,
})
const all = having('file.read', 'file.create', 'file.update')

describe('what can be done', () => {
  it('with one file is everything, with several what makes sense for several', () => {
    expect(possibleActions([entry('file')], all)).toEqual([
      'open',
      'download',
      'rename',
      'copy',
      'cut',
      'paste',
      'move',
      'mode',
      'delete',
    ])
    expect(possibleActions([entry('file'), entry('folder')], all)).toEqual([
      'download',
      'copy',
      'cut',
      'paste',
      'move',
      'mode',
      'delete',
    ])
    expect(possibleActions([], all)).toEqual(['paste'])
  })

  it('with a link or a special file leaves out what would follow it', () => {
    for (const kind of ['link', 'other'] as const) {
      expect(possibleActions([entry(kind)], all)).toEqual(['rename', 'copy', 'cut', 'paste', 'move', 'delete'])
    }
  })

  it('with plain things is also what another server receives, if there is one, by the permission to read', () => {
    const reading = { ...having('file.read'), hasOther: true }
    expect(possibleActions([entry('file'), entry('folder')], reading)).toEqual(['download', 'send'])
    expect(possibleActions([entry('file'), entry('link')], reading)).toEqual([])
    expect(possibleActions([entry('file')], { ...having(), hasOther: true })).toEqual([])
    expect(possibleActions([], { ...having('file.read'), hasOther: true })).toEqual([])
  })

  it('is what the permissions allow', () => {
    expect(possibleActions([entry('file')], having())).toEqual([])
    expect(possibleActions([entry('folder')], having())).toEqual(['open', 'size'])
    expect(possibleActions([entry('file')], having('file.read'))).toEqual(['open', 'download'])
    expect(possibleActions([entry('file')], having('file.create'))).toEqual(['copy', 'paste'])
    expect(possibleActions([entry('file')], having('file.update'))).toEqual(['rename', 'cut', 'move', 'mode', 'delete'])
  })
})
