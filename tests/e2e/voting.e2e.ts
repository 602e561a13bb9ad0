import type { APIRequestContext, Page } from '@playwright/test'
import * as z from 'zod'
import { violations } from '../support/axe.ts'
import { arrive, signInByApi } from '../support/journey.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const Saved = z.object({ doc: z.object({ id: z.string(), options: z.array(z.object({ id: z.string() })) }) })
const Listed = z.object({ docs: z.array(z.object({ id: z.string(), active: z.boolean() })) })

const panel = (page: Page, name = 'Poll') => page.getByRole('region', { name, exact: true })
const option = (page: Page, name: string) => panel(page).getByRole('radio', { name })
const result = (page: Page, text: string) => panel(page).getByRole('listitem').filter({ hasText: text })

/** A voting in two languages that is not open yet. Its form is tried below; here it is filled in at once. */
const drafted = async (request: APIRequestContext, origin: string): Promise<string> => {
  const headers = { origin }
  const texts = ['New Year tournament', 'Building contest', 'Speedrun evening']
  const created = await request.post('/api/cms/votings?locale=en', {
    headers,
    data: { question: 'What should we organise in January?', options: texts.map((text) => ({ text })), active: false },
  })
  expect(created.status(), await created.text()).toBe(201)
  const { doc } = Saved.parse(await created.json())
  const hungarian = ['Újévi bajnokság', 'Építőverseny', 'Gyorsasági est']
  const options = hungarian.map((text, at) => ({ id: doc.options[at]?.id, text }))
  const data = { question: 'Mit szervezzünk januárban?', options }
  expect((await request.patch(`/api/cms/votings/${doc.id}?locale=hu`, { headers, data })).status()).toBe(200)
  return doc.id
}
const runningOf = async (request: APIRequestContext): Promise<string> => {
  const { docs } = Listed.parse(await (await request.get('/api/cms/votings?limit=50&depth=0&locale=en')).json())
  return docs.find(({ active }) => active)?.id ?? ''
}
/** Ticks or unticks "Active" in the form of a voting, and saves it. */
const activate = async (admin: Page, id: string, isActive: boolean) => {
  await admin.goto(`/admin/collections/votings/${id}?locale=en`)
  const box = admin.getByRole('checkbox', { name: 'Active' })
  await expect(box).toBeChecked({ checked: !isActive })
  const saving = admin.waitForResponse(
    (answer) => answer.url().includes(`/api/cms/votings/${id}`) && answer.request().method() === 'PATCH',
  )
  await box.click()
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  const status = (await saving).status()
  // After it was saved the form reads its document again; a page that is left meanwhile comes back.
  if (status === 200) await expect(admin.getByText(/success/i).first()).toBeVisible()
  return status
}

