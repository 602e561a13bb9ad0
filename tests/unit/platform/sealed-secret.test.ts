import { createCipheriv } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SealBroken } from '#platform/seal.ts'
import { keyIdOf, openSecret, parseSecretKeys, sealSecret } from '#platform/sealed-secret.ts'

const key = { id: 'k1', key: new Uint8Array(32).fill(7) }
const place = 'totp.secret:row'
const nonce = (fill = 1) => new Uint8Array(12).fill(fill)
const sealed = (text: string, at = place) => sealSecret(Buffer.from(text), { key, place: at, nonce: nonce() })
const opened = (value: string, at = place, keys = [key]) => openSecret(value, { keys, place: at }).toString('utf8')

describe('a sealed value', () => {
  it('names its key, hides the text and opens to it', () => {
    const value = sealed('titkos jelszó')
    expect(keyIdOf(value)).toBe('k1')
    expect(Buffer.from(value.split(':')[2] ?? '', 'base64').toString('latin1')).not.toContain('titkos')
    expect(opened(value)).toBe('titkos jelszó')
  })

  it('opens at no other place: two rows cannot be swapped', () => {
    expect(() => opened(sealed('secret', 'totp.secret:a'), 'totp.secret:b')).toThrow(SealBroken)
  })

  it('does not open when any of its bytes is changed', () => {
    const [form, id, text = ''] = sealed('secret').split(':')
    const bytes = Buffer.from(text, 'base64')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => opened(`${form}:${id}:${changed.toString('base64')}`)).toThrow(SealBroken)
    }
  })

  it('does not open under another key of the same id, and says which key is missing', () => {
    const value = sealed('secret')
    expect(() => opened(value, place, [{ id: 'k1', key: new Uint8Array(32) }])).toThrow(SealBroken)
    expect(() => opened(value, place, [])).toThrow('The key "k1" of a sealed value is not there.')
  })

  it('opens under the key that it names, among several in any order', () => {
    const other = { id: 'k2', key: new Uint8Array(32).fill(9) }
    const value = sealed('secret')
    for (const keys of [
      [key, other],
      [other, key],
    ])
      expect(opened(value, place, keys)).toBe('secret')
  })

  it('is bound to the id of its key: under another name the same key does not open it', () => {
    const twin = { ...key, id: 'k2' }
    const renamed = sealed('secret').replace('bound:k1:', 'bound:k2:')
    expect(() => opened(renamed, place, [key, twin])).toThrow(SealBroken)
  })

  it('cannot be relabelled as one of the form that is bound to no place', () => {
    expect(() => opened(sealed('secret').replace('bound:', 'sealed:'))).toThrow(SealBroken)
  })

  it('that has one place only is what the CMS stores: nonce, tag, text', () => {
    const cipher = createCipheriv('aes-256-gcm', key.key, nonce())
    const text = Buffer.concat([cipher.update('secret'), cipher.final()])
    const stored = `sealed:k1:${Buffer.concat([nonce(), cipher.getAuthTag(), text]).toString('base64')}`
    expect(sealSecret(Buffer.from('secret'), { key, place: null, nonce: nonce() })).toBe(stored)
    expect(opened(stored)).toBe('secret')
  })

  it.each(['', 'plain text', 'bound:k1:', 'bound:k1:AAAA'])('%j is refused', (value) => {
    expect(() => opened(value)).toThrow(SealBroken)
  })
})

describe('the keys of a setting', () => {
  const base64 = (fill: number) => Buffer.alloc(32, fill).toString('base64')

  it.each([undefined, '', 'k1', 'k1:', `k1:${Buffer.alloc(16).toString('base64')}`, `:${base64(0)}`])(
    '%j names none',
    (text) => {
      expect(parseSecretKeys(text)).toEqual([])
    },
  )

  it('come in their order: the first seals', () => {
    expect(parseSecretKeys(`new:${base64(1)},old:${base64(2)}`)).toEqual([
      { id: 'new', key: new Uint8Array(32).fill(1) },
      { id: 'old', key: new Uint8Array(32).fill(2) },
    ])
  })
})
