import { truncateSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { Server } from '../../src/contracts/http/server.ts'
import type { CatalogLanguage, CatalogWords } from '../support/catalog-words.ts'
import { keepSession } from '../support/console-page.ts'
import { dragFiles } from '../support/dragged-files.ts'
import { lookAt, type FileState } from '../support/file-looks.ts'
import { code, dialog, openFiles, putFile, rootOf, row, upload } from '../support/files-page.ts'
import { sliceOf } from '../support/slice.ts'
import { expect, test } from './test.ts'

// The pages of files in each of their states, at two widths and in a language of the run: axe finds nothing, and nothing scrolls sideways.

test.describe.configure({ mode: 'parallel' })
test.setTimeout(900_000)
test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const LANGUAGES: readonly CatalogLanguage[] = ['hu', 'en']
const MIB = 1024 * 1024
const MANY = 100_000
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

/** The last of the sizes. */
const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 1_000

const tick = (page: Page, name: string) => row(page, name).getByRole('checkbox').click()
const menuOf = (name: string) => async (page: Page, say: CatalogWords) => {
  await page.getByRole('button', { name: say('files.actionsOf', { name }) }).click()
}
const chosen = (name: string, key: string) => async (page: Page, say: CatalogWords) => {
  await menuOf(name)(page, say)
  await page.getByRole('menuitem', { name: say(`files.actions.${key}`) }).click()
}
const pressed = (key: string) => (page: Page, say: CatalogWords) =>
  page.getByRole('button', { name: say(key), exact: true }).click()
const searched = (text: string) => async (page: Page, say: CatalogWords) => {
  await pressed('files.search.title')(page, say)
  await page.locator('.fsearch input').last().fill(text)
}

test('a folder: full, empty, large, chosen, with its menu and its dialogs', async ({ page, dataDir }) => {
  const { serverId, root } = await open(page, dataDir)
  mkdirSync(join(root, 'huge'))
  for (let index = 0; index < MANY; index += 1) writeFileSync(join(root, `huge/f${index}.txt`), '')
  const inDialog = 'dialog[open]'
  await lookAll(
    page,
    [
      { name: 'list', sign: '.frow' },
      { name: 'list-empty', path: 'files?path=empty', sign: '.empty' },
      {
        name: 'list-100000',
        path: 'files?path=huge',
        act: (at) => expect(at.locator('.crumbs-end')).toContainText('100'),
        sign: '.frow',
      },
      {
        name: 'selection',
        act: async (at) => {
          for (const name of ['eula.txt', 'ops.json', 'spigot.yml']) await tick(at, name)
        },
        sign: '.fbar',
      },
      { name: 'menu', act: menuOf('spigot.yml'), sign: '.fmenu' },
      {
        name: 'drag',
        act: async (at) => void (await dragFiles(at, { onto: row(at, 'plugins'), files: [join(root, 'eula.txt')] })),
        sign: '.frow-target',
        onlyDesk: true,
      },
      { name: 'new-file', act: pressed('files.naming.title.create-file'), sign: inDialog },
      { name: 'permissions', act: chosen('spigot.yml', 'mode'), sign: inDialog },
      { name: 'move', act: chosen('spigot.yml', 'move'), sign: '.mfolders button' },
      { name: 'compress', act: chosen('world', 'compress'), sign: inDialog },
      { name: 'pull', act: pressed('files.pull.title'), sign: inDialog },
      { name: 'sftp', act: pressed('files.sftp.title'), sign: '.sftp-facts' },
      { name: 'search', act: searched('settings'), sign: '.fmatch' },
      { name: 'search-none', act: searched('nowhere'), sign: '.fsearch .empty' },
    ],
    serverId,
  )
})

const save = (page: Page, say: CatalogWords) =>
  page.getByRole('button', { name: say('files.editor.save'), exact: true }).click()
const typed = async (page: Page, text: string): Promise<void> => {
  await code(page).click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type(text)
}
/** Leaves the typed text, which stays as a draft. */
const left = (page: Page) => page.goto('about:blank')
/** Leaves the typed text, of which nothing stays. */
const forgotten = async (page: Page): Promise<void> => {
  await left(page)
  await page.goto('/api/status')
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('files-draft')) localStorage.removeItem(key)
  })
}

