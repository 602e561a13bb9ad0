/** Marks a bar at the lower edge of the window: menus that float end above it, so that its targets stay whole. */
export const FLOOR = { 'data-floor': '' } as const

/** The lowest place that a floating menu may reach, in pixels from the window's upper edge. */
export const menuFloor = (): number => {
  const bar = document.querySelector('[data-floor]')?.getBoundingClientRect()
  return bar === undefined || bar.height === 0 ? window.innerHeight : bar.top
}
