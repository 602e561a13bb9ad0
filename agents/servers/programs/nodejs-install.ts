import { existsSync, writeFileSync } from 'node:fs'
import { runNpm } from './run-npm.ts'

// Puts a small bot into an empty folder, or installs the dependencies of an existing package.json.
const mainFile = process.env['MAIN_FILE'] ?? 'index.js'

const BOT = `// A small bot: it says that it is ready, counts the seconds and answers what is typed into the console.
import { createInterface } from 'node:readline'

const started = Date.now()
const answers = {
  ping: () => 'pong',
  time: () => new Date().toISOString(),
  uptime: () => \`\${Math.round((Date.now() - started) / 1000)} s\`,
  help: () => \`I know: \${Object.keys(answers).join(', ')}, stop\`,
}

console.log(\`Node.js \${process.version}\`)
setTimeout(() => console.log('The bot is ready'), 300)
setInterval(() => console.log(\`Still here after \${answers.uptime()}\`), 60_000)

const stop = () => {
  console.log('Good bye')
  process.exit(0)
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
createInterface({ input: process.stdin }).on('line', (text) => {
  const line = text.trim()
  if (line === 'stop') return stop()
  console.log(answers[line]?.() ?? \`You said: \${line}\`)
})
`

console.log('Preparing the Node.js application')
if (!existsSync('package.json')) {
  const manifest = { name: 'application', private: true, type: 'module', main: mainFile }
  writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  console.log('Wrote package.json')
}
if (/^[\w.-]+\.(c|m)?js$/.test(mainFile) && !existsSync(mainFile)) {
  writeFileSync(mainFile, BOT)
  console.log(`Wrote ${mainFile}`)
}
const code = existsSync('package-lock.json') ? await runNpm(['ci', '--omit=dev']) : 0
console.log(code === 0 ? 'The application is installed.' : `npm ended with exit code ${code}.`)
process.exitCode = code
