import type { Locator, Page } from '@playwright/test'

/** Where a drag ends, and what it carries from outside the browser: paths of files and folders on this machine. */
export type Drag = { readonly onto: Locator; readonly files: readonly string[] }

const COPY = 1

/** Files of the machine over an element, as the desktop drags them; `drop` lets them go. */
export const dragFiles = async (page: Page, { onto, files }: Drag): Promise<{ drop: () => Promise<void> }> => {
  const box = await onto.boundingBox()
  if (box === null) throw new Error('Nothing is dragged onto what is not shown.')
  const session = await page.context().newCDPSession(page)
  const at = { x: box.x + Math.min(box.width / 2, 200), y: box.y + box.height / 2 }
  const data = { items: [], files: [...files], dragOperationsMask: COPY }
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, ...at, data })
  await send('dragEnter')
  await send('dragOver')
  return {
    drop: async () => {
      await send('drop')
      await session.detach()
    },
  }
}