test('the editor: text, form, draft, clash, merge view, history, picture, pieces, binary', async ({
  page,
  dataDir,
}) => {
  const { serverId, root } = await open(page, dataDir)
  putFile(
    root,
    'latest.log',
    Array.from({ length: 120_000 }, (_, at) => `[12:00:00] [Server/INFO]: őr ${at}, on guard`).join('\n'),
  )
  putFile(root, 'server-icon.png', await page.screenshot())
  putFile(root, 'broken.properties', 'a=1\n')
  const clash = async (at: Page, say: CatalogWords) => {
    await typed(at, '# mine\n')
    putFile(root, 'spigot.yml', YAML.replace('70', '40').replace('true', 'false'))
    await save(at, say)
    await expect(at.getByRole('alert').filter({ visible: true })).toBeVisible()
  }
  const merged = async (at: Page, say: CatalogWords) => {
    await clash(at, say)
    await at.getByRole('button', { name: say('files.editor.compare'), exact: true }).click()
  }
  const textOfForm = async (at: Page, say: CatalogWords) => {
    await at.getByRole('button', { name: say('files.form.views.text'), exact: true }).click()
    await expect(code(at)).toBeVisible()
  }
  const again = async (at: Page) => {
    await forgotten(at)
    putFile(root, 'spigot.yml', YAML)
  }
  const inHistory = async (at: Page, say: CatalogWords) => {
    for (const text of ['# one\n', '# two\n']) {
      await typed(at, text)
      await save(at, say)
      await expect(at.locator('.ed-status .end')).toContainText(/\d/)
    }
    await at.getByRole('button', { name: say('files.editor.history') }).click()
  }
  await lookAll(
    page,
    [
      { name: 'editor', path: 'edit/spigot.yml', sign: '.cm-content' },
      { name: 'editor-form', path: 'edit/server.properties', sign: '.prop' },
      { name: 'editor-text', path: 'edit/server.properties', act: textOfForm, sign: '.key-note' },
      {
        name: 'draft-kept',
        path: 'edit/spigot.yml',
        act: (at) => typed(at, '# typed\n'),
        sign: '.ed-status .end:not(:empty)',
        after: left,
      },
      {
        name: 'draft-found',
        path: 'edit/spigot.yml',
        sign: '.ed .notice',
        after: async (at) => {
          if (isPhone(at)) await forgotten(at)
        },
      },
      { name: 'clash', path: 'edit/spigot.yml', act: clash, sign: '.ed .notice', after: again },
      { name: 'merge', path: 'edit/spigot.yml', act: merged, sign: '.cm-deletedChunk', after: again },
      { name: 'history', path: 'edit/ops.json', act: inHistory, sign: '.versions li' },
      {
        name: 'leave',
        path: 'edit/spigot.yml',
        act: async (at, say) => {
          await typed(at, '# typed\n')
          await at
            .getByRole('button', { name: say('files.editor.close') })
            .filter({ visible: true })
            .click()
        },
        sign: 'dialog[open]',
        after: again,
      },
      { name: 'picture', path: 'edit/server-icon.png', sign: '.ed-picture img' },
      { name: 'pieces', path: 'edit/latest.log', sign: '.ed-pieces' },
      { name: 'binary', path: 'edit/paper-1.21.8.jar', sign: '.ed-other' },
      { name: 'gone', path: 'edit/never-was.txt', sign: '.ed-other .empty-failed' },
    ],
    serverId,
  )
})

