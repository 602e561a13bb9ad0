import { expect, type Locator, type Page } from '@playwright/test'

const MOST_STOPS = 60

export type Scope = Page | Locator
export type Role = 'link' | 'button' | 'textbox' | 'checkbox' | 'spinbutton' | 'combobox'
export const pageOf = (scope: Scope): Page => ('page' in scope ? scope.page() : scope)

/** The first visible element with this accessible name, text in full. */
export const named = (scope: Scope, role: Role, name: RegExp | string): Locator =>
  scope.getByRole(role, { name, exact: true }).filter({ visible: true }).first()

/** Presses a key until the element has the focus; false if it never does. */
export async function pressUntilFocused(target: Locator, key: 'Tab' | 'Shift+Tab'): Promise<boolean> {
  await expect(target).toBeVisible()
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement, undefined, { timeout: 30_000 }))
      return true
    await target.page().keyboard.press(key)
  }
  return false
}

/** Presses Tab until the focused element has this accessible name, text in full; where several do, the first one in the scope. */
export async function tabTo(scope: Scope, role: Role, name: RegExp | string): Promise<void> {
  if (!(await pressUntilFocused(named(scope, role, name), 'Tab')))
    throw new Error(`Tab does not reach the ${role} ${String(name)}.`)
}
