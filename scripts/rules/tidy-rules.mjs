// The checks of `npm run lint` on the tree itself, which no linter of single files can make.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const words = (text) => new Set(text.trim().split(/\s+/))
const TOP_LEVEL = words(`
  src control-plane agents media tests docs scripts LICENSE README.md
  payload.config.ts next.config.ts package.json package-lock.json tsconfig.json docker-compose.yml`)
const NOT_OURS = words(`
  node_modules .git .next .data .build dist coverage test-results playwright-report next-env.d.ts tsconfig.tsbuildinfo`)
const GENERATED = /^src\/(app\/\(payload\)\/|cms\/(payload-types\.ts|migrations\/))/
const MAX_LINES = 400
const MAX_FILES = 40
const SOURCE = /\.(ts|tsx|mjs|cjs)$/
const TEXT = /\.(ts|tsx|mjs|cjs|json|md|sql|css|yml|svg)$|(^|\/)(Dockerfile|Caddyfile)$/
/** These files contain the forbidden words themselves. */
const NAMES_THE_FORBIDDEN = /^(scripts\/rules\/tidy-rules\.mjs|tests\/integration\/scripts\/lint-rules\.test\.ts)$/

/** Every file of the repository below `root`, as relative paths, without built or installed ones. */
export function listFiles(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (NOT_OURS.has(entry.name)) return []
    if (entry.isDirectory()) return path === 'media' ? [] : listFiles(root, path)
    return [path]
  })
}

function topLevel({ root }) {
  return readdirSync(root)
    .filter((entry) => !entry.startsWith('.') && !NOT_OURS.has(entry) && !TOP_LEVEL.has(entry))
    .map((path) => ({ path, message: 'is not a top-level entry of this project' }))
}

const FIXED_NAMES = new Set(['Dockerfile', 'Caddyfile', 'SPEC.md', 'README.md', 'NOTES.md', '.gitkeep'])

function names({ files }) {
  const problems = []
  for (const path of files) {
    const parts = path.split('/')
    if (parts.length === 1 || GENERATED.test(path)) continue
    for (const part of parts) {
      // Next's own forms: (group), [parameter], @slot, _private.
      const plain = part.replace(/[()[\]@]|\.\.\./g, '').replace(/^_/, '')
      const isNumbered = /^\d{4}_[a-z0-9_]+\.(sql|ts|json)$/.test(part)
      if (!FIXED_NAMES.has(part) && !isNumbered && !/^\.?[a-z0-9][a-z0-9.-]*$/.test(plain)) {
        problems.push({ path, message: `"${part}" is not kebab-case` })
      }
    }
  }
  return problems
}

function forbiddenNames({ files }) {
  return files
    .filter((path) => SOURCE.test(path) && !GENERATED.test(path))
    .filter((path) => {
      const isList = /^src\/cms\/(collections|globals)\/index\.ts$/.test(path)
      return (
        !isList && path.split('/').some((part) => /^(utils?|helpers?|misc|common|shared|index)(\.[a-z]+)?$/.test(part))
      )
    })
    .map((path) => ({ path, message: 'name what is in it; no utils, helpers, misc, common, shared or index' }))
}

function mirroredTests({ root, files }) {
  const exists = (path) => ['', '.ts', '.tsx', '.mjs', '.sql'].some((end) => existsSync(join(root, path + end)))
  return files
    .filter((path) => /^tests\/unit\/.+\.test\.tsx?$/.test(path))
    .filter((path) => {
      const name = basename(path).split('.')[0]
      const source = join(dirname(path).replace(/^tests\/unit\/?/, ''), name)
      return !['src', '', 'tests'].some((base) => exists(join(base, source)))
    })
    .map((path) => ({ path, message: 'no source file or folder at the mirrored path' }))
}

function testsAreRun({ files }) {
  return files
    .filter((path) => /\.(test|spec|e2e)\.[cm]?tsx?$/.test(path))
    .filter(
      (path) => !/^tests\/(unit|integration)\/.+\.test\.tsx?$/.test(path) && !/^tests\/e2e\/.+\.e2e\.ts$/.test(path),
    )
    .map((path) => ({
      path,
      message: 'no suite runs it: tests/unit and tests/integration hold *.test.ts, tests/e2e *.e2e.ts',
    }))
}

function length({ files, read }) {
  return files
    .filter((path) => SOURCE.test(path) && !GENERATED.test(path))
    .map((path) => ({ path, lines: read(path).trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => ({ path, message: `${lines} lines, at most ${MAX_LINES}` }))
}

/**
 * More files than these in one folder hide which of them belong together. Migrations and Payload's output are ordered
 * lists.
 */
function folderSize({ files }) {
  const counts = new Map()
  for (const path of files) {
    if (!/^(src|control-plane|agents)\//.test(path) || GENERATED.test(path) || path.includes('/migrations/')) continue
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([path, count]) => ({ path, message: `${count} files, at most ${MAX_FILES}: make rooms` }))
}

/** One message for each matching line of the files. */
function linesMatching({ files, read }, pattern, message) {
  return files
    .filter(
      (path) =>
        TEXT.test(path) && !GENERATED.test(path) && !NAMES_THE_FORBIDDEN.test(path) && path !== 'package-lock.json',
    )
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [{ path: `${path}:${at + 1}`, message }] : [])),
    )
}

