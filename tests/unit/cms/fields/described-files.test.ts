import type { TextareaFieldValidation } from 'payload'
import { expect, it } from 'vitest'
import { MAX_DESCRIPTION, refuseBadFiles } from '@/cms/fields/described-files.ts'
import { describedFiles } from '@/cms/seed/content/described-files.ts'

type Options = Parameters<TextareaFieldValidation>[1]
const said = (text: string) => refuseBadFiles(text, { req: { i18n: { language: 'en' } } } as unknown as Options)
const SEEDED = JSON.stringify(describedFiles['minecraft-paper'])

it.each(['', ' \t\r\n', '[]', ` \n${SEEDED}\n`])('a description is taken: %j', (text) => {
  expect(said(text)).toBe(true)
})

it.each([
  ['blanks that JSON does not know', '\u00a0', 'no JSON'],
  ['blanks that JSON does not know around it', '\u00a0[]', 'no JSON'],
  ['a sign that PostgreSQL keeps in no JSON', SEEDED.replace('The End', String.raw`The\u0000End`), 'cannot be kept'],
  ['half a sign', SEEDED.replace('The End', String.raw`The \ud83d End`), 'cannot be kept'],
  ['a word that nothing reads', SEEDED.replace('"format":', '"restarts":true,"format":'), 'restarts'],
  ['a language that the site does not have', SEEDED.replace('"hu":', '"fr":"","hu":'), 'fr'],
  ['more than a field holds', `[]${' '.repeat(MAX_DESCRIPTION)}`, 'longer than'],
])('a description is refused with %s', (_, text, reason) => {
  expect(said(text)).toContain(reason)
})
