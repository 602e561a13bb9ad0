import { expect, type Page } from '@playwright/test'

/**
 * Waits until React handles the page: earlier input reaches only the browser. `selector` is of an element that scripts
 * serve.
 */
export const hydrated = async (page: Page, selector = 'form'): Promise<void> => {
  const isServed = (wanted: string) => {
    const element = document.querySelector(wanted)
    return element !== null && Object.keys(element).some((key) => key.startsWith('__reactProps$'))
  }
  // A page that is being left for another one answers no question.
  await expect.poll(() => page.evaluate(isServed, selector).catch(() => false)).toBe(true)
}