const unfinished = (tree) => linesMatching(tree, /\b(TODO|FIXME|HACK)\b/, 'finish it, or write an issue')

const suppressions = (tree) =>
  linesMatching(
    tree,
    /(oxlint|eslint|prettier|biome)-(disable|ignore)|@ts-(ignore|expect-error|nocheck)/,
    'fix the cause instead of silencing the tool',
  )

const machinePaths = (tree) =>
  linesMatching(
    tree,
    /(^|[\s'"`(=:])\/(work|root|tmp|Users|home\/(?!container\b|node\b))(\/|['"`\s)]|$)/,
    'a path of one machine',
  )

const MONEY_TEXT = 'src/domain/billing/money-text.ts'
const QUOTED_SENTENCE = 'You need extra {price} HUF to purchase this server.'

/** One function writes every amount, so that all screens, mails and documents agree and no line ends inside one. */
function amounts(tree) {
  const read = (path) =>
    tree
      .read(path)
      .replaceAll(QUOTED_SENTENCE, '')
      .replaceAll(/^[ \t]*(\/?\*|\/\/).*$/gm, '')
  const files = tree.files.filter((path) => /^(src|control-plane|agents)\//.test(path) && path !== MONEY_TEXT)
  return linesMatching(
    { ...tree, files, read },
    /style: 'currency'|[}'"`](\\u00[aA]0|&nbsp;|\u00A0| )(Ft|HUF)\b|\bFt(\\u00[aA]0|\u00A0| )\d|\d Ft\b/,
    `write the amount with formatMoney of ${MONEY_TEXT}; in a plain text, U+00A0 stands before Ft`,
  )
}

function skippedTests(tree) {
  const tests = { ...tree, files: tree.files.filter((path) => path.startsWith('tests/')) }
  const pattern =
    /\b(test|it|describe|suite)(\.\w+)*\.(skip|only|todo|fixme|fails|skipIf|runIf)\b|\bx(it|test|describe)\(/
  return linesMatching(tests, pattern, 'a test runs, or is deleted')
}

function pinnedVersions({ read }) {
  const manifest = JSON.parse(read('package.json'))
  return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => ({ path: 'package.json', message: `${name}: "${version}" is not one exact version` }))
}

/** Whether a supported machine (docs: Linux, x64 or arm64, glibc) would install the package. */
const isForOurMachines = ({ os, cpu, libc }) =>
  (os === undefined || os.includes('linux')) &&
  (cpu === undefined || cpu.includes('x64') || cpu.includes('arm64')) &&
  (libc === undefined || libc.includes('glibc'))

/** npm verifies packages by these hashes; a package without one is whatever the registry sends. */
function lockedHashes({ root, read }) {
  const path = 'package-lock.json'
  if (!existsSync(join(root, path))) return []
  return Object.entries(JSON.parse(read(path)).packages)
    .filter(([name, entry]) => name !== '' && isForOurMachines(entry) && !entry.integrity?.startsWith('sha512-'))
    .map(([name]) => ({ path, message: `${name} has no sha512 hash` }))
}

const LOCALES = ['en', 'hu', 'de']

function flatten(value, prefix = '') {
  if (typeof value === 'string') return [[prefix, value]]
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, prefix === '' ? key : `${prefix}.${key}`))
}

/** Arguments of a message with their kinds, and its tags: `count:plural`, `name:argument`, `<link>`. */
function messageArguments(nodes, { TYPE }, found = new Set()) {
  const kinds = new Map(
    Object.entries(TYPE)
      .filter(([, value]) => typeof value === 'number')
      .map(([name, value]) => [value, name]),
  )
  for (const node of nodes) {
    if (node.type === TYPE.literal || node.type === TYPE.pound) continue
    // A language without plural forms uses the bare number where another has a plural.
    const kind = [TYPE.plural, TYPE.number].includes(node.type) ? 'argument' : kinds.get(node.type)
    found.add(node.type === TYPE.tag ? `<${node.value}>` : `${node.value}:${kind}`)
    if (node.children) messageArguments(node.children, { TYPE }, found)
    for (const option of Object.values(node.options ?? {})) messageArguments(option.value, { TYPE }, found)
  }
  return found
}

async function catalogs({ root, read }) {
  if (!LOCALES.some((locale) => existsSync(join(root, `src/messages/${locale}.json`)))) return []
  const { parse, TYPE } = await import('@formatjs/icu-messageformat-parser')
  const problems = []
  const tables = new Map()
  for (const locale of LOCALES) {
    const path = `src/messages/${locale}.json`
    if (!existsSync(join(root, path))) {
      problems.push({ path, message: 'is missing' })
      continue
    }
    const table = new Map()
    for (const [key, text] of flatten(JSON.parse(read(path)))) {
      try {
        table.set(key, [...messageArguments(parse(text), { TYPE })].sort().join(' '))
      } catch (error) {
        problems.push({ path, message: `${key}: ${error.message}` })
      }
      if (text.trim() === '') problems.push({ path, message: `${key} is empty` })
    }
    tables.set(path, table)
  }
  const keys = new Set([...tables.values()].flatMap((table) => [...table.keys()]))
  const reference = tables.get('src/messages/en.json')
  for (const key of keys) {
    for (const [path, table] of tables) {
      if (!table.has(key)) problems.push({ path, message: `${key} is missing` })
      else if (reference?.has(key) && table.get(key) !== reference.get(key)) {
        problems.push({
          path,
          message: `${key} has the arguments "${table.get(key)}", English has "${reference.get(key)}"`,
        })
      }
    }
  }
  return problems
}

/** The tree in docs/architecture.md is fenced as `tree`; its lines are `path/  description`. */
function picture({ root, files, read }) {
  const page = 'docs/architecture.md'
  if (!existsSync(join(root, page))) return [{ path: page, message: 'is missing' }]
  const block = /```tree\n([\s\S]*?)```/.exec(read(page))?.[1]
  if (block === undefined) return [{ path: page, message: 'has no block fenced as `tree`' }]
  const drawn = new Set(block.split('\n').flatMap((line) => /^\s*(\S+)\//.exec(line)?.[1] ?? []))
  const real = new Set(
    files.flatMap((path) => {
      const parts = path.split('/')
      const isProgram = ['src', 'control-plane', 'agents'].includes(parts[0])
      if (parts.length < 2 || parts[0].startsWith('.')) return []
      return isProgram && parts.length > 2 ? [parts[0], `${parts[0]}/${parts[1]}`] : [parts[0]]
    }),
  )
  return [
    ...[...real].filter((path) => !drawn.has(path)).map((path) => ({ path: page, message: `does not draw ${path}/` })),
    ...[...drawn]
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => ({ path: page, message: `draws ${path}/, which does not exist` })),
  ]
}

const NAMED_FILE = /^[\w@.()[\]-]+(\/[\w@.()[\]-]+)*\.(tsx?|mjs|cjs|sql|css|md)$/
const NAMED_FOLDER = /^[a-z][\w@.()[\]-]*(\/[\w@.()[\]-]+)*\/$|^[a-z][a-z-]*(\/[a-z()[\]-]+)+$/

/** A page of docs names files and folders by the end of their paths; what was moved or deleted since leads its reader nowhere. */
function namedPaths({ files, read }) {
  const folders = new Set(files.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))))
  // Tests go by their name without its ending.
  const all = [...files, ...files.map((path) => path.replace(/(\.(test|e2e))?\.\w+$/, '')), ...folders]
  const exists = (name) => all.some((path) => path === name || path.endsWith(`/${name}`))
  return files
    .filter((path) => /^(docs\/[^/]+|README)\.md$/.test(path))
    .flatMap((path) =>
      [
        ...read(path)
          .replaceAll(/```[\s\S]*?```/g, '')
          .matchAll(/`([^`\s]+)`/g),
      ]
        .map(([, name]) => name)
        .filter((name) => NAMED_FILE.test(name) || NAMED_FOLDER.test(name))
        .filter((name) => !NOT_OURS.has(name.split('/')[0]) && !exists(name.replace(/\/$/, '')))
        .map((name) => ({ path, message: `names ${name}, which does not exist` })),
    )
}

/** Name of each check -> the check: takes the tree, returns problems `{path, message}`. */
export const RULES = {
  'top-level': topLevel,
  'kebab-case': names,
  'forbidden-names': forbiddenNames,
  'mirrored-tests': mirroredTests,
  'tests-are-run': testsAreRun,
  'file-length': length,
  'folder-size': folderSize,
  unfinished,
  suppressions,
  'machine-paths': machinePaths,
  amounts,
  'skipped-tests': skippedTests,
  'pinned-versions': pinnedVersions,
  'locked-hashes': lockedHashes,
  'message-catalogs': catalogs,
  picture,
  'named-paths': namedPaths,
}

/** Runs every check over the tree at `root`; resolves with `{files, problems: [{rule, path, message}]}`. */
export async function tidy(root) {
  const files = listFiles(root)
  const cache = new Map()
  const read = (path) => {
    if (!cache.has(path)) cache.set(path, readFileSync(join(root, path), 'utf8'))
    return cache.get(path)
  }
  const problems = []
  for (const [rule, check] of Object.entries(RULES)) {
    for (const problem of await check({ root, files, read })) problems.push({ rule, ...problem })
  }
  return { files: files.length, problems }
}
