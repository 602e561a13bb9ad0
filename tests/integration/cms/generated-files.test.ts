import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { generateImportMap, type SanitizedConfig } from 'payload'
import { generateTypes } from 'payload/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const importMapFile = 'src/app/(payload)/admin/import-map.ts'
const migrations = 'src/cms/migrations'
let copy: string
let config: SanitizedConfig

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'cms-generated-'))
  process.env.DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none'
  config = await (await import('../../../payload.config.ts')).default
})

afterAll(() => rmSync(copy, { recursive: true }))

describe('the files generated from the configuration', () => {
  it('include the types of the repository', async () => {
    const outputFile = join(copy, 'payload-types.ts')
    await generateTypes({ ...config, typescript: { ...config.typescript, outputFile } }, { log: false })
    expect(readFileSync(outputFile, 'utf8')).toBe(readFileSync(join(root, 'src/cms/payload-types.ts'), 'utf8'))
  })

  it('include the import map of the repository: a missing entry silently removes a part of the admin', async () => {
    const file = join(copy, importMapFile)
    mkdirSync(join(file, '..'), { recursive: true })
    const importMap = { ...config.admin.importMap, baseDir: copy, importMapFile: file }
    await generateImportMap({ ...config, admin: { ...config.admin, importMap } }, { log: false })
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(root, importMapFile), 'utf8'))
  })

  it('include the migrations, which bring a database fully up to the configuration', () => {
    const folder = join(copy, migrations)
    cpSync(join(root, migrations), folder, { recursive: true })
    const before = readdirSync(folder).sort()
    // A process of its own: Payload ends the process when there is nothing to do, and asks on the terminal when in doubt.
    execFileSync(
      process.execPath,
      ['--conditions=production', '--import', 'tsx', 'src/cms/create-migration.ts', 'drift'],
      {
        cwd: root,
        env: {
          ...process.env,
          BAKTER_ROOT: copy,
          LOG_LEVEL: 'silent',
          DISABLE_PAYLOAD_HMR: 'true',
          PAYLOAD_DISABLE_DEPENDENCY_CHECKER: 'true',
        },
        stdio: 'pipe',
        timeout: 90_000,
      },
    )
    expect(readdirSync(folder).sort()).toEqual(before)
  })
})
