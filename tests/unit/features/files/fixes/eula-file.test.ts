import { describe, expect, it } from 'vitest'
import { acceptedText, acceptEula, undoEula } from '../../../../../src/features/files/fixes/eula-file.ts'
import { FileTrouble } from '../../../../../src/features/files/file-trouble.ts'

/** A node with at most one file, whose version rises with each write. */
const nodeWith = (text: string | null) => {
  let bytes = text === null ? null : new TextEncoder().encode(text)
  let version = 1
  const etag = () => `"${version}"`
  const node: Parameters<typeof acceptEula>[0] = {
    read: () => {
      if (bytes === null) return Promise.reject(new FileTrouble('NOT_FOUND'))
      return Promise.resolve({ bytes, etag: etag(), total: bytes.length, mtimeMs: 0 })
    },
    write: async (_path, next, expected) => {
      if (expected !== (bytes === null ? null : etag())) throw new FileTrouble('CHANGED')
      bytes = new Uint8Array(await new Response(next).arrayBuffer())
      version += 1
      return etag()
    },
    call: () => {
      bytes = null
      return Promise.resolve({ refusals: [null] } as never)
    },
  }
  const touch = (next: string) => {
    bytes = new TextEncoder().encode(next)
    version += 1
  }
  return { node, touch, text: () => (bytes === null ? null : new TextDecoder().decode(bytes)) }
}

describe('the file of the EULA', () => {
  it.each([
    ['', 'eula=true\n'],
    ['#By changing\n#Mon\neula=false\n', '#By changing\n#Mon\neula=true\n'],
    ['eula = FALSE\r\n#end', 'eula=true\n#end'],
    ['# eula=false', '# eula=false\neula=true\n'],
  ])('%j becomes %j', (before, after) => {
    expect(acceptedText(before).replaceAll('\r', '')).toBe(after)
  })

  it('is put back byte by byte', async () => {
    const { node, text } = nodeWith('\uFEFF#By\r\neula=false\r\n')
    const change = await acceptEula(node)
    expect(text()).toContain('eula=true')
    await undoEula(node, change)
    expect(text()).toBe(new TextDecoder().decode(new TextEncoder().encode('\uFEFF#By\r\neula=false\r\n')))
  })

  it('is gone again if it did not exist', async () => {
    const { node, text } = nodeWith(null)
    const change = await acceptEula(node)
    expect(text()).toBe('eula=true\n')
    await undoEula(node, change)
    expect(text()).toBeNull()
  })

  it.each([['eula=false\n'], [null]])('stays if it has changed meanwhile: %j', async (before) => {
    const { node, touch, text } = nodeWith(before)
    const change = await acceptEula(node)
    touch('eula=true\n#mine\n')
    await expect(undoEula(node, change)).rejects.toMatchObject({ code: 'CHANGED' })
    expect(text()).toBe('eula=true\n#mine\n')
  })
})
