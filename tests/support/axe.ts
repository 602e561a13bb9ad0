import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

type Violation = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number]

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds on the page, or within the element of a selector. */
export async function axeFindings(page: Page, selector?: string): Promise<Violation[]> {
  // For each element of each rule that passed axe would make a selector of its own, which nobody reads.
  const axe = new AxeBuilder({ page }).options({
    runOnly: { type: 'tag', values: TAGS },
    resultTypes: ['violations'],
  })
  if (selector !== undefined) axe.include(selector)
  // Only the results of several frames must be put together, which axe does in another page.
  axe.setLegacyMode(page.frames().length === 1)
  return (await axe.analyze()).violations
}

/**
 * The findings in words, for the page or within the element of a selector. The bar at the page's top covers the text that was
 * scrolled under it, which is no fault of a page.
 */
export async function violations(page: Page, selector?: string): Promise<string[]> {
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  const found = await axeFindings(page, selector)
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
