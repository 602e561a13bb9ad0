import { describe, expect, it } from 'vitest'
import { openSecret } from '#platform/sealed-secret.ts'
import { seal } from '../../../../src/cms/hooks/seal-secret.ts'

const key = { id: 'k1', key: new Uint8Array(32).fill(7) }

describe('seal', () => {
  it('names its key, hides the text and opens to it', async () => {
    const sealed = seal('titkos jelszó', key)
    expect(sealed).toMatch(/^sealed:k1:/)
    expect(Buffer.from(sealed.split(':')[2] ?? '', 'base64').toString()).not.toContain('titkos')
    const opened = openSecret(sealed, { keys: [key], place: '' })
    expect(Buffer.from(opened).toString()).toBe('titkos jelszó')
  })

  it('never makes the same text twice', async () => {
    expect(seal('same', key)).not.toBe(seal('same', key))
  })
})
