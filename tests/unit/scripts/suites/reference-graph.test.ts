import { expect, test } from 'vitest'

import { reachedFrom, referenceGraph } from '../../../../scripts/suites/reference-graph.mjs'

/** A small repository: path -> text. */
const REPOSITORY: Record<string, string> = {
  'package.json': '{"imports": {"#rules/*": "./src/rules/*"}}',
  'tsconfig.json': '{"compilerOptions": {"paths": {"@/*": ["./src/*"], "@settings": ["./settings.ts"]}}}',
  'settings.ts': '',
  'src/rules/price.ts': '',
  'src/rules/tax.ts': "import { price } from '#rules/price.ts'",
  'src/shop.tsx': "import { tax } from '@/rules/tax'\nimport settings from '@settings'\nimport('./late.ts')",
  'src/late.ts': '',
  'src/only-types.ts': "import type {\n  Price,\n} from './rules/price.ts'\n",
  'src/words/en.json': '{}',
  'src/words.ts': 'export const words = (language: string) => import(`./words/${language}.json`)',
  'agents/bundle.ts': "const entry = join(agents, 'shim/main.ts')",
  'agents/shim/main.ts': '// It is no `src/late.ts`.',
  'store/migrations/0001_first.sql': '',
  'tests/factories/database.ts': "const folder = new URL('../../store/migrations', import.meta.url)",
  'tests/shop.test.ts': "import { database } from './factories/database.ts'\nvi.mock('../src/shop.tsx')",
  'tests/program.ts': '',
  'tests/started.test.ts': "spawn(process.execPath, [new URL('./program.ts', import.meta.url)])",
  'tests/everything.test.ts': "const root = new URL('..', import.meta.url)\nreaddirSync(join(root, 'src'))",
}
const files = Object.keys(REPOSITORY)

const reachedBy = (...changed: string[]) => {
  const gone = changed.filter((path) => !files.includes(path))
  const graph = referenceGraph({ files, gone, read: (path) => REPOSITORY[path] ?? '' })
  return [...reachedFrom(graph, changed)].filter((path) => !changed.includes(path)).sort()
}

test.each([
  [
    'an import by an alias of package.json, then one of tsconfig.json without its ending',
    'src/rules/price.ts',
    ['src/rules/tax.ts', 'src/shop.tsx', 'tests/everything.test.ts', 'tests/shop.test.ts'],
  ],
  ['an alias that is one file', 'settings.ts', ['src/shop.tsx', 'tests/everything.test.ts', 'tests/shop.test.ts']],
  [
    'an import at run time and a mocked module',
    'src/late.ts',
    ['src/shop.tsx', 'tests/everything.test.ts', 'tests/shop.test.ts'],
  ],
  ['a folder whose files are chosen at run time', 'src/words/en.json', ['src/words.ts', 'tests/everything.test.ts']],
  [
    'a migration in a folder that a factory reads',
    'store/migrations/0001_first.sql',
    ['tests/factories/database.ts', 'tests/shop.test.ts'],
  ],
  ['a program that a test starts', 'tests/program.ts', ['tests/started.test.ts']],
  ['an entry that is named from the folder of its program', 'agents/shim/main.ts', ['agents/bundle.ts']],
])('a change reaches whoever names the file: %s', (_, changed, reached) => {
  expect(reachedBy(changed)).toEqual(reached)
})

test('a file that is deleted reaches whoever still reads its folder', () => {
  expect(reachedBy('store/migrations/0002_second.sql')).toEqual(['tests/factories/database.ts', 'tests/shop.test.ts'])
})

test('the root of the repository names no file', () => {
  expect(reachedBy('settings.ts')).not.toContain('tests/started.test.ts')
  expect(reachedBy('tests/program.ts')).not.toContain('tests/everything.test.ts')
})
