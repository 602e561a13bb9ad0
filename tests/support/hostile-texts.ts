import { expect, type Page } from '@playwright/test'

// Texts that would run, load or lead somewhere if a page or a mail program took them for more than text.

/** Nobody asks it for anything. */
export const CANARY_HOST = 'canary.invalid'
export const RUN = 'window.xssRan=1'
export const IMAGE = `<img src=x onerror=${RUN}>`
/** One text that is markup in each place in which a page may put it. */
export const POLYGLOT = `"'><svg/onload=${RUN}></script></textarea></title><script>${RUN}</script>`
export const HOSTILE_MESSAGE = [
  `${IMAGE} ${POLYGLOT}`,
  `[a script](javascript:${RUN}) [a page](data:text/html,<script>${RUN}</script>) ![a picture](https://${CANARY_HOST}/picture.png)`,
  `<iframe src="https://${CANARY_HOST}/frame"></iframe><link rel=stylesheet href="https://${CANARY_HOST}/style.css">`,
  `<a href="javascript:${RUN}">press</a> <form action="https://${CANARY_HOST}"><button>send</button></form>`,
  `<style>@import url(https://${CANARY_HOST}/import.css)</style><meta http-equiv=refresh content="0;url=https://${CANARY_HOST}">`,
  '```html\n' + IMAGE + '\n```',
].join('\n\n')

/** Counts what a page would show if something of this ran or was loaded. */
export const watched = async (page: Page): Promise<string[]> => {
  const seen: string[] = []
  page.context().on('page', (opened) => opened.on('dialog', () => seen.push('a dialog opened in another tab')))
  page.on('dialog', (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.context().on('request', (request) => {
    if (request.url().includes(CANARY_HOST)) seen.push(`a request of ${request.url()}`)
  })
  await page.addInitScript(() => Object.assign(window, { xssRan: 0 }))
  return seen
}

/** Nothing ran on a page, and nothing that was written is an element of it. */
export const isInert = async (page: Page, place: string): Promise<void> => {
  expect(await page.evaluate('window.xssRan'), `something ran in ${place}`).toBe(0)
  const markup =
    '[onerror], [onload], img[src="x"], iframe[src*="canary"], form[action*="canary"], a[href^="javascript:" i], a[href^="data:" i]'
  expect(await page.locator(markup).count(), `there is markup in ${place}`).toBe(0)
  expect(await page.locator(`[src*="${CANARY_HOST}"], link[href*="${CANARY_HOST}"]`).count(), place).toBe(0)
}
