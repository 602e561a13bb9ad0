// References between the repository's files: imports, and every other string that is the path of a file or folder
// (programs that are started, migrations, catalogs, fixtures). A test runner's own graph contains only imports.
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'

const CODE = /\.(ts|tsx|mjs|cjs)$/
/** Endings that an import may omit. */
const ENDS = ['', '.ts', '.tsx', '.mjs', '/index.ts']
/** Types are not behaviour: the type check covers them. */
const TYPE_IMPORT = /\b(?:import|export)\s+type\s[^'"`;]*?from\s*['"][^'"]+['"]/g
const COMMENT_LINE = /^\s*(\/\/|\/?\*).*$/gm
/** A string that may be a path, whole or up to its first computed part. */
const PATH = /['"`}]([\w./@#()[\]-]+)(?=['"`]|\$\{)/g
/** Program folders named by one word: tests and scripts read or build all of them. Elsewhere it is only a word. */
const PROGRAM_FOLDERS = new Set(['src', 'control-plane', 'agents'])
const NAMES_PROGRAMS = /^(tests|scripts)\//
/** No file uses a test. The runner's configuration names the tests' folders, which is not a reference. */
const TEST = /\.(test|e2e)\.tsx?$/
const TESTS = /^tests(\/|$)/

/** Prefix of an import -> its folder or file, from `imports` of package.json and `paths` of tsconfig.json. */
function readAliases(read) {
  const { imports = {} } = JSON.parse(read('package.json') ?? '{}')
  const { paths = {} } = JSON.parse(read('tsconfig.json') ?? '{}').compilerOptions ?? {}
  return Object.entries({ ...imports, ...paths }).map(([alias, target]) => ({
    prefix: alias.replace('*', ''),
    target: normalize((Array.isArray(target) ? target[0] : target).replace('*', '')),
  }))
}

/** The paths, from the root, that a string in `file` may mean: relative to its folder, its program or the root. */
function meanings({ file, text, aliases }) {
  // Dots alone are only the beginning of a joined path.
  if (/^[./]+$/.test(text)) return []
  if (text.startsWith('.')) return [join(dirname(file), text), normalize(text)]
  const alias = aliases.find(({ prefix }) => text.startsWith(prefix))
  if (alias !== undefined) return [join(alias.target, text.slice(alias.prefix.length))]
  if (PROGRAM_FOLDERS.has(text)) return NAMES_PROGRAMS.test(file) ? [text] : []
  const path = text.replace(/^\//, '')
  // A single word matches a folder's name only by chance.
  if (!path.includes('/') && !path.includes('.')) return []
  return [normalize(path), join(file.split('/')[0], path)]
}

/** The folders above a file, without the root, whose name is meaningless. */
function foldersOf(path) {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/**
 * The graph of the files, which are paths from the root. `gone` are deleted files that others may still refer to;
 * `read` returns the text of a file.
 */
export function referenceGraph({ files, gone = [], read = (path) => readFileSync(path, 'utf8') }) {
  const known = new Set([...files, ...gone])
  const folders = new Set([...known].flatMap(foldersOf))
  const aliases = readAliases((path) => (known.has(path) ? read(path) : undefined))
  /** File or folder -> the files that refer to it. */
  const naming = new Map()
  for (const file of files) {
    if (!CODE.test(file)) continue
    const text = read(file).replace(TYPE_IMPORT, '').replace(COMMENT_LINE, '')
    const named = new Set()
    for (const [, path] of text.matchAll(PATH)) {
      for (const meaning of meanings({ file, text: path, aliases })) {
        const folder = meaning.replace(/\/$/, '')
        const whole = ENDS.map((end) => meaning + end).find((each) => known.has(each))
        if (whole !== undefined) named.add(whole)
        else if (folders.has(folder)) named.add(folder)
      }
    }
    for (const target of named) {
      if (TESTS.test(target) && !TESTS.test(file)) continue
      naming.set(target, [...(naming.get(target) ?? []), file])
    }
  }
  return naming
}

/** The changed files and all that reach them, by a reference to a file or to its folder. */
export function reachedFrom(naming, changed) {
  const reached = new Set(changed)
  for (const file of reached) {
    if (TEST.test(file)) continue
    for (const target of [file, ...foldersOf(file)]) for (const source of naming.get(target) ?? []) reached.add(source)
  }
  return reached
}
