// Builds the files that `npm start` and production run: bundles of the programs in dist/, and Next's build of the site
// in .next/. Outputs that are up to date, by the content of their sources, are not rebuilt.
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

import { contentHash } from './content-hash.mjs'
import { aloneInClone } from './start/preflight.mjs'
import { progress, stepLine } from './start/progress.mjs'
import { endStepsOnSignal, spawnStep } from './start/step-processes.mjs'

/** Bundle -> its entry. Packages stay external: production installs them. */
const PROGRAMS = {
  site: 'src/server/main.ts',
  'control-plane': 'control-plane/main.ts',
  'mail-parser': 'control-plane/messages/inbox/parser/main.ts',
  agent: 'agents/main.ts',
  shim: 'agents/runtime/process/shim/main.ts',
  'programs/flying-squid-install': 'agents/servers/programs/flying-squid-install.ts',
  'programs/flying-squid': 'agents/servers/programs/flying-squid.ts',
  'programs/nodejs-install': 'agents/servers/programs/nodejs-install.ts',
  'programs/test-game-install': 'agents/servers/programs/test-game-install.ts',
  'programs/test-game': 'agents/servers/programs/test-game.ts',
  migrate: 'scripts/migrate.ts',
  seed: 'scripts/seed.ts',
  keys: 'scripts/keys.ts',
  'make-administrator': 'scripts/make-administrator.ts',
  'enrolment-token': 'scripts/enrolment-token.ts',
}
/**
 * Bundles that bring their packages along: a server's own user runs them, who may read nothing else, or they start from
 * a data folder.
 */
const SELF_CONTAINED = {
  'file-worker': 'agents/files/worker/main.ts',
  unpacker: 'agents/files/unpacker/main.ts',
  'player-queries': 'agents/players/worker/main.ts',
}
/** Packages in the older module format expect these. */
const OLDER_MODULES =
  "import { createRequire } from 'node:module'; const require = createRequire('/'); const __dirname = '/';"
/** Programs that the agent puts into a server's folder: each file is a program. */
const INSTALLED = 'agents/servers/programs'
const MANIFEST = ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/build.mjs']
const SITE_SOURCES = [...MANIFEST, 'src', 'payload.config.ts', 'next.config.ts', '.postcssrc.json']
const STEP_SOURCES = readdirSync(new URL('.', import.meta.url)).filter((name) => /(?<!\.d)\.ts$/.test(name))
const PROGRAM_SOURCES = [...SITE_SOURCES, 'control-plane', 'agents', ...STEP_SOURCES.map((name) => `scripts/${name}`)]
const STATE_FILE = 'dist/build.json'

/** The sources of the last build; an unreadable file counts as empty, so that everything is rebuilt. */
function readState() {
  try {
    return JSON.parse(readFileSync(STATE_FILE, 'utf8'))
  } catch {
    return {}
  }
}

function writeState(change) {
  mkdirSync('dist', { recursive: true })
  writeFileSync(`${STATE_FILE}.new`, `${JSON.stringify({ ...readState(), ...change })}\n`)
  renameSync(`${STATE_FILE}.new`, STATE_FILE)
}

/** Id of the site's sources, by which tabs of an older build notice that they are outdated. */
export const buildId = () => contentHash(SITE_SOURCES)

export const programsAreBuilt = () => readState().programs === contentHash(PROGRAM_SOURCES)

export const siteIsBuilt = () => readState().site === buildId() && existsSync('.next/BUILD_ID')

const installedPrograms = () =>
  Object.fromEntries(
    (existsSync(INSTALLED) ? readdirSync(INSTALLED) : [])
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [`programs/${basename(name, '.ts')}`, `${INSTALLED}/${name}`]),
  )

const BUNDLING = {
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  loader: { '.sql': 'text', '.wasm': 'binary' },
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
}

/** Bundles the programs into dist/. */
export async function buildPrograms() {
  const { build, stop } = await import('esbuild')
  const hash = contentHash(PROGRAM_SOURCES)
  const { site } = readState()
  const entries = Object.entries({ ...PROGRAMS, ...installedPrograms() }).filter(([, path]) => existsSync(path))
  rmSync('dist', { recursive: true, force: true })
  await build({ ...BUNDLING, entryPoints: entries.map(([out, path]) => ({ in: path, out })), packages: 'external' })
  const alone = Object.entries(SELF_CONTAINED).map(([out, path]) => ({ in: path, out }))
  await build({ ...BUNDLING, entryPoints: alone, packages: 'bundle', banner: { js: OLDER_MODULES } })
  // The bundler is a child process that would live as long as this one.
  await stop()
  writeState({ programs: hash, site })
}

// One build serves every data folder, so it depends on none: its pages are built without content, and filled when the
// site starts.
const SETTINGS = ['DATABASE_URL', 'INTERNAL_SECRET', 'PAYLOAD_SECRET', 'SITE_URL', 'BAKTER_MODE']

/** Runs `next build`. Rejects with the tail of Next's output. `lockFile` stays until the build has ended. */
export async function buildSite(lockFile) {
  const id = buildId()
  // An interrupted build leaves a mix of two builds.
  writeState({ site: undefined })
  const next = fileURLToPath(new URL('../node_modules/next/dist/bin/next', import.meta.url))
  await new Promise((done, fail) => {
    const child = spawnStep(process.execPath, [next, 'build'], {
      env: {
        ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTINGS.includes(name))),
        NODE_ENV: 'production',
        BUILD_ID: id,
        NEXT_TELEMETRY_DISABLED: '1',
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --conditions=production`.trim(),
      },
      lockFile,
    })
    let output = ''
    const keep = (chunk) => (output = (output + chunk).slice(-20_000))
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.once('error', fail)
    child.once('close', (code) => (code === 0 ? done() : fail(new Error(`The site did not build.\n${output}`))))
  })
  writeState({ site: id })
}

const built = () => 'built'

/** Builds everything that is out of date and prints its progress. */
export async function buildAll() {
  if (programsAreBuilt() && siteIsBuilt()) return console.log(stepLine('✓', 'Programs and site', 'up to date'))
  await aloneInClone(async (lockFile) => {
    if (!programsAreBuilt()) await progress('Programs', buildPrograms, built)
    if (!siteIsBuilt()) await progress('Site (one to three minutes)', () => buildSite(lockFile), built)
  })
}

// `node scripts/build.mjs programs` skips the site: the images of control plane and agent do not need it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  endStepsOnSignal()
  try {
    if (process.argv[2] === 'programs') await progress('Programs', buildPrograms, built)
    else await buildAll()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