test('staff open a voting, one at a time, and customers vote by keyboard, see the result and change their mind', async ({
  page,
  browser,
  demo,
  expectedErrors,
}) => {
  test.setTimeout(420_000)
  expectedErrors.push(/409/)
  const staff = await browser.newContext({ baseURL: demo.url, locale: 'en-GB', viewport: WIDE })
  const admin = await staff.newPage()
  // A form that was refused is left without saving.
  admin.on('dialog', (dialog) => void dialog.accept())
  await admin.goto('/en')
  await signInByApi(admin, demo.admin)
  const earlier = await runningOf(admin.request)
  const id = await drafted(admin.request, demo.url)

  // The short address, and the list with the counts.
  await admin.goto('/admin/voting')
  await admin.waitForURL(/\/admin\/collections\/votings/)
  // The list shows the main language's text.
  await expect(admin.getByRole('link', { name: 'Mit szervezzünk januárban?' })).toBeVisible()
  await expect(admin.getByRole('columnheader', { name: 'Votes' })).toBeVisible()

  // A second one is refused in words while the first one runs.
  expect(await activate(admin, id, true)).toBe(409)
  await expect(admin.getByText('Another poll is already running.').first()).toBeVisible()
  expect(await activate(admin, earlier, false)).toBe(200)
  expect(await activate(admin, id, true)).toBe(200)

  // By keyboard alone.
  await page.setViewportSize(WIDE)
  const customer = await arrive(page)
  await page.goto('/en/dashboard/summary')
  await expect(panel(page)).toContainText('What should we organise in January?')
  await expect(panel(page)).toContainText('no votes yet')
  await expect(panel(page).getByText('%')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await tabTo(page, 'button', /^Panel menu: Poll$/)
  await page.keyboard.press('Tab')
  await expect(option(page, 'New Year tournament')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(option(page, 'Building contest')).toBeChecked()
  await tabTo(page, 'button', 'Vote')
  await page.keyboard.press('Enter')
  await expect(result(page, 'Building contest')).toContainText('100%1 vote')
  await expect(result(page, 'Building contest')).toContainText('(your vote)')
  expect(await violations(page)).toEqual([])

  // The vote is there after a reload, and can be changed.
  await page.reload()
  await expect(result(page, 'Building contest')).toContainText('(your vote)')
  await tabTo(page, 'button', 'Change my vote')
  await page.keyboard.press('Enter')
  await expect(option(page, 'Building contest')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await tabTo(page, 'button', 'Vote')
  await page.keyboard.press('Enter')
  await expect(result(page, 'Speedrun evening')).toContainText('100%1 vote')
  await expect(result(page, 'Building contest')).toContainText('0%0 votes')
  await expect(panel(page)).toContainText('1 vote so far')

  // A phone, in Hungarian, with touch.
  const phone = await browser.newContext({ baseURL: demo.url, viewport: PHONE, hasTouch: true, isMobile: true })
  const other = await phone.newPage()
  await other.goto('/hu')
  await signInByApi(other, customer)
  await other.goto('/hu/dashboard/summary')
  const szavazas = panel(other, 'Szavazás')
  await expect(szavazas).toContainText('Mit szervezzünk januárban?')
  await expect(szavazas.getByRole('listitem').filter({ hasText: 'Gyorsasági est' })).toContainText('(a te szavazatod)')
  await szavazas.getByRole('button', { name: 'Módosítom a szavazatom' }).tap()
  await szavazas.getByText('Újévi bajnokság').tap()
  expect(await violations(other)).toEqual([])
  await szavazas.scrollIntoViewIfNeeded()
  await szavazas.getByRole('button', { name: 'Szavazok' }).tap()
  await expect(szavazas.getByRole('listitem').filter({ hasText: 'Újévi bajnokság' })).toContainText('1 szavazat')
  expect(await violations(other)).toEqual([])
  expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await other.goto('/de/dashboard/summary')
  await expect(panel(other, 'Abstimmung')).toContainText('(deine Stimme)')
  await panel(other, 'Abstimmung').scrollIntoViewIfNeeded()
  await phone.close()

  // Staff see the count at its option, and close the voting while the customer looks at it.
  await admin.goto(`/admin/collections/votings/${id}?locale=en`)
  await expect(admin.locator('[name="options.0.votes"]')).toHaveValue('1')
  await page.reload()
  await panel(page).getByRole('button', { name: 'Change my vote' }).click()
  expect(await activate(admin, id, false)).toBe(200)
  await option(page, 'Building contest').click()
  await panel(page).getByRole('button', { name: 'Vote', exact: true }).click()
  await expect(panel(page)).toContainText('This poll has closed.')
  await expect(result(page, 'New Year tournament')).toContainText('100%1 vote')
  await expect(panel(page)).toContainText('ended')
  await expect(panel(page).getByRole('button', { name: 'Change my vote' })).toHaveCount(0)
  expect(await violations(page)).toEqual([])

  // As it was: the voting of the demo runs again.
  expect((await admin.request.delete(`/api/cms/votings/${id}`, { headers: { origin: demo.url } })).status()).toBe(200)
  expect(await activate(admin, earlier, true)).toBe(200)
  await page.reload()
  await expect(panel(page)).toContainText('Which game should we offer next?')
  await staff.close()
})
