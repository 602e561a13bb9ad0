import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { commandPreview } from '@/features/startup/command-preview.ts'
import { resolveProgram } from '../../../../agents/servers/program.ts'
import { buildServerSpec } from '../../../factories/server-spec.ts'

const FACTS = {
  memoryMiB: 512,
  ports: [
    { port: 25_565, primary: true },
    { port: 25_566, primary: false },
  ],
  values: { MAP: 'de_dust2', EMPTY: '' },
  secrets: new Set(['TOKEN']),
}
const previewOf = (part: string) => commandPreview([part], FACTS)[0]

describe('the preview of a command', () => {
  it.each([
    [
      '-Xmx{{memoryMiB}}M',
      [
        { is: 'text', text: '-Xmx' },
        { is: 'text', text: '512' },
        { is: 'text', text: 'M' },
      ],
    ],
    ['{{port:1}}', [{ is: 'text', text: '25566' }]],
    ['{{env:MAP}}', [{ is: 'value', text: 'de_dust2', name: 'MAP' }]],
    ['{{env:EMPTY}}', [{ is: 'value', text: '', name: 'EMPTY' }]],
    ['{{TOKEN}}', [{ is: 'secret', name: 'TOKEN' }]],
    [
      '{{root}}/x',
      [
        { is: 'node', what: 'root', name: 'root' },
        { is: 'text', text: '/x' },
      ],
    ],
    ['{{program:game}}', [{ is: 'node', what: 'program', name: 'game' }]],
    ['{{config.token}}', [{ is: 'unknown', text: '{{config.token}}' }]],
    ['{{env:MISSING}}', [{ is: 'unknown', text: '{{env:MISSING}}' }]],
    ['{{port:7}}', [{ is: 'unknown', text: '{{port:7}}' }]],
    ['', [{ is: 'text', text: '' }]],
  ])('shows %s', (part, pieces) => {
    expect(previewOf(part)).toEqual(pieces)
  })

  test('shows every value as the node fills it in, and reads it only once', () => {
    const context = {
      rootFolder: '/srv/game',
      nodePath: '/node',
      npmCommand: ['npm'],
      searchPath: null,
      listenIp: (ip: string) => ip,
      caBundle: undefined,
      program: () => undefined,
    }
    const value = fc.oneof(fc.string(), fc.constantFrom('{{root}}', '{{env:MAP}}', '"; rm -rf /', '--x'))
    fc.assert(
      fc.property(value, fc.constantFrom('{{env:MAP}}', 'a={{MAP}}', '{{server.env.MAP}}b'), (text, part) => {
        fc.pre(!text.includes('\0'))
        const spec = buildServerSpec({ environment: { MAP: text } })
        const resolved = resolveProgram({ argv: ['game', part] }, { ...context, spec })
        const [, pieces = []] = commandPreview(['game', part], { ...FACTS, values: { MAP: text } })
        const shown = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
        expect(resolved).toEqual({ ok: true, argv: ['game', shown] })
      }),
    )
  })
})
