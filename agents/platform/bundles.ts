import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'

/** Our own programs that templates may use as `{{program:NAME}}`: the whole list. */
export const PROGRAM_NAMES = [
  'flying-squid-install',
  'flying-squid',
  'nodejs-install',
  'test-game-install',
  'test-game',
] as const

export interface Bundles {
  readonly shim: string
  /** Works on the files of one server, with everything that it needs in one file. */
  readonly fileWorker: string
  /** Unpacks archives for it, likewise. */
  readonly unpacker: string
  /** Asks games for their players. */
  readonly playerQueries: string
  readonly programs: ReadonlyMap<string, string>
}

/** How esbuild bundles the agent's programs. */
export const BUNDLING = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  loader: { '.wasm': 'binary' },
  logLevel: 'silent',
} as const satisfies BuildOptions

/** Packages in the older module format expect these. */
const OLDER_MODULES =
  "import { createRequire } from 'node:module'; const require = createRequire('/'); const __dirname = '/';"

const bundlesIn = (folder: string): Bundles => ({
  shim: path.join(folder, 'shim.mjs'),
  fileWorker: path.join(folder, 'file-worker.mjs'),
  unpacker: path.join(folder, 'unpacker.mjs'),
  playerQueries: path.join(folder, 'player-queries.mjs'),
  programs: new Map(PROGRAM_NAMES.map((name) => [name, path.join(folder, 'programs', `${name}.mjs`)])),
})

/** Bundles shim and programs from their sources into `folder`, as a build does into dist/. */
export const bundleFromSource = async (folder: string): Promise<Bundles> => {
  const { build } = await import('esbuild')
  const agents = fileURLToPath(new URL('..', import.meta.url))
  const programs = PROGRAM_NAMES.map((name) => ({
    in: path.join(agents, 'servers/programs', `${name}.ts`),
    out: `programs/${name}`,
  }))
  await build({
    entryPoints: [{ in: path.join(agents, 'runtime/process/shim/main.ts'), out: 'shim' }, ...programs],
    outdir: folder,
    ...BUNDLING,
  })
  await build({
    entryPoints: [
      { in: path.join(agents, 'files/worker/main.ts'), out: 'file-worker' },
      { in: path.join(agents, 'files/unpacker/main.ts'), out: 'unpacker' },
      { in: path.join(agents, 'players/worker/main.ts'), out: 'player-queries' },
    ],
    outdir: folder,
    ...BUNDLING,
    packages: 'bundle',
    banner: { js: OLDER_MODULES },
  })
  return bundlesIn(folder)
}

/** The bundles beside the running bundle; when running from source they are first built in the data folder. */
export const findBundles = async (dataFolder: string): Promise<Bundles> => {
  const beside = bundlesIn(path.dirname(fileURLToPath(import.meta.url)))
  return fs.existsSync(beside.shim) ? beside : bundleFromSource(path.join(dataFolder, 'bundles'))
}

/** argv that runs npm: the one that came with Node, independent of PATH. */
export const npmCommand = (): readonly string[] => {
  const beside = path.resolve(path.dirname(fs.realpathSync(process.execPath)), '../lib/node_modules/npm/bin/npm-cli.js')
  return fs.existsSync(beside) ? [process.execPath, beside] : ['npm']
}
