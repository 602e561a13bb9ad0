import { expect, type BrowserContext, type Cookie, type Page } from '@playwright/test'

import { localeCookie } from '../../src/i18n/locales.ts'
import { renewSession, rentByApi } from './journey.ts'

/** The label of the command line. */
export const COMMAND = 'Send a command to the server'

/** A customer with one server, shared by tests because an address may register only a limited number of accounts an hour. */
export class SharedCustomer {
  #rented: { serverId: string; cookies: Cookie[] } | undefined
  readonly #signedIn = new WeakSet<BrowserContext>()

  /** Signs the customer in. Returns the server's id. */
  async open(page: Page): Promise<string> {
    if (this.#rented) {
      await page.context().addCookies(this.#rented.cookies)
      // The test before may have ended longer ago than an access token lasts.
      await renewSession(page)
    } else {
      const { serverId } = await rentByApi(page)
      this.#rented = { serverId, cookies: [] }
    }
    this.#signedIn.add(page.context())
    return this.#rented.serverId
  }

  /**
   * Called after each test: the session may have been renewed, and the next test continues with the page's cookies, but not
   * in its language.
   */
  async keep(page: Page): Promise<void> {
    if (!this.#rented || !this.#signedIn.has(page.context())) return
    const cookies = await page.context().cookies()
    this.#rented.cookies = cookies.filter(({ name }) => name !== localeCookie.name)
  }
}

/** The server of all tests that only read, and clear what they make. */
const readers = new SharedCustomer()
export const openServer = (page: Page): Promise<string> => readers.open(page)
export const keepSession = (page: Page): Promise<void> => readers.keep(page)

export const scrollOf = (page: Page) =>
  page.getByRole('log').evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
    top: Math.round(scrollTop),
    left: Math.round(scrollHeight - scrollTop - clientHeight),
  }))

/** The place of the log once it has come to rest: a wheel moves it for some frames longer than its event takes. */
export const restingTop = async (page: Page): Promise<number> => {
  const seen: number[] = []
  await expect
    .poll(
      async () => {
        seen.push((await scrollOf(page)).top)
        return seen.length > 3 && new Set(seen.slice(-3)).size === 1
      },
      { intervals: [200] },
    )
    .toBe(true)
  return seen.at(-1) ?? 0
}

export const many = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1} of an evening`)
