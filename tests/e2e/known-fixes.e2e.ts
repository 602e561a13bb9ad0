import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'

import { ServerPorts } from '../../src/contracts/http/panel/ports.ts'
import { ServerStartup } from '../../src/contracts/http/panel/startup.ts'
import { keepSession } from '../support/console-page.ts'
import { card, filesOf, looksRight, openConsole, printed } from '../support/known-errors-page.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

test.afterEach(({ page }) => keepSession(page))

const primaryOf = async (page: Page, serverId: string): Promise<number> => {
  const answer = await page.request.get(`/api/server/${serverId}/ports`)
  const { ports } = ServerPorts.parse(await answer.json())
  return ports.find(({ isPrimary }) => isPrimary)?.port ?? 0
}

test("a port that is not the server's is corrected and given back, by keyboard alone", async ({ page }) => {
  test.setTimeout(180_000)
  const serverId = await openConsole(page)
  const files = await filesOf(page, serverId)
  const primary = await primaryOf(page, serverId)
  const before = '#Minecraft server properties\nserver-port=25565\nmotd=Caf\\u00e9\n'
  await files.write('server.properties', before)
  await printed(page, '**** FAILED TO BIND TO PORT!')
  const port = card(page, "The port is in use or isn't yours")
  await expect(port).toContainText(`server-port: 25565 → ${primary}`)
  await expect(port.getByRole('link', { name: 'Open network' })).toBeVisible()
  await looksRight(page, 'port')

  await page.getByRole('heading', { level: 1 }).click()
  await tabTo(port, 'button', /^Correct the ports$/)
  await page.keyboard.press('Enter')
  await expect(port).toContainText('server.properties now has ports of this server.')
  await expect(port.getByRole('button', { name: 'Restart' })).toBeFocused()
  expect(await files.read('server.properties')).toBe(before.replace('25565', String(primary)))
  await looksRight(page, 'port-done')

  // The game writes the file itself when it starts: the way back leads over it.
  await files.write('server.properties', `#Sun\nmotd=new\nserver-port=${primary}\n`)
  await tabTo(port, 'button', /^Undo$/)
  await page.keyboard.press('Enter')
  await expect(port.getByRole('button', { name: 'Correct the ports' })).toBeFocused()
  expect(await files.read('server.properties')).toBe('#Sun\nmotd=new\nserver-port=25565\n')

  await page.keyboard.press('Enter')
  await expect(port.getByRole('button', { name: 'Undo' })).toBeVisible()
  await files.write('server.properties', 'server-port=5\n')
  await port.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('server.properties has changed in the meantime')).toBeVisible()
  expect(await files.read('server.properties')).toBe('server-port=5\n')
})

test('a damaged level.dat and a damaged region are put aside once the server is stopped, and put back', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const serverId = await openConsole(page)
  const files = await filesOf(page, serverId)
  const [damaged, copy] = [Buffer.from('no level'), gzipSync(Buffer.from([10, 0, 0, 0]))]
  await files.make('world')
  await files.make('world/region')
  await files.write('world/level.dat', damaged)
  await files.write('world/level.dat_old', copy)
  await files.write('world/region/r.0.-1.mca', 'no region')
  await printed(page, 'Failed to load level.dat')
  const world = card(page, 'Part of the world is damaged')
  await expect(world).toContainText('Stop the server to repair the world from here.')
  await expect(world.getByRole('button', { name: 'Restore level.dat' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Stop', exact: true }).first().click()
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Stopped/, { timeout: 60_000 })
  await looksRight(page, 'level')
  await tabTo(world, 'button', /^Restore level\.dat$/)
  await page.keyboard.press('Enter')
  await expect(world).toContainText('level.dat is the earlier copy now.')
  expect(await files.bytes('world/level.dat')).toEqual(copy)
  const kept = (await files.names('world')).find((name) => name.startsWith('level.dat_corrupt-')) ?? ''
  expect(await files.bytes(`world/${kept}`)).toEqual(damaged)
  await expect(world.getByRole('button', { name: 'Start', exact: true })).toBeFocused()
  await looksRight(page, 'level-done')

  await tabTo(world, 'button', /^Undo$/)
  await page.keyboard.press('Enter')
  await expect(world.getByRole('button', { name: 'Restore level.dat' })).toBeFocused()
  expect(await files.bytes('world/level.dat')).toEqual(damaged)
  expect(await files.bytes('world/level.dat_old')).toEqual(copy)

  await world.getByRole('button', { name: 'Restore level.dat' }).click()
  await world.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 60_000 })
  await printed(page, 'Region file ./world/region/r.0.-1.mca has truncated header: 4096')
  await page.getByRole('button', { name: 'Stop', exact: true }).first().click()
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Stopped/, { timeout: 60_000 })
  await looksRight(page, 'region')
  await world.getByRole('button', { name: 'Move r.0.-1.mca aside' }).click()
  await expect(world).toContainText('The game will generate the area again.')
  expect(await files.read('world/region/r.0.-1.mca')).toBeNull()

  // Files that the game has generated since are not put away for the damaged one.
  await files.write('world/region/r.0.-1.mca', 'generated')
  await world.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('already exists')).toBeVisible()
  expect(await files.read('world/region/r.0.-1.mca')).toBe('generated')
  await world.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 60_000 })
})

