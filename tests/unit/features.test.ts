import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import english from '../../src/messages/en.json' with { type: 'json' }

/** The parts of the catalog about a customer's contracts. Others take some of their keys from the words of a contract's schema. */
const NAMESPACES = ['serverSettings', 'withdrawal', 'services'] as const

type Tree = { readonly [name: string]: string | Tree }
const keysOf = (tree: Tree, path: string): string[] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${path}.${name}`] : keysOf(value, `${path}.${name}`),
  )

const ROOT = join(import.meta.dirname, '../../src')
const source = new Map(
  ['app', 'features', 'lib', 'ui'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/u.test(name))
      .map((name) => join(ROOT, folder, name))
      .map((path) => [path, readFileSync(path, 'utf8')] as const),
  ),
)
/** A file with those beside it that it imports and that say nothing by themselves: a key that is a variable here is a literal there. */
const withNeighbours = (path: string, text: string): string => {
  const names = [...text.matchAll(/from '(\.\/[^']+)'/gu)].map(([, name = '']) => join(dirname(path), name))
  const beside = names.map((name) => source.get(name) ?? '')
  return [text, ...beside.filter((other) => !other.includes('Translations('))].join('\n')
}
const readers = [...source].flatMap(([path, text]) =>
  [...text.matchAll(/Translations(?:<|\()'([\w.]+)'/gu)].map(([, namespace = '']) => ({
    namespace,
    text: withNeighbours(path, text),
  })),
)

const isSaid = (rest: string, text: string): boolean => {
  const head = rest.slice(0, rest.lastIndexOf('.') + 1)
  return text.includes(`'${rest}'`) || (head !== '' && text.includes(`\`${head}\${`))
}

test('every sentence about contracts is said somewhere', () => {
  const unsaid = NAMESPACES.flatMap((namespace) => keysOf(english[namespace], namespace)).filter((key) =>
    readers.every(
      ({ namespace, text }) => !key.startsWith(`${namespace}.`) || !isSaid(key.slice(namespace.length + 1), text),
    ),
  )
  expect(unsaid).toEqual([])
})
