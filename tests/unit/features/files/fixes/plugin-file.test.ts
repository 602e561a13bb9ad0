import { describe, expect, it } from 'vitest'
import { FileTrouble } from '../../../../../src/features/files/file-trouble.ts'
import { disabledName, disablePlugin, enablePlugin } from '../../../../../src/features/files/fixes/plugin-file.ts'

const PATH = 'plugins/Broken.jar'

/** A node with these files. A rename gives a file a new version, as on a disk. */
const nodeWith = (start: Record<string, string>) => {
  let version = 0
  const stamp = (text: string) => ({ text, etag: `"${(version += 1)}"` })
  const files = new Map(Object.entries(start).map(([path, text]) => [path, stamp(text)]))
  const move = ({ from, to }: { from: string; to: string }) => {
    const file = files.get(from)
    if (file === undefined) return 'NOT_FOUND'
    if (files.has(to)) return 'ALREADY_EXISTS'
    files.delete(from)
    files.set(to, stamp(file.text))
    return null
  }
  const node: Parameters<typeof disablePlugin>[0] = {
    read: async (path) => {
      const file = files.get(path)
      if (file === undefined) throw new FileTrouble('NOT_FOUND')
      return { bytes: new Uint8Array(), etag: file.etag, total: file.text.length, mtimeMs: 0 }
    },
    call: async (_call, input) =>
      ({ refusals: (input as { moves: Parameters<typeof move>[0][] }).moves.map(move) }) as never,
  }
  const content = () => Object.fromEntries([...files].map(([path, { text }]) => [path, text]))
  return { node, content, write: (path: string, text: string) => files.set(path, stamp(text)) }
}
const trouble = (code: string) => expect.objectContaining({ code }) as Error

describe('the file of a plugin', () => {
  it('gets another name, and its name and bytes back', async () => {
    const { node, content } = nodeWith({ [PATH]: 'bytes', 'plugins/Other.jar': 'other' })
    const change = await disablePlugin(node, PATH)
    expect(content()).toEqual({ [disabledName(PATH)]: 'bytes', 'plugins/Other.jar': 'other' })
    await enablePlugin(node, change)
    expect(content()).toEqual({ [PATH]: 'bytes', 'plugins/Other.jar': 'other' })
  })

  it('is not put over one that has the name already, in either direction', async () => {
    const both = { [PATH]: 'new', [disabledName(PATH)]: 'old' }
    const taken = nodeWith(both)
    await expect(disablePlugin(taken.node, PATH)).rejects.toEqual(trouble('ALREADY_EXISTS'))
    expect(taken.content()).toEqual(both)
    const again = nodeWith({ [PATH]: 'bytes' })
    const change = await disablePlugin(again.node, PATH)
    again.write(PATH, 'uploaded')
    await expect(enablePlugin(again.node, change)).rejects.toEqual(trouble('ALREADY_EXISTS'))
    expect(again.content()).toEqual({ [PATH]: 'uploaded', [disabledName(PATH)]: 'bytes' })
  })

  it('stays where it is when it has changed or gone meanwhile', async () => {
    const changed = nodeWith({ [PATH]: 'bytes' })
    const change = await disablePlugin(changed.node, PATH)
    changed.write(disabledName(PATH), 'another')
    await expect(enablePlugin(changed.node, change)).rejects.toEqual(trouble('CHANGED'))
    expect(changed.content()).toEqual({ [disabledName(PATH)]: 'another' })
    const gone = nodeWith({})
    await expect(disablePlugin(gone.node, PATH)).rejects.toEqual(trouble('NOT_FOUND'))
    await expect(enablePlugin(gone.node, change)).rejects.toEqual(trouble('NOT_FOUND'))
  })
})