test('a heap that exceeds the memory is fitted into it and given back; a start is offered where none is set', async ({
  page,
}) => {
  test.setTimeout(180_000)
  // The demo's servers are no Java programs: the settings of one that is are stood in.
  const saved = { version: 3, heap: '4096' }
  const startup = () => ({
    version: saved.version,
    changedAt: null,
    command: ['java', '-Xmx{{HEAP}}M'],
    memoryMiB: 1_024,
    variables: [
      {
        environmentVariable: 'HEAP',
        name: 'Heap size',
        description: '',
        rules: 'required|integer',
        editable: true,
        secret: false,
        isSet: true,
        value: saved.heap,
        default: '512',
        isDefault: false,
        port: null,
        given: null,
      },
    ],
    ports: [],
    image: null,
    running: null,
  })
  await page.route(/\/api\/server\/[^/]+\/startup$/, async (route) => {
    if (route.request().method() === 'PUT') {
      const wanted = route.request().postDataJSON() as { version: number; variables: { HEAP: string } }
      expect(wanted.version).toBe(saved.version)
      saved.version += 1
      saved.heap = wanted.variables.HEAP
    }
    await route.fulfill({ json: ServerStartup.parse(startup()) })
  })
  await openConsole(page)
  await printed(page, 'java.lang.OutOfMemoryError: unable to create native thread')
  const memory = card(page, 'The server ran out of memory')
  await expect(memory).toContainText('4096 → 819')
  await expect(memory.getByRole('link', { name: 'Change the size' })).toBeVisible()
  await looksRight(page, 'heap')
  await memory.getByRole('button', { name: 'Set it to 819' }).click()
  await expect(memory).toContainText('“Heap size” is now 819.')
  expect(saved.heap).toBe('819')
  await memory.getByRole('button', { name: 'Undo' }).click()
  await expect(memory.getByRole('button', { name: 'Set it to 819' })).toBeVisible()
  expect(saved.heap).toBe('4096')

  await printed(page, 'java.lang.OutOfMemoryError: Java heap space')
  await expect(memory).toContainText('It changes no settings')
  await expect(memory.getByRole('button', { name: 'Restart' })).toBeVisible()
})

test('the EULA is accepted by whoever confirms it, and unaccepted again, by keyboard alone', async ({ page }) => {
  test.setTimeout(180_000)
  const serverId = await openConsole(page)
  const files = await filesOf(page, serverId)
  const before = '#By changing the setting below to TRUE\neula=false\n'
  await files.write('eula.txt', before)
  await printed(page, 'You need to agree to the EULA in order to run the server. Go to eula.txt for more info.')
  const eula = card(page, "The Minecraft EULA hasn't been accepted")
  await expect(eula.getByRole('button', { name: 'Accept the EULA' })).toBeVisible()
  await looksRight(page, 'eula')

  await page.getByRole('heading', { level: 1 }).click()
  await tabTo(eula, 'button', /^Accept the EULA$/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Accept the Minecraft EULA?' })
  await expect(dialog).toBeVisible()
  await looksRight(page, 'eula-asked')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(await files.read('eula.txt')).toBe(before)

  await tabTo(eula, 'button', /^Accept the EULA$/)
  await page.keyboard.press('Enter')
  await tabTo(dialog, 'button', /^Accept the EULA$/)
  await page.keyboard.press('Enter')
  await expect(eula).toContainText('eula.txt now says eula=true.')
  expect(await files.read('eula.txt')).toBe(before.replace('eula=false', 'eula=true'))
  await looksRight(page, 'eula-done')

  await tabTo(eula, 'button', /^Undo$/)
  await page.keyboard.press('Enter')
  await expect(eula.getByRole('button', { name: 'Accept the EULA' })).toBeVisible()
  expect(await files.read('eula.txt')).toBe(before)
})
