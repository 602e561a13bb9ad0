/** The simulated game of the landing page's console: no server, no network, only responses. */
export type DemoState = 'running' | 'stopping' | 'stopped' | 'starting'
export type DemoLine = { id: number; text: string; kind: 'plain' | 'mine' | 'join' }
export type Demo = { state: DemoState; players: readonly string[]; lines: readonly DemoLine[]; next: number }

const maximumLines = 60
export const mostPlayers = 40

export const startOfDemo: Demo = {
  state: 'running',
  players: ['Őrsi_Panni', 'Zsombor', 'bakter_bot'],
  lines: [],
  next: 1,
}

const print = (demo: Demo, texts: readonly string[], kind: DemoLine['kind'] = 'plain'): Demo => ({
  ...demo,
  lines: [...demo.lines, ...texts.map((text, place) => ({ id: demo.next + place, text, kind }))].slice(-maximumLines),
  next: demo.next + texts.length,
})

const answers = ({ players }: Demo, words: readonly string[], unknown: string): readonly string[] => {
  const [name = '', ...rest] = words
  if (name === 'list')
    return [`There are ${players.length} of a max of ${mostPlayers} players online: ${players.join(', ')}`.trimEnd()]
  if (name === 'help') return ['list, help, say <text>, time, stop']
  if (name === 'say') return [`[Server] ${rest.join(' ')}`]
  if (name === 'time') return ['The time is 6000']
  return [unknown]
}

/** The game's output for a typed line. `unknown` is the sentence for an unknown command. */
export const typed = (demo: Demo, line: string, unknown: string): Demo => {
  const text = line.trim().replace(/^\//, '').slice(0, 200)
  if (text === '') return demo
  const echoed = print(demo, [`> ${text}`], 'mine')
  if (demo.state !== 'running') return echoed
  if (text === 'stop') return stopped(echoed)
  return print(echoed, answers(echoed, text.split(/\s+/), unknown))
}

export const stopped = (demo: Demo): Demo =>
  demo.state === 'running' ? { ...print(demo, ['Stopping the server', 'Saving worlds']), state: 'stopping' } : demo

export const started = (demo: Demo): Demo =>
  demo.state === 'stopped' ? { ...print(demo, ['Starting minecraft server version 1.21.8']), state: 'starting' } : demo

/** The state that follows automatically a moment later. */
export const settled = (demo: Demo): Demo => {
  if (demo.state === 'stopping') return { ...demo, state: 'stopped', players: [] }
  if (demo.state === 'starting')
    return { ...print(demo, ['Done (8.412s)! For help, type "help"'], 'join'), state: 'running' }
  return demo
}
