import { createCipheriv } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { keyIdOf, openSecret, parseSecretKeys, SealBroken, sealSecret } from '#platform/sealed-secret.ts'

const key = { id: 'k1', key: new Uint8Array(32).fill(7) }
const place = 'totp.secret:row'
const nonce = (fill = 1) => new Uint8Array(12).fill(fill)
const sealed = (text: string, at = place) => sealSecret(Buffer.from(text), { key, place: at, nonce: nonce() })
const opened = async (value: string, at = place, keys = [key]) =>
  Buffer.from(await openSecret(value, { keys, place: at })).toString('utf8')

describe('a sealed value', () => {
  it('names its key, hides the text and opens to it', async () => {
    const value = await sealed('titkos jelszó')
    expect(keyIdOf(value)).toBe('k1')
    expect(Buffer.from(value.split(':')[2] ?? '', 'base64').toString('latin1')).not.toContain('titkos')
    expect(await opened(value)).toBe('titkos jelszó')
  })

  it('opens at no other place: two rows cannot be swapped', async () => {
    await expect(opened(await sealed('secret', 'totp.secret:a'), 'totp.secret:b')).rejects.toThrow(SealBroken)
  })

  it('does not open when any of its bytes is changed', async () => {
    const [form, id, text = ''] = (await sealed('secret')).split(':')
    const bytes = Buffer.from(text, 'base64')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(opened(`${form}:${id}:${changed.toString('base64')}`)).rejects.toThrow(SealBroken)
    }
  })

  it('does not open under another key of the same id, and says which key is missing', async () => {
    const value = await sealed('secret')
    await expect(opened(value, place, [{ id: 'k1', key: new Uint8Array(32) }])).rejects.toThrow(SealBroken)
    await expect(opened(value, place, [])).rejects.toThrow('The key "k1" of a sealed value is not there.')
  })

  it('opens under the key that it names, among several in any order', async () => {
    const other = { id: 'k2', key: new Uint8Array(32).fill(9) }
    const value = await sealed('secret')
    for (const keys of [
      [key, other],
      [other, key],
    ])
      expect(await opened(value, place, keys)).toBe('secret')
  })

  it('is bound to the id of its key: under another name the same key does not open it', async () => {
    const twin = { ...key, id: 'k2' }
    const renamed = (await sealed('secret')).replace('bound:k1:', 'bound:k2:')
    await expect(opened(renamed, place, [key, twin])).rejects.toThrow(SealBroken)
  })

  it('cannot be relabelled as one of the form that is bound to no place', async () => {
    await expect(opened((await sealed('secret')).replace('bound:', 'sealed:'))).rejects.toThrow(SealBroken)
  })

  it('that has one place only is what the CMS stores: nonce, tag, text', async () => {
    const cipher = createCipheriv('aes-256-gcm', key.key, nonce())
    const text = Buffer.concat([cipher.update('secret'), cipher.final()])
    const stored = `sealed:k1:${Buffer.concat([nonce(), cipher.getAuthTag(), text]).toString('base64')}`
    expect(await sealSecret(Buffer.from('secret'), { key, place: null, nonce: nonce() })).toBe(stored)
    expect(await opened(stored)).toBe('secret')
  })

  it.each(['', 'plain text', 'bound:k1:', 'bound:k1:AAAA'])('%j is refused', async (value) => {
    await expect(opened(value)).rejects.toThrow(SealBroken)
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
