import { describe, expect, it } from 'vitest'
import {
  DescribedFiles,
  describedIn,
  isDescribable,
  StoredTemplateFiles,
  TemplateFiles,
} from '../../../../src/contracts/panel/described-files.ts'
import { languageOf } from '../../../../src/features/files/editor/editor-language.ts'
import { refusedValue, SERVER_PROPERTIES_FILE } from '../../../../src/domain/config-files/server-properties.ts'
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

const groups = (...ids: readonly string[]) => ids.map((id) => ({ id, name: text(id) }))
const kind = (of: object) => file({ fields: [field({ kind: of })] })

describe('the description of a file in a template', () => {
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
    ['a name whose text has no form', [file({ path: 'config/a.json' })]],
    ['the file that the panel knows itself', [file({ path: 'server.properties', format: 'properties' })]],
    ['the group of further keys', [file({ groups: groups('other'), fields: [field({ group: 'other' })] })]],
    ['a group twice', [file({ groups: groups('main', 'main') })]],
    ['a minimum above its maximum', [kind({ is: 'number', min: 2, max: 1, preset: '2' })]],
    ['a preset that is no option', [kind({ is: 'choice', options: ['a'], preset: 'b' })]],
    ['a name of no option', [kind({ is: 'choice', options: ['a'], preset: 'a', names: { b: text('B') } })]],
    ['a text that is too long', [file({ fields: [field({ help: text('a'.repeat(401)) })] })]],
    ['half a sign', [file({ fields: [field({ help: text('\ud83d') })] })]],
  ])('is refused with %s', (_, files) => {
    expect(TemplateFiles.safeParse(files).success).toBe(false)
  })
})

describe('a stored description, as programs read it', () => {
  it('leaves out files and words that a later release has written', () => {
    const later = [kind({ is: 'colour', preset: '' }), file({ restarts: true }), 'what?']
    expect(StoredTemplateFiles.parse(later)).toEqual([file()])
    const [known] = describedIn(StoredTemplateFiles.parse(later), 'en')
    expect(
      DescribedFiles.parse({
        files: [
          { ...known, format: 'toml' },
          { ...known, restarts: true },
        ],
      }),
    ).toEqual({
      files: [known],
    })
  })

  it('is a list', () => {
    expect(StoredTemplateFiles.safeParse({}).success).toBe(false)
  })
})

it('the names that a template can describe are those whose text is properties or YAML, but for the file that the panel knows', () => {
  const endings = ['properties', 'ini', 'cfg', 'conf', 'env', 'yml', 'yaml', 'json', 'toml', 'txt', 'log', 'YML']
  for (const ending of endings) {
    const isKnown = ['properties', 'yaml'].includes(languageOf(`a.${ending}`))
    expect([ending, isDescribable(`config/a.${ending}`)]).toEqual([ending, isKnown])
  }
  expect([isDescribable(`world/${SERVER_PROPERTIES_FILE}`), isDescribable('.env')]).toEqual([false, false])
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
