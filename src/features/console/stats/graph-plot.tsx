'use client'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export type GraphLine = { readonly label: string; readonly colour: string; readonly width: number }

export type GraphPlotProps = {
  /** Epoch seconds, then a column for each line. */
  data: UPlot.AlignedData
  lines: readonly GraphLine[]
  /** The minimum range of the vertical axis. */
  ceiling: number
  from: number
  to: number
  zone: string
  locale: string
  format: (value: number) => string
  /** Whether the values are bytes: their axis counts in powers of two. */
  isBytes: boolean
  /** The position under the crosshair, or null if it is elsewhere. */
  onPlace: (at: number | null) => void
  /** The chosen time in epoch seconds: a line through all graphs; null for the present. */
  moment: number | null
  onMoment: (time: number) => void
}

const heightPx = 132
const byteSteps = Array.from({ length: 42 }, (_, power) => 2 ** power)
const colourOf = (element: Element, name: string) =>
  getComputedStyle(element).getPropertyValue(`--color-${name}`).trim()

const axesOf = (host: Element, props: GraphPlotProps): UPlot.Axis[] => {
  const stroke = colourOf(host, 'text-3')
  const grid = { stroke: colourOf(host, 'hairline'), width: 1 }
  const font = `12px ${getComputedStyle(host).fontFamily}`
  const clock = new Intl.DateTimeFormat(props.locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: props.zone,
  })
  const shared = { stroke, font, grid, ticks: { show: false } }
  return [
    { ...shared, size: 24, space: 64, values: (_, times) => times.map((time) => clock.format(time * 1_000)) },
    {
      ...shared,
      size: 68,
      space: 26,
      values: (_, values) => values.map(props.format),
      ...(props.isBytes ? { incrs: byteSteps } : {}),
    },
  ]
}

const drawMoment = (plot: UPlot, moment: number | null, colour: string) => {
  const { ctx, bbox } = plot
  if (moment === null) return
  const x = Math.round(plot.valToPos(moment, 'x', true))
  if (x < bbox.left || x > bbox.left + bbox.width) return
  ctx.fillStyle = colour
  ctx.fillRect(x, bbox.top, Math.max(1, Math.round(window.devicePixelRatio)), bbox.height)
}

/** A press or a drag on the drawing chooses a time. Returns the function that stops listening. */
const listenForMoments = (plot: UPlot, choose: (time: number) => void) => {
  const { over } = plot
  const onPointer = (event: PointerEvent) => {
    if (event.buttons !== 1) return
    if (event.type === 'pointerdown') over.setPointerCapture(event.pointerId)
    const { left, width } = over.getBoundingClientRect()
    choose(Math.round(plot.posToVal(Math.min(width, Math.max(0, event.clientX - left)), 'x')))
  }
  over.addEventListener('pointerdown', onPointer)
  over.addEventListener('pointermove', onPointer)
  return () => {
    over.removeEventListener('pointerdown', onPointer)
    over.removeEventListener('pointermove', onPointer)
  }
}

const optionsOf = (host: HTMLElement, current: () => GraphPlotProps): UPlot.Options => {
  const props = current()
  return {
    width: host.clientWidth,
    height: heightPx,
    legend: { show: false },
    tzDate: (time) => UPlot.tzDate(new Date(time * 1_000), props.zone),
    cursor: { sync: { key: 'console' }, drag: { x: false, y: false }, y: false, points: { size: 6 } },
    axes: axesOf(host, props),
    scales: {
      x: { time: true, range: () => [current().from, current().to] },
      y: { range: (_, __, max) => [0, Math.max(current().ceiling, max || 0, Number.EPSILON)] },
    },
    series: [
      {},
      ...props.lines.map(({ label, colour, width }) => ({
        label,
        width,
        stroke: colourOf(host, colour),
        points: { show: false },
        spanGaps: false,
      })),
    ],
    hooks: {
      setCursor: [(plot) => current().onPlace(plot.cursor.idx ?? null)],
      draw: [(plot) => drawMoment(plot, current().moment, colourOf(host, 'bone'))],
    },
  }
}

/** The drawing only; its content is repeated as text beside it. */
export const GraphPlot = (props: GraphPlotProps) => {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot | null>(null)
  const latest = useRef(props)
  const { data, zone, locale, from, to, moment } = props
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    const made = new UPlot(
      optionsOf(element, () => latest.current),
      latest.current.data,
      element,
    )
    plot.current = made
    const stopListening = listenForMoments(made, (time) => latest.current.onMoment(time))
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: heightPx }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      stopListening()
      plot.current = null
      made.destroy()
    }
  }, [zone, locale])
  useEffect(() => {
    plot.current?.setData(data)
  }, [data, from, to])
  useEffect(() => {
    plot.current?.redraw(false)
  }, [moment])
  return <div ref={host} className="graph-plot" aria-hidden="true" style={{ height: heightPx }} />
}
