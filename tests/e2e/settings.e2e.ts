import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { violations } from '../support/axe.ts'
import { registerByApi, signInByApi } from '../support/journey.ts'
import { expect, test } from './test.ts'

const PHONE = { width: 390, height: 844 }
const RED = { r: 220, g: 20, b: 20 }
const BLUE = { r: 20, g: 20, b: 220 }

/** Left half red, right half blue. */
const picture = async () => ({
  name: 'me.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 600, height: 300, channels: 3, background: RED } })
    .composite([{ input: { create: { width: 300, height: 300, channels: 3, background: BLUE } }, left: 300, top: 0 }])
    .png()
    .toBuffer(),
})

/** How much of the picture that the page shows is blue, from 0 to 1. */
const blueShare = async (page: Page, address: string): Promise<number> => {
  const bytes = await (await page.request.get(address)).body()
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let blue = 0
  for (let at = 0; at < data.length; at += info.channels) if ((data[at + 2] ?? 0) > (data[at] ?? 0)) blue += 1
  return blue / (info.width * info.height)
}

test('settings: a picture is cropped by keyboard, data is kept through a failure and a change of language', async ({
  page,
}) => {
  const customer = await registerByApi(page)
  await signInByApi(page, customer)
  await page.goto('/en/dashboard/settings')
  const profile = page.getByRole('region', { name: 'Profile picture' })
  const data = page.getByRole('region', { name: 'Contact and billing details' })

  // The page is locked until its person is known; a key that is pressed before does nothing.
  await expect(page.locator('main [inert]')).toHaveCount(0)

  await test.step('the picture', async () => {
    const chooser = page.waitForEvent('filechooser')
    await profile.getByRole('button', { name: 'Choose picture' }).press('Enter')
    await (await chooser).setFiles(await picture())
    const dialog = page.getByRole('dialog', { name: 'Crop picture' })
    await expect(dialog.getByRole('button', { name: 'Save picture' })).not.toHaveAttribute('aria-disabled')
    await dialog.getByRole('slider', { name: 'Zoom' }).press('ArrowRight')
    const square = dialog.getByRole('group', { name: /^Part of the picture/ })
    await square.focus()
    // The picture moves to the left until its right end is reached: the square is then all blue.
    for (let press = 0; press < 30; press += 1) await square.press('ArrowLeft')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save picture' }).press('Enter')
    await expect(dialog).toBeHidden()
    await expect(profile.getByText('Your profile picture is saved.')).toBeVisible()
    const shown = profile.getByRole('img', { name: `${customer.username}'s profile picture` })
    const address = (await shown.getAttribute('src')) ?? ''
    expect(await blueShare(page, address)).toBeGreaterThan(0.95)
    await expect(page.locator(`.me img[src="${address}"]`)).toBeVisible()
  })

  await test.step('the data', async () => {
    await data.getByLabel('First name').fill(' Anna ')
    await data.getByLabel('Phone number').fill('12')
    await data.getByRole('radio', { name: 'Receipt' }).check()
    await data.getByRole('button', { name: 'Save details' }).click()
    await expect(data.getByText('A phone number has 6 to 15 digits')).toBeVisible()
    await data.getByLabel('Phone number').fill('+36 30 123 4567')
    const refusal = { error: { code: 'CONFLICT', message: 'Somebody was faster.' } }
    await page.route('**/api/user/me', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 409, json: refusal }) : route.fallback(),
    )
    await data.getByRole('button', { name: 'Save details' }).click()
    await expect(data.getByText("We couldn't save your details. What you typed is still here.")).toBeVisible()
    await expect(data.getByLabel('Phone number')).toHaveValue('+36 30 123 4567')
    await page.unroute('**/api/user/me')
    await data.getByRole('button', { name: 'Save details' }).click()
    await expect(data.getByText('Your details are saved.')).toBeVisible()
    await expect(data.getByLabel('First name')).toHaveValue('Anna')
  })

  await test.step('language and time zone', async () => {
    const region = page.getByRole('region', { name: 'Language and time' })
    await region.getByLabel('Time zone').selectOption('Asia/Tokyo')
    await region.getByRole('button', { name: 'Save time zone' }).click()
    await expect(region.getByText('Saved.')).toBeVisible()
    await page.goto('/dashboard/settings')
    await expect(page.locator('main [inert]')).toHaveCount(0)
    await data.getByLabel('City').fill('Not saved yet')
    await region.getByRole('button', { name: 'Magyar' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'hu')
    const adatok = page.getByRole('region', { name: 'Kapcsolattartási és számlázási adatok' })
    await expect(adatok.getByLabel('Település')).toHaveValue('Not saved yet')
    await expect(adatok.getByLabel('Keresztnév')).toHaveValue('Anna')
    await expect(page.getByLabel('Időzóna')).toHaveValue('Asia/Tokyo')
    const cookies = await page.context().cookies()
    for (const name of ['i18n', 'payload-lng']) expect(cookies.find((cookie) => cookie.name === name)?.value).toBe('hu')
  })

  await test.step('on a phone', async () => {
    await page.setViewportSize(PHONE)
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  })
})
