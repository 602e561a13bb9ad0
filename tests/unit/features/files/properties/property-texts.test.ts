import { describe, expect, it } from 'vitest'
import { SERVER_PROPERTIES } from '../../../../../src/domain/config-files/server-properties.ts'
import { readPropertyTexts } from '../../../../../src/features/files/properties/property-texts.ts'

const KEYS = SERVER_PROPERTIES.map(({ key }) => key).toSorted()

describe.each(['en', 'hu', 'de'] as const)('the texts of the settings in %s', (locale) => {
  it('name and explain each described key, and no other', async () => {
    const texts = await readPropertyTexts(locale)
    expect(Object.keys(texts).toSorted()).toEqual(KEYS)
  })

  it('give each key a name of its own and a sentence', async () => {
    const texts = Object.values(await readPropertyTexts(locale))
    expect(new Set(texts.map((text) => text?.name)).size).toBe(KEYS.length)
    const wrong = texts.filter((text) => text === undefined || text.name === '' || !/^\S.{10,}[.]$/.test(text.help))
    expect(wrong).toEqual([])
  })
})

it.each(['en', 'hu', 'de'] as const)('the values of each choice have a name of their own in %s', async (locale) => {
  const texts = await readPropertyTexts(locale)
  for (const { key, kind } of SERVER_PROPERTIES) {
    const names = texts[key]?.options ?? {}
    expect([key, Object.keys(names)]).toEqual([key, kind.is === 'choice' ? kind.options : []])
    expect(new Set(Object.values(names)).size).toBe(Object.keys(names).length)
  }
})

it('differ from language to language', async () => {
  const [en, hu, de] = await Promise.all([readPropertyTexts('en'), readPropertyTexts('hu'), readPropertyTexts('de')])
  const same = KEYS.filter((key) => en[key]?.help === hu[key]?.help || en[key]?.help === de[key]?.help)
  expect(same).toEqual([])
})
