import type { Browser, Page } from '@playwright/test'
import type { Account } from './demo.ts'
import { signInByApi } from './journey.ts'

/** A page of somebody else, in a browser context of its own, at the site in English. */
export async function otherPage(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: url, locale: 'en' })).newPage()
  await page.goto('/en')
  return page
}

/** A page on which this account is signed in. */
export async function pageOf(browser: Browser, url: string, account: Account): Promise<Page> {
  const page = await otherPage(browser, url)
  await signInByApi(page, account)
  return page
}
