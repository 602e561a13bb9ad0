import { describe, expect, it } from 'vitest'
import { describedIn, TemplateFiles } from '../../../../src/contracts/panel/described-files.ts'
import { refusedValue } from '../../../../src/domain/config-files/server-properties.ts'
import { describedFiles } from '../../../../src/cms/seed/content/described-files.ts'

const text = (word: string) => ({ en: word, hu: word, de: word })
const field = (more: object = {}) => ({
  key: 'a.b',
  group: 'main',
  kind: { is: 'switch', preset: 'true' },
  name: text('A'),
  help: text('What it does.'),
  ...more,
})
const file = (more: object = {}) => ({
  path: 'config/a.yml',
  format: 'yaml',
  groups: [{ id: 'main', name: text('Main') }],
  fields: [field()],
  ...more,
})

describe('what a template says of a file', () => {
  it('is taken with its groups and fields', () => {
    expect(TemplateFiles.safeParse([file()]).error).toBeUndefined()
  })

  it.each([
    ['a path that climbs', [file({ path: '../a.yml' })]],
    ['a format that nobody can change', [file({ format: 'toml' })]],
    ['a file twice', [file(), file()]],
    ['a key twice', [file({ fields: [field(), field()] })]],
    ['a field in no group', [file({ fields: [field({ group: 'other-group' })] })]],
    ['a name in two languages', [file({ fields: [field({ name: { en: 'A', hu: 'A' } })] })]],
    ['a kind of its own', [file({ fields: [field({ kind: { is: 'colour', preset: '' } })] })]],
    ['a word that nothing reads', [file({ restarts: true })]],
  ])('is refused with %s', (_, files) => {
    expect(TemplateFiles.safeParse(files).success).toBe(false)
  })
})

const seeded = Object.entries(describedFiles).flatMap(([slug, files]) => files.map((each) => [slug, each] as const))

describe.each(seeded)('the file of %s in a new installation', (_, { path, fields }) => {
  it(`explains each key of ${path} in three languages, and each takes its own preset`, () => {
    expect(TemplateFiles.safeParse(describedFiles['minecraft-paper']).error).toBeUndefined()
    const wrong = fields.filter(({ kind }) => refusedValue(kind, kind.preset) !== undefined)
    expect(wrong).toEqual([])
    const said = fields.flatMap(({ help }) => [help.en, help.hu, help.de])
    expect(said.filter((help) => !/^\S.{10,}\.$/u.test(help))).toEqual([])
    const same = fields.filter(({ help }) => help.en === help.hu || help.en === help.de)
    expect(same).toEqual([])
  })
})

it('is read in one language', () => {
  const [bukkit] = describedIn(TemplateFiles.parse(describedFiles['minecraft-paper']), 'de')
  expect(bukkit?.groups.map(({ name }) => name)).toContain('Arbeitsspeicher')
  expect(JSON.stringify(bukkit)).not.toContain('"hu"')
})
