import { describedFiles } from './described-files.ts'
import { words } from '../../fields/languages.ts'
import type { Words } from '../../fields/languages.ts'

/** node:24-bookworm-slim as of Node 24.18.0, for all architectures. */
const NODE_24 = {
  label: 'Node.js 24',
  image: 'node@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d',
}

const argv = (...values: string[]) => values.map((value) => ({ value }))

type Variable = {
  name: Words
  description?: Words
  default: string
  environmentVariable: string
  editable: boolean
  rules: string
  secret?: boolean
}
type Accepts = Pick<Variable, 'rules' | 'secret' | 'description'>

const variable = (name: Words, [environmentVariable, value]: [string, string], accepts: Accepts): Variable => ({
  name,
  default: value,
  environmentVariable,
  editable: true,
  ...accepts,
})

const maxPlayers = (preset: string, most: number) =>
  variable(words('Player limit', 'Játékosok legnagyobb száma', 'Höchstzahl der Spieler'), ['MAX_PLAYERS', preset], {
    rules: `required|integer|between:1,${most}`,
    description: words(
      'More players need more memory.',
      'Több játékoshoz több memória kell.',
      'Mehr Spieler brauchen mehr Arbeitsspeicher.',
    ),
  })

const minecraftVariables = [
  variable(
    words('Greeting in the server list', 'Üdvözlő sor a szerverlistában', 'Begrüßung in der Serverliste'),
    ['SERVER_MOTD', 'Bakter'],
    { rules: 'nullable|string|max:59' },
  ),
  maxPlayers('20', 200),
]

const minecraftGuide = { baseMemoryMiB: 0, playerMemoryMiB: 100 }

/** Templates that run on any machine with Node: their programs belong to the agent. */
const runningHere = [
  {
    slug: 'minecraft-flying-squid',
    name: 'Minecraft (flying-squid)',
    description: words(
      'A light Minecraft server written in JavaScript; runs without Docker.',
      'Könnyű, JavaScriptben írt Minecraft-szerver; Docker nélkül is fut.',
      'Ein leichter Minecraft-Server in JavaScript; läuft ohne Docker.',
    ),
    runtimes: ['process', 'docker'],
    needsInternet: false,
    dockerImages: [NODE_24],
    installationProgram: [{ arguments: argv('node', '{{program:flying-squid-install}}'), timeoutSeconds: 900 }],
    startupProgram: argv('node', '{{program:flying-squid}}'),
    startupText: ')! For help, type',
    stopCommand: 'stop',
    versionVariable: 'MINECRAFT_VERSION',
    ...minecraftGuide,
    queryType: 'protocol-minecraftvanilla',
    requiredPorts: 1,
    variables: [
      ...minecraftVariables,
      variable(words('Game version', 'Játékverzió', 'Spielversion'), ['MINECRAFT_VERSION', '1.21.4'], {
        rules: 'required|regex:/^1\\.\\d{1,2}(\\.\\d{1,2})?$/',
        description: words(
          'Each version has a world of its own.',
          'Minden verziónak saját világa van.',
          'Jede Version hat eine eigene Welt.',
        ),
      }),
      variable(words('Creative mode', 'Kreatív mód', 'Kreativmodus'), ['CREATIVE_MODE', '1'], {
        rules: 'required|boolean',
        description: words(
          'New players build freely; otherwise they have to survive.',
          'Az új játékosok szabadon építhetnek; kikapcsolva túl kell élniük.',
          'Neue Spieler bauen frei; sonst müssen sie überleben.',
        ),
      }),
      variable(words('Difficulty', 'Nehézség', 'Schwierigkeit'), ['DIFFICULTY', 'easy'], {
        rules: 'required|in:peaceful,easy,normal,hard',
      }),
    ],
  },
  {
    slug: 'nodejs-application',
    name: 'Node.js application',
    description: words(
      'Runs your own program; comes with a small bot to start from.',
      'A saját programodat futtatja; kezdésnek kapsz hozzá egy kis botot.',
      'Führt dein eigenes Programm aus; ein kleiner Bot liegt als Anfang bei.',
    ),
    runtimes: ['process', 'docker'],
    needsInternet: false,
    dockerImages: [NODE_24],
    installationProgram: [{ arguments: argv('node', '{{program:nodejs-install}}'), timeoutSeconds: 600 }],
    startupProgram: argv('node', '{{root}}/{{env:MAIN_FILE}}'),
    startupText: 'ready',
    stopCommand: '^C',
    requiredPorts: 1,
    variables: [
      variable(words('Main file', 'Indítandó fájl', 'Startdatei'), ['MAIN_FILE', 'index.js'], {
        rules: 'required|string|max:128|ends_with:.js,.mjs,.cjs',
        description: words(
          'Its path from the main folder of your files.',
          'Az útvonala a fájljaid főmappájától.',
          'Der Pfad ab dem Hauptordner deiner Dateien.',
        ),
      }),
    ],
  },
] as const

