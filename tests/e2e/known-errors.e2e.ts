import { ServerStartup } from '../../src/contracts/http/panel/startup.ts'
import { keepSession } from '../support/console-page.ts'
import { signInByApi } from '../support/journey.ts'
import { card, filesOf, looksRight, openConsole, printed } from '../support/known-errors-page.ts'
import { signInStaff } from '../support/staff.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

test.afterEach(({ page }) => keepSession(page))

test('staff add a rule in the administration, and an open console shows its card', async ({ page, browser, demo }) => {
  test.setTimeout(240_000)
  const serverId = await openConsole(page)
  const office = await browser.newContext({ baseURL: demo.url, locale: 'en-GB' })
  const admin = await office.newPage()
  await signInByApi(admin, demo.admin)
  await admin.goto('/admin/collections/known-errors/create', { waitUntil: 'networkidle' })
  await admin.locator('#field-title').fill('The oven is cold')
  await admin.locator('#field-explanation').fill('Heat it before you start.')
  // The form asks the server about what was typed a moment later; a press in between would be lost.
  const type = async (field: string, text: string) => {
    const isChecked = admin.waitForResponse((answer) => answer.request().method() === 'POST')
    await admin.locator(field).fill(text)
    await isChecked
    await admin.waitForLoadState('networkidle')
  }
  await type('#field-examples', '[ERR] The oven is too cold')
  await type('#field-pattern', 'oven is .* cold')
  await admin.locator('#action-save').click()
  await expect(admin.getByText('Write .{0,80} instead of .*')).toBeVisible()
  await type('#field-pattern', 'oven is .{1,20} cold')
  await admin.locator('#action-save').click()
  await expect(admin).toHaveURL(/known-errors\/[0-9a-f-]{36}/)
  const ruleId = new URL(admin.url()).pathname.split('/').at(-1) ?? ''
  const staff = await signInStaff(demo.url, demo.admin)
  await staff.save('known-errors', { actions: ['files', 'networks'] }, ruleId)

  await printed(page, 'The oven is far too cold')
  // The page asks for new rules once a minute.
  await expect(card(page, 'The oven is cold')).toBeVisible({ timeout: 90_000 })
  await expect(card(page, 'The oven is cold')).toContainText('Heat it before you start.')
  await expect(card(page, 'The oven is cold').getByRole('link')).toHaveText(['Open files', 'Open network'])
  await looksRight(page, 'staff-rule')
  await card(page, 'The oven is cold').getByRole('button', { name: 'Close: The oven is cold' }).click()
  await expect(card(page, 'The oven is cold')).toHaveCount(0)

  await staff.save('known-errors', { active: false }, ruleId)
  const answer = await page.request.get(`/api/server/${serverId}/known-errors`)
  expect(await answer.json()).toEqual({ rules: [] })
  await staff.close()
  await office.close()
})

test('a plugin that cannot be loaded is disabled and given back, by keyboard alone', async ({ page }) => {
  test.setTimeout(180_000)
  const serverId = await openConsole(page)
  const files = await filesOf(page, serverId)
  await files.make('plugins')
  await files.write('plugins/Broken.jar', 'no archive')
  await printed(page, "Could not load 'plugins/Broken.jar' in folder 'plugins'")
  await printed(page, 'java.util.zip.ZipException: zip END header not found')
  const broken = card(page, "A plugin can't be loaded")
  await expect(broken).toBeVisible()
  await looksRight(page, 'plugin')

  await page.getByRole('heading', { level: 1 }).click()
  await tabTo(broken, 'button', /^Disable Broken\.jar$/)
  await page.keyboard.press('Enter')
  await expect(broken).toContainText('The file is now called Broken.jar.disabled')
  // The focus is with the card's next button, and not at the top of the page.
  await expect(broken.getByRole('button', { name: 'Restart' })).toBeFocused()
  expect(await files.read('plugins/Broken.jar')).toBeNull()
  expect(await files.read('plugins/Broken.jar.disabled')).toBe('no archive')
  await looksRight(page, 'plugin-done')

  await tabTo(broken, 'button', /^Undo$/)
  await page.keyboard.press('Enter')
  await expect(broken.getByRole('button', { name: 'Disable Broken.jar' })).toBeFocused()
  expect(await files.read('plugins/Broken.jar')).toBe('no archive')
  expect(await files.read('plugins/Broken.jar.disabled')).toBeNull()

  // A person who has changed the file since loses nothing.
  await page.keyboard.press('Enter')
  await expect(broken.getByRole('button', { name: 'Undo' })).toBeVisible()
  await files.write('plugins/Broken.jar.disabled', 'another one')
  await broken.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('plugins/Broken.jar.disabled has changed in the meantime')).toBeVisible()
  expect(await files.read('plugins/Broken.jar.disabled')).toBe('another one')
})

test('the image with the right Java is chosen and unchosen, by keyboard alone', async ({ page }) => {
  test.setTimeout(180_000)
  // The demo's servers have no images: the settings of one that has are stood in.
  const image = (java: number) => ({ label: `Java ${java}`, image: `example/java@sha256:${String(java).repeat(32)}` })
  const saved = { version: 3, current: image(17).image }
  const startup = () => ({
    version: saved.version,
    changedAt: null,
    command: ['java'],
    memoryMiB: 1024,
    variables: [],
    ports: [],
    image: { current: saved.current, choices: [image(8), image(17), image(21)] },
    running: null,
  })
  await page.route(/\/api\/server\/[^/]+\/startup(\/image)?$/, async (route) => {
    if (route.request().method() === 'PUT') {
      const wanted = route.request().postDataJSON() as { version: number; image: string }
      expect(wanted.version).toBe(saved.version)
      saved.version += 1
      saved.current = wanted.image
    }
    await route.fulfill({ json: ServerStartup.parse(startup()) })
  })
  await openConsole(page)
  await printed(page, 'Minecraft 1.20.6 requires running the server with Java 21 or above.')
  const wrong = card(page, 'Wrong Java version')
  await expect(wrong.getByRole('button', { name: 'Use Java 21' })).toBeVisible()
  await looksRight(page, 'java')

  await page.getByRole('heading', { level: 1 }).click()
  await tabTo(wrong, 'button', /^Use Java 21$/)
  await page.keyboard.press('Enter')
  await expect(wrong).toContainText('The server will start with Java 21.')
  await expect(wrong.getByRole('button', { name: 'Restart' })).toBeFocused()
  expect(saved.current).toBe(image(21).image)
  await tabTo(wrong, 'button', /^Undo$/)
  await page.keyboard.press('Enter')
  await expect(wrong.getByRole('button', { name: 'Use Java 21' })).toBeFocused()
  expect(saved.current).toBe(image(17).image)
})
