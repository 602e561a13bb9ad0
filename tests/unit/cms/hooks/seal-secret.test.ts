import { createDecipheriv } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseSecretsKey, seal } from '../../../../src/cms/hooks/seal-secret.ts'

const key = { id: 'k1', key: Buffer.alloc(32, 7) }

const open = (sealed: string) => {
  const bytes = Buffer.from(sealed.split(':')[2] ?? '', 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

describe('seal', () => {
  it('names its key, hides the text and opens to it', () => {
    const sealed = seal('titkos jelszó', key)
    expect(sealed).toMatch(/^sealed:k1:/)
    expect(sealed).not.toContain('titkos')
    expect(open(sealed)).toBe('titkos jelszó')
  })

  it('never makes the same text twice', () => {
    expect(seal('same', key)).not.toBe(seal('same', key))
  })

  it('does not open when a bit is changed', () => {
    const [, , text = ''] = seal('secret', key).split(':')
    const bytes = Buffer.from(text, 'base64')
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    expect(() => open(`sealed:k1:${bytes.toString('base64')}`)).toThrow('unable to authenticate data')
  })
})

describe('parseSecretsKey', () => {
  it.each([
    undefined,
    '',
    'k1',
    'k1:',
    `k1:${Buffer.alloc(16).toString('base64')}`,
    `:${Buffer.alloc(32).toString('base64')}`,
  ])('refuses %j', (text) => {
    expect(parseSecretsKey(text)).toBeUndefined()
  })

  it('reads id and key', () => {
    expect(parseSecretsKey(`k2:${Buffer.alloc(32, 1).toString('base64')}`)).toEqual({
      id: 'k2',
      key: Buffer.alloc(32, 1),
    })
  })
})
