import { expect, it } from 'vitest'
import { FileTrouble } from '../../../../../src/features/files/file-trouble.ts'
import {
  editProperties,
  readPropertiesFile,
  undoEdits,
} from '../../../../../src/features/files/fixes/properties-file.ts'

const EDITS = [{ key: 'server-port', from: '25565', to: '27100' }]
/** Bytes that are no UTF-8: an old server's own language. */
const BYTES = Uint8Array.from([...Buffer.from('server-port=25565\nmotd='), 0xe9, 0x85, 0x0a])

const nodeWith = (start: Uint8Array<ArrayBuffer> | null) => {
  let [bytes, version] = [start, 1]
  const etag = () => `"${version}"`
  const node: Parameters<typeof editProperties>[0] = {
    read: async () => {
      if (bytes === null) throw new FileTrouble('NOT_FOUND')
      return { bytes, etag: etag(), total: bytes.length, mtimeMs: 0 }
    },
    write: async (_path, body, over) => {
      if (over !== etag()) throw new FileTrouble('CHANGED')
      bytes = body as Uint8Array<ArrayBuffer>
      version += 1
      return etag()
    },
  }
  const rewrite = (text: string) => {
    bytes = Uint8Array.from(Buffer.from(text))
    version += 1
  }
  return { node, rewrite, content: () => Buffer.from(bytes ?? []) }
}
const changed = expect.objectContaining({ code: 'CHANGED' }) as Error
const opened = async (node: Parameters<typeof editProperties>[0]) => {
  const file = await readPropertiesFile(node)
  if (file === null) throw new Error('no file')
  return file
}

it('only the value changes, and undo puts back each byte', async () => {
  const { node, content } = nodeWith(BYTES)
  const change = await editProperties(node, await opened(node), EDITS)
  expect([...content()]).toEqual([...Buffer.from('server-port=27100\nmotd='), 0xe9, 0x85, 0x0a])
  await undoEdits(node, change)
  expect([...content()]).toEqual([...BYTES])
})

it('a version that nobody has previewed is not written over', async () => {
  const { node, rewrite, content } = nodeWith(BYTES)
  const file = await opened(node)
  rewrite('server-port=1\n')
  await expect(editProperties(node, file, EDITS)).rejects.toEqual(changed)
  expect(content().toString()).toBe('server-port=1\n')
})

it("undo keeps what the server has written since, and somebody's own port", async () => {
  const { node, rewrite, content } = nodeWith(BYTES)
  const change = await editProperties(node, await opened(node), EDITS)
  rewrite('#Sun Nov 29\nmotd=new\nserver-port=27100\n')
  await undoEdits(node, change)
  expect(content().toString()).toBe('#Sun Nov 29\nmotd=new\nserver-port=25565\n')
  rewrite('server-port=5\n')
  await expect(undoEdits(node, change)).rejects.toEqual(changed)
  expect(content().toString()).toBe('server-port=5\n')
})

it('a server without the file has none', async () => {
  expect(await readPropertiesFile(nodeWith(null).node)).toBeNull()
})
