import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** How long to listen for silence, and how long to wait for an expected response. */
export const SILENCE_S = 2
export const ANSWER_S = 20

/** Responds on tcp and udp, v4 and v6, on the ports in its arguments. */
export const SERVICE = `
  for (const port of process.argv.slice(1).map(Number)) {
    require('net').createServer((socket) => socket.end('here')).listen(port, '::')
    require('dgram').createSocket({ type: 'udp6' }).on('message', function (_, from) { this.send('here', from.port, from.address) }).bind(port)
  }
  console.log('ready')`

/** Probes each "protocol address port" of its arguments for the given seconds, and prints those that responded. */
const ASK = `
  const [seconds, ...targets] = process.argv.slice(1)
  Promise.all(targets.map((target) => new Promise((done) => {
    const [protocol, address, port] = target.split(' ')
    const yes = () => done(target), no = () => done()
    setTimeout(no, Number(seconds) * 1_000)
    if (protocol === 'tcp') require('net').connect(Number(port), address).on('data', yes).on('error', no)
    else {
      const socket = require('dgram').createSocket(address.includes(':') ? 'udp6' : 'udp4').on('message', yes).on('error', no)
      const ask = () => socket.send('?', Number(port), address, () => {})
      ask()
      setInterval(ask, 300)
    }
  }))).then((found) => { console.log(JSON.stringify(found.filter(Boolean))); process.exit() })`

/** Both protocols at an address. */
export const both = (address: string, port: number) => [`tcp ${address} ${port}`, `udp ${address} ${port}`]

/** The targets that respond to a process placed by `enter`. A responding target is not waited for any longer. */
export const askFrom = async (
  enter: (command: string, ...args: string[]) => readonly [string, ...string[]],
  targets: readonly string[],
  seconds: number,
): Promise<string[]> => {
  const [command, ...args] = enter(process.execPath, '-e', ASK, String(seconds), ...targets)
  return JSON.parse((await promisify(execFile)(command, args)).stdout) as string[]
}
