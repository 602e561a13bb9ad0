import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of the run's bundles, which the global set-up has emptied. */
export const PROGRAMS = 'BAKTER_TEST_PROGRAMS'

/** Bundles a script beside its final name and moves it there, so that no other worker finds half of one. */
async function bundle(script: string, file: string): Promise<void> {
  const draft = `${file}.${process.pid}`
  await build({
    entryPoints: [script],
    outfile: draft,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['development'],
    loader: { '.sql': 'text' },
    sourcemap: 'inline',
    logLevel: 'silent',
  })
  renameSync(draft, file)
}

/**
 * The arguments with which Node runs a script of the repository. It is bundled by the first that asks in this run: compiling
 * its hundreds of modules at each start takes three times as long as the start itself.
 */
export async function programArguments(script: string | URL, ...args: string[]): Promise<string[]> {
  const folder = process.env[PROGRAMS]
  if (folder === undefined) throw new Error('No folder for programs: this test belongs to tests/integration.')
  const path = script instanceof URL ? fileURLToPath(script) : join(ROOT, script)
  const name = `${basename(path, '.ts')}-${createHash('sha256').update(relative(ROOT, path)).digest('hex').slice(0, 8)}.mjs`
  const file = join(folder, name)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    await bundle(path, file)
  }
  return ['--enable-source-maps', file, ...args]
}
