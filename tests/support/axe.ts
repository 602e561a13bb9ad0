import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

type Violation = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number]

/** No rules of WCAG, but a page with two landmarks of one name is hard to move in all the same. */
const LANDMARKS = [
  'landmark-unique',
  'landmark-one-main',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-main',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
]
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

type Looked = { readonly selector?: string | undefined; readonly landmarks?: boolean }

/** The findings of axe on the page, or within the element of a selector. */
export async function axeFindings(page: Page, { selector, landmarks = false }: Looked = {}): Promise<Violation[]> {
  // For each element of each rule that passed axe would make a selector of its own, which nobody reads.
  const axe = new AxeBuilder({ page }).options({
    runOnly: { type: 'tag', values: TAGS },
    ...(landmarks ? { rules: Object.fromEntries(LANDMARKS.map((rule) => [rule, { enabled: true }])) } : {}),
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
  // Halfway through a transition a colour is neither of the two that were chosen for their contrast.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((animation) => !(animation instanceof CSSTransition) || animation.playState !== 'running'),
  )
  const found = await axeFindings(page, { selector, landmarks: selector === undefined })
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
