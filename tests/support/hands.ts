import { expect, type Locator, type Page } from '@playwright/test'
import { named, pageOf, pressUntilFocused, type Scope } from './tab-to.ts'

export type NamedFile = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }

/** How somebody uses a page. Names are those that a screen reader says; text is the whole name. */
export interface Hands {
  press(scope: Scope, role: 'link' | 'button', name: string | RegExp): Promise<void>
  write(scope: Scope, name: string, text: string): Promise<void>
  /** Chooses an option of a list by its words. */
  choose(scope: Scope, name: string, option: RegExp): Promise<void>
  attach(page: Page, button: string, file: NamedFile): Promise<void>
  /** Sends the message that was just written: by the button of this name, or from where it was written. */
  send(page: Page, button: string): Promise<void>
  /** Opens what is folded under these words. */
  unfold(page: Page, words: string): Promise<void>
}

const chosenFile = async (page: Page, open: () => Promise<void>, file: NamedFile): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await open()
  await (await chooser).setFiles(file)
}

const summaryOf = (page: Page, words: string) => page.locator('summary').filter({ hasText: words }).last()

export const mouse: Hands = {
  press: (scope, role, name) => named(scope, role, name).click(),
  write: (scope, name, text) => scope.getByRole('textbox', { name, exact: true }).fill(text),
  choose: async (scope, name, option) => {
    const list = scope.getByRole('combobox', { name, exact: true })
    const value = await list.locator('option').filter({ hasText: option }).getAttribute('value')
    await list.selectOption(value)
  },
  attach: (page, button, file) => chosenFile(page, () => mouse.press(page, 'button', button), file),
  send: (page, button) => mouse.press(page, 'button', button),
  unfold: (page, words) => summaryOf(page, words).click(),
}

/** Goes by Tab to what stands below, and back to what stands above. */
async function goTo(target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  const isAbove = await target.evaluate((element) => {
    const from = document.activeElement ?? document.body
    return from !== document.body && (from.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
  })
  if (!(await pressUntilFocused(target, isAbove ? 'Shift+Tab' : 'Tab')))
    throw new Error(`No key leads to ${String(target)}.`)
}

/** More steps than any list of the product has options. */
const MOST_OPTIONS = 30

/** Neither a pointer nor a script touches the page: Tab finds everything. Only the file itself is given to the browser's dialog. */
export const keyboard: Hands = {
  press: async (scope, role, name) => {
    await goTo(named(scope, role, name))
    await pageOf(scope).keyboard.press('Enter')
  },
  write: async (scope, name, text) => {
    await goTo(named(scope, 'textbox', name))
    await pageOf(scope).keyboard.type(text)
  },
  choose: async (scope, name, option) => {
    await goTo(named(scope, 'combobox', name))
    const chosen = scope.getByRole('combobox', { name, exact: true }).locator('option:checked')
    await pageOf(scope).keyboard.press('Home')
    for (let step = 0; step < MOST_OPTIONS; step += 1) {
      if (option.test(await chosen.innerText())) return
      await pageOf(scope).keyboard.press('ArrowDown')
    }
    throw new Error(`No step leads to the option ${String(option)} of ${name}.`)
  },
  attach: (page, button, file) => chosenFile(page, () => keyboard.press(page, 'button', button), file),
  send: (page) => page.keyboard.press('Control+Enter'),
  unfold: async (page, words) => {
    await goTo(summaryOf(page, words))
    await page.keyboard.press('Enter')
  },
}
