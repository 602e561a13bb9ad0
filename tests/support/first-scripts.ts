import { expect, type Page, type Request } from '@playwright/test'

/** The scripts of a page that is opened anew. */
export interface FirstScripts {
  /** Their bytes as they are sent. */
  readonly bytes: number
  readonly texts: readonly string[]
}

const isScript = (request: Request): boolean => request.resourceType() === 'script'

/** Scripts that an idle browser fetches ahead belong to the load of the linked pages. */
const isAhead = (request: Request): boolean => {
  const headers = request.headers()
  return headers['next-router-prefetch'] !== undefined || headers['next-router-segment-prefetch'] !== undefined
}

/** Opens a page with an empty cache; counts the scripts that it loads until `isThere` is shown and none is on its way. */
export const firstScripts = async (page: Page, path: string, isThere: string): Promise<FirstScripts> => {
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.route('**/*_rsc=*', (route) =>
    isAhead(route.request()) ? route.fulfill({ status: 204 }) : route.fallback(),
  )
  const asked: Request[] = []
  const ended = new Set<Request>()
  const onAsked = (request: Request) => void (isScript(request) && asked.push(request))
  const onEnded = (request: Request) => void ended.add(request)
  page.on('request', onAsked).on('requestfinished', onEnded)
  await page.goto(path)
  await expect(page.locator(isThere).filter({ visible: true }).first()).toBeVisible()
  await expect(page.locator('.skel')).toHaveCount(0)
  await expect.poll(() => asked.filter((request) => !ended.has(request)).map((request) => request.url())).toEqual([])
  page.off('request', onAsked).off('requestfinished', onEnded)
  let bytes = 0
  const texts: string[] = []
  for (const request of asked) {
    bytes += (await request.sizes()).responseBodySize
    texts.push((await (await request.response())?.text()) ?? '')
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await session.detach()
  expect(asked.length, path).toBeGreaterThan(0)
  return { bytes, texts }
}
