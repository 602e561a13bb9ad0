import { mkdirSync, writeFileSync } from 'node:fs'
import { runNpm } from './run-npm.ts'
import { unpackTree } from './unpack-tree.ts'

// Installs flying-squid into the server's folder: from the node's prepared copy, or with npm where the node has none. The newest
// versions of minecraft-protocol require Node 22; 1.54 runs on Node 20 and supports every Minecraft version that this
// flying-squid knows. agents/npm/trees/flying-squid.json locks the same versions.
const FLYING_SQUID = '1.12.0'
const MINECRAFT_PROTOCOL = '1.54.0'

console.log(`Installing flying-squid ${FLYING_SQUID}`)
writeFileSync(
  'package.json',
  `${JSON.stringify(
    {
      name: 'minecraft-server',
      private: true,
      dependencies: { 'flying-squid': FLYING_SQUID },
      overrides: { 'minecraft-protocol': MINECRAFT_PROTOCOL },
    },
    null,
    2,
  )}\n`,
)
mkdirSync('world', { recursive: true })
const isUnpacked = await unpackTree('flying-squid')
const code = isUnpacked ? 0 : await runNpm(['install', '--omit=dev', '--prefer-offline'])
console.log(code === 0 ? 'The Minecraft server is installed.' : `npm ended with exit code ${code}.`)
process.exitCode = code
