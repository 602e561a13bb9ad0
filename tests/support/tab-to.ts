import { expect, type Locator, type Page } from '@playwright/test'

const MOST_STOPS = 60

export type Scope = Page | Locator
type Role = 'link' | 'button' | 'textbox' | 'checkbox' | 'spinbutton'
export const pageOf = (scope: Scope): Page => ('page' in scope ? scope.page() : scope)

/** Presses Tab until the focused element has this accessible name; where several do, the first one in the scope. */
export async function tabTo(scope: Scope, role: Role, name: RegExp): Promise<void> {
  const page = pageOf(scope)
  const target = scope.getByRole(role, { name }).filter({ visible: true }).first()
  await expect(target).toBeVisible()
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement, undefined, { timeout: 30_000 })) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach the ${role} ${String(name)}.`)
}
