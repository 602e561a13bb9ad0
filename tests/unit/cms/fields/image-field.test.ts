import type { TextField } from 'payload'
import { describe, expect, it } from 'vitest'
import { imageField, judgeImage, tidyImage } from '../../../../src/cms/fields/image-field.ts'

const DIGEST = `sha256:${'a'.repeat(64)}`
const options = { label: { en: 'Image', hu: 'Képfájl', de: 'Abbild' } }

const said = (field: TextField, value: string | null, language: string) =>
  (field.validate as unknown as (value: unknown, options: object) => true | string)(value, {
    req: { i18n: { language } },
  })

describe("a template's image", () => {
  it.each([
    [`node@${DIGEST}`, undefined],
    [`ghcr.io/bakter/java@${DIGEST}`, undefined],
    [`10.0.0.5:5000/java@${DIGEST}`, undefined],
    ['~bakter/game:1.0', undefined],
    ['node:24-bookworm-slim', 'tagged'],
    ['ghcr.io/pterodactyl/yolks:java_21', 'tagged'],
    ['10.0.0.5:5000/java:21', 'tagged'],
    ['node', 'tagged'],
    [`node:24@${DIGEST}`, 'tagged'],
    [`Node@${DIGEST}`, 'malformed'],
    ['~bakter/game', 'malformed'],
    ['https://ghcr.io/bakter/java:21', 'malformed'],
    ['node:24 --privileged', 'malformed'],
    [`node@sha256:${'a'.repeat(63)}`, 'malformed'],
  ])('%s is %s', (text, code) => {
    expect(judgeImage(text)).toBe(code)
  })

  it.each([
    ['en', /digest is required/],
    ['hu', /Digest szükséges/],
    ['de', /Digest ist nötig/],
    ['fr', /digest is required/],
  ])('that is a tag is refused in the language %s with what is needed instead', (language, sentence) => {
    const field = imageField('image', { ...options, required: true })
    expect(said(field, 'node:24', language)).toMatch(sentence)
    expect(said(field, `node@${DIGEST}`, language)).toBe(true)
  })

  it('may be left out where nothing needs it', () => {
    expect(said(imageField('image', { ...options, required: false }), null, 'en')).toBe(true)
    expect(said(imageField('image', { ...options, required: true }), null, 'en')).toMatch(/isn't an image/)
  })

  it('loses blanks around it and a tag in front of its digest', () => {
    expect(tidyImage(` ghcr.io/a/b:21@${DIGEST}\n`)).toBe(`ghcr.io/a/b@${DIGEST}`)
    expect(tidyImage(`10.0.0.5:5000/b@${DIGEST}`)).toBe(`10.0.0.5:5000/b@${DIGEST}`)
    expect(tidyImage(' node:24')).toBe('node:24')
    expect(tidyImage(undefined)).toBeUndefined()
  })
})
