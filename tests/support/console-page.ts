import type { BrowserContext, Cookie, Page } from '@playwright/test'

import { renewSession, rentByApi } from './journey.ts'

/** The label of the command line. */
export const COMMAND = 'Send a command to the server'

let rented: { serverId: string; cookies: Cookie[] } | undefined
const signedIn = new WeakSet<BrowserContext>()

/**
 * Signs in the customer whose server is shared by all read-only tests, because an address may register only a limited
 * number of accounts an hour. Returns the server's id.
 */
export async function openServer(page: Page): Promise<string> {
  if (rented) {
    await page.context().addCookies(rented.cookies)
    // The test before may have ended longer ago than an access token lasts.
    await renewSession(page)
  } else {
    const { serverId } = await rentByApi(page)
    rented = { serverId, cookies: [] }
  }
  signedIn.add(page.context())
  return rented.serverId
}

/** Called after each test: the session may have been renewed, and the next test continues with the page's cookies. */
export async function keepSession(page: Page): Promise<void> {
  if (rented && signedIn.has(page.context())) rented.cookies = await page.context().cookies()
}

export const scrollOf = (page: Page) =>
  page.getByRole('log').evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
    top: Math.round(scrollTop),
    left: Math.round(scrollHeight - scrollTop - clientHeight),
  }))

export const many = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1} of an evening`)
