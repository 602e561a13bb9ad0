import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { integrityOf } from '../../../../../agents/npm/content-store.ts'
import { packagesOf, TREES } from '../../../../../agents/npm/trees/tree-catalog.ts'

const integrity = 'sha512-x'

it('reads the packages of a lock file, nested and scoped ones too', () => {
  const lock = {
    packages: {
      '': { name: 'minecraft-server' },
      'node_modules/left': { version: '1.0.0', integrity },
      'node_modules/left/node_modules/@scope/right': { version: '2.0.0-rc.1', integrity },
    },
  }
  expect(packagesOf(lock)).toEqual([
    { folder: 'node_modules/left', name: 'left', version: '1.0.0', integrity },
    { folder: 'node_modules/left/node_modules/@scope/right', name: '@scope/right', version: '2.0.0-rc.1', integrity },
  ])
})

it.each([[{ version: '1.0.0' }], [{ integrity }]])('refuses a package that cannot be verified: %j', (entry) => {
  expect(() => packagesOf({ packages: { 'node_modules/left': entry } })).toThrow('node_modules/left')
})

it('locks the versions that the installer names, each by a digest that can be verified', () => {
  const { packages = [] } = TREES.get('flying-squid') ?? {}
  const versionOf = (name: string) => packages.find(({ folder }) => folder === `node_modules/${name}`)?.version
  const program = readFileSync('agents/servers/programs/flying-squid-install.ts', 'utf8')
  expect(program).toContain(`const FLYING_SQUID = '${versionOf('flying-squid')}'`)
  expect(program).toContain(`const MINECRAFT_PROTOCOL = '${versionOf('minecraft-protocol')}'`)
  expect(packages.length).toBeGreaterThan(100)
  expect(packages.filter((each) => integrityOf({ integrity: each.integrity })?.algorithm !== 'sha512')).toEqual([])
})