/** Their images follow moving tags, so staff choose a digest that they trust. */
const pulled = (text: Words) => ({
  description: text,
  runtimes: ['docker'],
  needsInternet: true,
  dockerImages: [],
})

const needsDocker = words(
  'Needs Docker on the machine and internet access for the installation. Enter an image by its digest.',
  'A gépen Docker, a telepítéshez internet szükséges; a lemezképet a digestjével kell megadni.',
  'Braucht Docker auf der Maschine und Internet für die Installation. Gib ein Image mit seinem Digest an.',
)

/** Templates whose images and game files are fetched from the internet. */
const fetched = [
  {
    ...pulled(needsDocker),
    slug: 'minecraft-paper',
    name: 'Minecraft (Paper)',
    startupProgram: argv('java', '-Xms128M', '-Xmx{{memoryMiB}}M', '-jar', 'server.jar', '--nogui'),
    startupText: ')! For help, type',
    stopCommand: 'stop',
    versionVariable: 'MINECRAFT_VERSION',
    ...minecraftGuide,
    queryType: 'protocol-minecraftvanilla',
    requiredPorts: 1,
    variables: [
      variable(words('Version', 'Verzió', 'Version'), ['MINECRAFT_VERSION', 'latest'], {
        rules: 'required|string|max:20',
      }),
      ...minecraftVariables,
    ],
    describedFiles: JSON.stringify(describedFiles['minecraft-paper'], null, 2),
  },
  {
    ...pulled(needsDocker),
    slug: 'csgo',
    name: 'Counter-Strike: Global Offensive',
    startupProgram: argv(
      './srcds_run',
      '-game',
      'csgo',
      '-console',
      '-port',
      '{{port}}',
      '+map',
      '{{env:SRCDS_MAP}}',
      '+sv_setsteamaccount',
      '{{env:STEAM_ACC}}',
    ),
    startupText: 'Connection to Steam servers successful',
    stopCommand: 'quit',
    queryType: 'csgo',
    requiredPorts: 2,
    variables: [
      variable(words('Map', 'Pálya', 'Karte'), ['SRCDS_MAP', 'de_dust2'], {
        rules: 'required|alpha_dash|max:64',
      }),
      variable(words('Steam account token', 'Steam-fiók tokenje', 'Steam-Kontotoken'), ['STEAM_ACC', ''], {
        rules: 'nullable|alpha_num|size:32',
        secret: true,
      }),
    ],
  },
  {
    ...pulled(needsDocker),
    slug: 'fivem',
    name: 'FiveM',
    startupProgram: argv(
      './alpine/opt/cfx-server/FXServer',
      '+set',
      'sv_licenseKey',
      '{{env:FIVEM_LICENSE}}',
      '+exec',
      'server.cfg',
    ),
    startupText: 'succeeded. Welcome!',
    stopCommand: 'quit',
    requiredPorts: 2,
    variables: [
      variable(words('Licence key', 'Licenckulcs', 'Lizenzschlüssel'), ['FIVEM_LICENSE', ''], {
        rules: 'nullable|string|max:64',
        secret: true,
      }),
    ],
  },
  {
    ...pulled(needsDocker),
    slug: 'mta',
    name: 'Multi Theft Auto: San Andreas',
    startupProgram: argv('./mta-server64', '--port', '{{port}}', '--httpport', '{{port:1}}', '-n'),
    startupText: 'Server started and is ready',
    stopCommand: 'shutdown',
    requiredPorts: 3,
    variables: [maxPlayers('32', 200)],
  },
  {
    ...pulled(needsDocker),
    slug: 'arma3',
    name: 'Arma 3',
    startupProgram: argv('./arma3server_x64', '-port={{port}}', '-config=server.cfg', '-world=empty', '-noSound'),
    startupText: 'Dedicated host created',
    stopCommand: '^C',
    requiredPorts: 4,
    variables: [variable(words('Mods', 'Modok', 'Mods'), ['MODIFICATIONS', ''], { rules: 'nullable|string|max:1000' })],
  },
  {
    ...pulled(needsDocker),
    slug: 'conan-exiles',
    name: 'Conan Exiles',
    startupProgram: argv('wine', 'ConanSandboxServer.exe', '-Port={{port}}', '-QueryPort={{port:1}}', '-log'),
    startupText: 'Engine is initialized',
    stopCommand: '^C',
    queryType: 'conanexiles',
    queryPort: 1,
    requiredPorts: 3,
    variables: [
      variable(words('Server name', 'A szerver neve', 'Servername'), ['SERVER_NAME', 'Bakter'], {
        rules: 'required|string|max:64',
      }),
      maxPlayers('40', 200),
    ],
  },
] as const

export const templates = [...runningHere, ...fetched]
