import type { Page } from '@playwright/test'

const STEP_PX = 20
/** A frame of the screen. */
const STEP_MS = 16

/**
 * A finger that goes up from a place by a whole number of 20 px, 16 ms for each by the screen's clock. All of it is sent at once:
 * a machine that pauses in between makes no finger that rests.
 */
export async function flick(page: Page, { x, y, upPx }: { x: number; y: number; upPx: number }): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const start = Date.now() / 1_000
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: { y?: number; ms: number }) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at.y === undefined ? [] : [{ x, y: at.y }],
      timestamp: start + at.ms / 1_000,
    })
  const path = [touch('touchStart', { y, ms: 0 })]
  const steps = upPx / STEP_PX
  for (let step = 1; step <= steps; step += 1)
    path.push(touch('touchMove', { y: y - step * STEP_PX, ms: STEP_MS * step }))
  await Promise.all([...path, touch('touchEnd', { ms: STEP_MS * (steps + 1) })])
}
