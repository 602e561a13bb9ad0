// @vitest-environment happy-dom
import { useRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { GraphPlot } from '../../../../../src/features/console/stats/graph-plot.tsx'
import { MomentSlider } from '../../../../../src/features/console/stats/moment-slider.tsx'
import type { LogEntry } from '../../../../../src/features/console/log/log-buffer.ts'
import { useLogMoment } from '../../../../../src/features/console/use-log-moment.ts'
import { useMoment } from '../../../../../src/features/console/use-moment.ts'
import { eventually, shownPage } from '../../../../support/shown-page.tsx'
import type { ShownPage } from '../../../../support/shown-page.tsx'

/** A drawing of 100 pixels, in which a pixel is ten seconds. */
vi.mock('uplot', () => ({
  default: class {
    readonly over = document.createElement('div')
    constructor(_options: object, _data: object, host: HTMLElement) {
      this.over.className = 'over'
      this.over.setPointerCapture = () => {}
      this.over.getBoundingClientRect = () => ({ left: 20, width: 100 }) as DOMRect
      host.append(this.over)
    }
    posToVal(pixel: number): number {
      return 1_000 + pixel * 10
    }
    setSize(): void {}
    setData(): void {}
    redraw(): void {}
    destroy(): void {
      this.over.remove()
    }
  },
}))
vi.mock('uplot/dist/uPlot.min.css', () => ({}))

let page: ShownPage
const shown: string[] = []
afterEach(() => {
  page.close()
  shown.length = 0
  vi.unstubAllGlobals()
})

const line = (seq: number, atMs: number): LogEntry => ({
  kind: 'line',
  seq,
  atMs,
  stream: 'o',
  text: '',
  level: 'plain',
})
const entries = [line(1, 1_000_000), line(2, 1_500_000), line(3, 1_900_000)]

const pause = () => void shown.push('paused')

/** A row whose middle is at so many hundreds of pixels. Nothing but the log may scroll to it. */
const place = (row: HTMLElement, seq: number) => {
  row.getBoundingClientRect = () => ({ top: seq * 100 - 10, height: 20 }) as DOMRect
  row.scrollIntoView = () => void shown.push('the page scrolled')
}

/** A graph, its slider and a log of three lines that share a moment. */
const Board = () => {
  const shared = useMoment()
  const box = useRef<HTMLDivElement>(null)
  useLogMoment({
    box,
    shared,
    entries,
    older: { kind: 'end', lost: 0 },
    behind: 0,
    following: true,
    pause,
    onOlder: () => {},
    onToEnd: () => {},
  })
  const at = shared.moment === null ? null : shared.moment.atMs / 1_000
  const choose = (time: number | null) => shared.choose(time === null ? null : time * 1_000)
  return (
    <>
      <GraphPlot
        data={[[1_000], [1]]}
        lines={[]}
        ceiling={1}
        from={1_000}
        to={2_000}
        zone="UTC"
        locale="en"
        format={String}
        isBytes={false}
        onPlace={() => {}}
        moment={at}
        onMoment={choose}
      />
      <MomentSlider from={1_000} to={2_000} step={10} at={at} time={`at ${at}`} values="cpu 3 %" onChoose={choose} />
      <output>{`${at} after ${shared.returns}`}</output>
      <div ref={box} className="log">
        {entries.map((entry) => (
          <p key={entry.seq} data-seq={entry.seq} ref={(row) => void (row && place(row, entry.seq))} />
        ))}
      </div>
    </>
  )
}

const open = () => {
  page = shownPage(<Board />, {})
}
/** A log of 60 pixels that notes where it is scrolled to. */
const openLog = async () => {
  open()
  const log = await page.see<HTMLElement>('.log')
  Object.defineProperties(log, {
    clientHeight: { value: 60 },
    scrollTop: {
      get: () => 0,
      set: (top: number) => {
        shown.push(`at ${top}`)
      },
    },
  })
}
const point = (type: string, x: number, buttons = 1) =>
  page.find('.over')?.dispatchEvent(new PointerEvent(type, { clientX: x, buttons, pointerId: 1, bubbles: true }))

test('a drag over a graph chooses its time, and the log pauses and goes to the first line from then on', async () => {
  await openLog()
  await page.see('.over')
  point('pointerdown', 20 + 30)
  await page.see('output', '1300 after 0')
  await eventually(() => expect(shown.slice(0, 2)).toEqual(['paused', 'at 170']))
  point('pointermove', 20 + 60)
  await page.see('output', '1600 after 0')
  await eventually(() => expect(shown.at(-1)).toBe('at 270'))
  // Beyond the edge it is the edge; without a pressed button it is no drag.
  point('pointermove', 900)
  await page.see('output', '2000 after 0')
  point('pointermove', 20, 0)
  await new Promise((resolve) => void setImmediate(resolve))
  expect(page.find('output')?.textContent).toBe('2000 after 0')
  expect(shown).not.toContain('the page scrolled')
})

test('the slider goes to the same time by keyboard, says it with its values, and back to the present', async () => {
  await openLog()
  const slider = await page.see<HTMLInputElement>('input[type=range]')
  expect(slider.getAttribute('aria-valuetext')).toBe('now: cpu 3 %')
  page.type(slider, '1500')
  await page.see('output', '1500 after 0')
  expect(slider.getAttribute('aria-valuetext')).toBe('at 1500: cpu 3 %')
  await eventually(() => expect(shown.at(-1)).toBe('at 170'))
  const back = await page.see('button', 'Back to now')
  back.click()
  await page.see('output', 'null after 1')
})
