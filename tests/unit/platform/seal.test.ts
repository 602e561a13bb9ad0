import { createCipheriv } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deriveKey, seal, SealBroken, unseal } from '#platform/seal.ts'

const key = deriveKey('a secret', 'a purpose')
const nonce = new Uint8Array(12).fill(3)
const sealed = seal(Buffer.from('titkos'), { key, label: 'row', nonce })

describe('sealed bytes', () => {
  it('are nonce, tag and text of AES-256-GCM, as rows of earlier versions hold them', () => {
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('row'))
    const text = Buffer.concat([cipher.update('titkos'), cipher.final()])
    expect(sealed).toEqual(Buffer.concat([nonce, cipher.getAuthTag(), text]))
    expect(unseal(sealed, { key, label: 'row' }).toString()).toBe('titkos')
  })

  it.each([
    ['another label', () => unseal(sealed, { key, label: 'other row' })],
    ['no label', () => unseal(sealed, { key })],
    ['a key of another purpose', () => unseal(sealed, { key: deriveKey('a secret', 'other'), label: 'row' })],
    ['a key of another secret', () => unseal(sealed, { key: deriveKey('other', 'a purpose'), label: 'row' })],
    ['nothing', () => unseal(new Uint8Array(0), { key, label: 'row' })],
    ['half of them', () => unseal(sealed.subarray(0, 20), { key, label: 'row' })],
  ])('do not open with %s', (_name, open) => {
    expect(open).toThrow(SealBroken)
  })

  it('do not open when any of their bytes is changed', () => {
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => unseal(changed, { key, label: 'row' })).toThrow(SealBroken)
    }
  })
})