test('work that goes on: uploads in every state, jobs, the bin', async ({ page, dataDir, expectedErrors }) => {
  expectedErrors.push(/Failed to load resource|ERR_FAILED|ERR_INTERNET_DISCONNECTED|WebSocket/)
  const { serverId, root } = await open(page, dataDir)
  truncateSync(join(root, 'paper-1.21.8.jar'), 64 * 1024 * MIB)
  const held = /\/files\/content\?path=held/
  const tray = '.ftray'
  const hold = async (at: Page, answer: 'hold' | 'refuse' | 'cut') => {
    await at.unroute(held)
    await at.route(held, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      if (answer === 'hold') return undefined
      if (answer === 'cut') return route.abort()
      const headers = { 'access-control-allow-origin': '*' }
      return route.fulfill({ status: 507, headers, json: { error: { code: 'NO_SPACE' } } })
    })
  }
  const sends = (answer: 'hold' | 'refuse' | 'cut') => async (at: Page) => {
    await hold(at, answer)
    const files = ['a', 'b'].map((letter) => ({
      name: `held-${letter}.zip`,
      mimeType: 'application/zip',
      buffer: Buffer.alloc(MIB),
    }))
    await at.locator('input[type=file]').last().setInputFiles(files)
  }
  const stop = async (at: Page) => {
    await at.unrouteAll({ behavior: 'ignoreErrors' })
    await left(at)
  }
  await lookAll(
    page,
    [
      { name: 'upload-running', act: sends('hold'), sign: tray, after: stop },
      { name: 'upload-failed', act: sends('refuse'), sign: '.tray-failed', after: stop },
      { name: 'upload-interrupted', act: sends('cut'), sign: '.ftray p[role=status]', after: stop },
      {
        name: 'upload-taken',
        act: (at) => upload(at, 'eula.txt', Buffer.from('other')),
        sign: 'dialog[open]',
        after: stop,
      },
      {
        name: 'upload-unfinished',
        act: async (at, say) => {
          await at.route(/\/files\/uploads\//, (route) =>
            route.request().method() === 'PATCH' ? undefined : route.continue(),
          )
          await upload(at, 'world.zip', Buffer.alloc(20 * MIB))
          await expect(at.locator(tray)).toContainText('world.zip')
          await at.getByRole('button', { name: say('files.uploads.pause'), exact: true }).click()
          await left(at)
          await at.unrouteAll({ behavior: 'ignoreErrors' })
          await at.goBack()
        },
        sign: '.unfinished',
        after: async (at) => {
          const discards = at.getByRole('button', { name: /^(?:Discard|Elvetés)/ })
          for (let left = await discards.count(); isPhone(at) && left > 0; left = await discards.count()) {
            await discards.first().click()
            await expect(discards).toHaveCount(left - 1)
          }
        },
      },
      {
        name: 'job-running',
        act: async (at, say) => {
          if ((await at.locator('.ftrays').count()) > 0) return
          await chosen('paper-1.21.8.jar', 'compress')(at, say)
          await dialog(at)
            .getByLabel(/^tar\.gz/)
            .check()
          await dialog(at)
            .getByRole('button', { name: say('files.archive.do') })
            .click()
        },
        sign: '.ftrays .meter',
        after: async (at) => {
          if (isPhone(at)) await at.locator('.ftrays .meter').locator('..').getByRole('button').click()
        },
      },
      {
        name: 'bin-empty',
        act: async (at) => {
          await at.locator('details.bin summary').click()
          await expect(at.locator('.bin-none, .bin-empty').first()).toBeVisible()
          // Other journeys of the worker have deleted something.
          if ((await at.locator('.bin-empty').count()) === 0) return
          await at.locator('.bin-empty').click()
          await dialog(at).locator('.dialog__end button').last().click()
        },
        sign: '.bin-none',
      },
      {
        name: 'bin-filled',
        act: async (at) => {
          for (const name of ['eula.txt', 'plugins', 'a-very-long']) {
            if ((await row(at, name).count()) === 0) continue
            await tick(at, name)
            await at.locator('.flist').focus()
            await at.keyboard.press('Delete')
            await expect(row(at, name)).toHaveCount(0)
          }
          await at.locator('details.bin summary').click()
        },
        sign: '.bin-list li',
      },
      {
        name: 'bin-sure',
        act: async (at) => {
          await at.locator('details.bin summary').click()
          await at.locator('.bin-empty').click()
        },
        sign: 'dialog[open]',
      },
    ],
    serverId,
  )
})

test('what a reader may not see or change, and a node that is away', async ({
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
