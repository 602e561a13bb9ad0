import { describe, expect, it } from 'vitest'
import { chosenLink, linkedPort, linkOfPlace, movedLinks } from '#domain/startup/port-links.ts'

const PORTS = [
  { port: 25_565, primary: false },
  { port: 25_566, primary: true },
  { port: 25_567, primary: false },
]

describe('a variable that contains a port', () => {
  it('follows the primary port, whichever that is', () => {
    expect(linkOfPlace(0, PORTS)).toBe('primary')
    expect(linkedPort('primary', PORTS)).toBe(25_566)
    expect(
      linkedPort(
        'primary',
        PORTS.map((each) => ({ ...each, primary: each.port === 25_567 })),
      ),
    ).toBe(25_567)
    expect(linkedPort('primary', [{ port: 1, primary: false }])).toBe(1)
    expect(linkedPort('primary', [])).toBeUndefined()
  })

  it('keeps another port by its number, and knows when the server no longer has it', () => {
    expect(linkOfPlace(2, PORTS)).toBe('25567')
    expect(linkOfPlace(3, PORTS)).toBeUndefined()
    expect(linkedPort('25567', PORTS)).toBe(25_567)
    expect(linkedPort('25567', PORTS.slice(0, 2))).toBeUndefined()
  })

  it.each([
    ['primary', 'primary'],
    ['25566', '25566'],
    ['22', undefined],
    ['025566', undefined],
    ['constructor', undefined],
  ])('takes %s only if it is a port of the server', (text, link) => {
    expect(chosenLink(text, PORTS)).toBe(link)
  })

  it('keeps its place in the list when the server gets other ports', () => {
    const after = [30_000, 30_001, 30_002].map((port) => ({ port, primary: port === 30_000 }))
    expect(movedLinks({ A: 'primary', B: '25567', C: '1' }, PORTS, after)).toEqual({ A: 'primary', B: '30002', C: '1' })
    expect(movedLinks({ B: '25567' }, PORTS, after.slice(0, 1))).toEqual({ B: '25567' })
  })
})
