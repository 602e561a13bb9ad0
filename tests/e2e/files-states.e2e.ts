import { truncateSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { Server } from '../../src/contracts/http/server.ts'
import type { CatalogLanguage } from '../support/catalog-words.ts'
import { keepSession } from '../support/console-page.ts'
import { lookAt, type FileState } from '../support/file-looks.ts'
import { openFiles, putFile, rootOf } from '../support/files-page.ts'
import { sliceOf } from '../support/slice.ts'
import { test } from './test.ts'

// The pages of files for readers who may not do everything, at two widths and in a language of the run: axe finds nothing, and nothing scrolls sideways.

test.describe.configure({ mode: 'parallel' })
test.setTimeout(900_000)
test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const LANGUAGES: readonly CatalogLanguage[] = ['hu', 'en']
const MIB = 1024 * 1024
const PROPERTIES = [
  '#Minecraft server properties',
  'motd=\\u0150rsi: a Watch',
  'server-port=1',
  'max-players=40',
  'view-distance=99',
  'difficulty=hard',
  'plugin-key=kept',
  '',
].join('\n')
const YAML =
  'settings:\n  allow-end: true # the dragon\n  shutdown-message: "Server closed"\nspawn-limits:\n  monsters: 70\n'
const TEXTS = { 'server.properties': PROPERTIES, 'spigot.yml': YAML, 'eula.txt': 'eula=true\n', 'ops.json': '[]\n' }

/** The folder of a server of Minecraft, as large as one. */
const fill = (root: string): void => {
  for (const [name, text] of Object.entries(TEXTS)) putFile(root, name, text)
  for (const name of [
    'config/paper-global.yml',
    'plugins/ShopGUI-4.1.jar',
    'world/level.dat',
    'world_nether/level.dat',
  ])
    putFile(root, name, 'content')
  putFile(root, 'paper-1.21.8.jar', Buffer.from([0, 1, 2, 3]))
  truncateSync(join(root, 'paper-1.21.8.jar'), 49 * MIB)
  mkdirSync(join(root, 'empty'))
  putFile(root, 'a-very-long-name-of-a-file-that-somebody-has-downloaded-from-somewhere-and-never-renamed.txt', 'x')
}

type Looked = { readonly serverId: string; readonly root: string }
const open = async (page: Page, dataDir: string): Promise<Looked> => {
  const serverId = await openFiles(page)
  const root = await rootOf(page, { dataDir, serverId })
  fill(root)
  return { serverId, root }
}
const lookAll = async (page: Page, states: readonly FileState[], serverId: string): Promise<void> => {
  // A page that holds something asks before it is left.
  page.on('dialog', (asked) => void asked.accept())
  for (const language of sliceOf(LANGUAGES, LANGUAGES.length))
    for (const state of states)
      await test.step(`${state.name}, ${language}`, () => lookAt(page, state, { serverId, language }))
}

test('a reader without a permission, an ended server and a node that is away', async ({
  page,
  dataDir,
  demo,
  expectedErrors,
}) => {
  expectedErrors.push(/Failed to load resource|ERR_FAILED|WebSocket/)
  const { serverId } = await open(page, dataDir)
  const server = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
  const as = (change: Partial<Server>) => async (at: Page) => {
    await at.unrouteAll({ behavior: 'ignoreErrors' })
    await at.route(`**/api/server/${serverId}`, (route) => route.fulfill({ json: { ...server, ...change } }))
  }
  const without = (...keys: readonly string[]) =>
    as({ permissions: server.permissions.filter((key) => !keys.includes(key)) })
  const changes = ['file.create', 'file.update', 'file.compress']
  const away = async (at: Page) => {
    await at.unrouteAll({ behavior: 'ignoreErrors' })
    await at.route(`${demo.agentUrl}/**`, (route) => route.abort())
  }
  await lookAll(
    page,
    [
      { name: 'no-permission', before: without('file.list', 'file.read', ...changes), sign: '.empty' },
      { name: 'only-reading', before: without(...changes), sign: '.frow' },
      { name: 'only-reading-editor', path: 'edit/spigot.yml', before: without(...changes), sign: '.cm-content' },
      { name: 'only-reading-form', path: 'edit/server.properties', before: without(...changes), sign: '.prop' },
      { name: 'suspended', before: as({ suspended: true, suspendedReason: 'Abuse' }), sign: '.fread' },
      { name: 'expired', before: as({ expiry: '2020-01-01T00:00:00.000Z' }), sign: '.fread' },
      { name: 'away', before: away, sign: '.flist-wait .empty-failed' },
      { name: 'away-editor', path: 'edit/spigot.yml', before: away, sign: '.ed-other .empty-failed' },
    ],
    serverId,
  )
})
