import type { TemplateFiles } from '#contracts/panel/described-files.ts'
import { words } from '../../fields/languages.ts'
import type { Words } from '../../fields/languages.ts'

type File = TemplateFiles[number]
type Field = File['fields'][number]
type Said = { readonly name: Words; readonly help: Words }

const INT_MAX = 2_147_483_647
const HOUR_TICKS = 72_000

const inGroup =
  (group: string) =>
  (name: string, kind: Field['kind'], { name: called, help }: Said): Field => ({
    key: `${group}.${name}`,
    group,
    kind,
    name: called,
    help,
  })

const on = { is: 'switch', preset: 'true' } as const
const upTo = (max: number, preset: number) => ({ is: 'number', min: -1, max, preset: String(preset) }) as const
const said = (name: Words, help: Words): Said => ({ name, help })

const setting = inGroup('settings')
const limit = inGroup('spawn-limits')
const ticks = inGroup('ticks-per')

const settings = [
  setting(
    'allow-end',
    on,
    said(
      words('The End', 'A Vég', 'Das Ende'),
      words('Players can travel to the End.', 'A játékosok eljuthatnak a Végbe.', 'Spieler können ins Ende reisen.'),
    ),
  ),
  setting(
    'connection-throttle',
    upTo(INT_MAX, 4000),
    said(
      words('Pause between joins', 'Szünet két belépés között', 'Pause zwischen zwei Beitritten'),
      words(
        'Milliseconds that one address has to wait between two joins. Behind a proxy set it to -1, which means no pause.',
        'Ennyi ezredmásodpercet vár egy cím két belépés között. Proxy mögött legyen -1, azaz nincs szünet.',
        'So viele Millisekunden wartet eine Adresse zwischen zwei Beitritten. Hinter einem Proxy -1, also keine Pause.',
      ),
    ),
  ),
  setting(
    'shutdown-message',
    { is: 'text', preset: 'Server closed' },
    said(
      words('Message at the stop', 'Üzenet leálláskor', 'Nachricht beim Stoppen'),
      words(
        'Players read this when the server stops.',
        'Ezt olvassák a játékosok, amikor a szerver leáll.',
        'Das lesen Spieler, wenn der Server stoppt.',
      ),
    ),
  ),
  setting(
    'query-plugins',
    on,
    said(
      words('Plugins in the query', 'Pluginek a lekérdezésben', 'Plugins in der Abfrage'),
      words(
        'Anyone who queries the server sees the list of its plugins.',
        'Aki lekérdezi a szervert, látja a pluginek listáját.',
        'Wer den Server abfragt, sieht die Liste seiner Plugins.',
      ),
    ),
  ),
  setting(
    'warn-on-overload',
    on,
    said(
      words('Warning when overloaded', 'Figyelmeztetés túlterheléskor', 'Warnung bei Überlastung'),
      words(
        'The console says when the server cannot keep up.',
        'A konzol szól, ha a szerver nem bírja az iramot.',
        'Die Konsole meldet, wenn der Server nicht mehr hinterherkommt.',
      ),
    ),
  ),
  setting(
    'deprecated-verbose',
    {
      is: 'choice',
      options: ['default', 'true', 'false'],
      names: {
        default: words('For plugin developers', 'Pluginfejlesztőknek', 'Für Plugin-Entwickler'),
        true: words('Always', 'Mindig', 'Immer'),
        false: words('Never', 'Soha', 'Nie'),
      },
      preset: 'default',
    },
    said(
      words('Outdated plugins', 'Elavult pluginek', 'Veraltete Plugins'),
      words(
        'When the console names plugins that use outdated functions.',
        'Mikor nevezze meg a konzol azokat a plugineket, amelyek elavult funkciókat használnak.',
        'Wann die Konsole Plugins nennt, die veraltete Funktionen nutzen.',
      ),
    ),
  ),
  setting(
    'permissions-file',
    { is: 'text', preset: 'permissions.yml' },
    said(
      words('File of permissions', 'Jogosultságok fájlja', 'Datei der Rechte'),
      words(
        'The file with permissions of your own.',
        'A saját jogosultságaidat tartalmazó fájl.',
        'Die Datei mit eigenen Rechten.',
      ),
    ),
  ),
  setting(
    'update-folder',
    { is: 'text', preset: 'update' },
    said(
      words('Folder of updates', 'Frissítések mappája', 'Ordner der Updates'),
      words(
        'A plugin put into this folder below plugins replaces the old one at the next start.',
        'Az ebbe a mappába (a plugins alatt) tett plugin a következő indításkor lecseréli a régit.',
        'Ein Plugin in diesem Ordner unter plugins ersetzt beim nächsten Start das alte.',
      ),
    ),
  ),
]

const perPlayers = words(
  'The most of them in a world, for each player who is there.',
  'Játékosonként legfeljebb ennyi lehet egy világban.',
  'So viele gibt es höchstens in einer Welt, je Spieler.',
)
const creature = (key: string, name: Words, preset: number): Field =>
  limit(key, upTo(10_000, preset), said(name, perPlayers))
const limits = [
  creature('monsters', words('Monsters', 'Szörnyek', 'Monster'), 70),
  creature('animals', words('Animals', 'Állatok', 'Tiere'), 10),
  creature('water-animals', words('Water animals', 'Vízi állatok', 'Wassertiere'), 5),
  creature('water-ambient', words('Fish', 'Halak', 'Fische'), 20),
  creature('water-underground-creature', words('Glow squid', 'Világító tintahalak', 'Leuchttintenfische'), 5),
  creature('axolotls', words('Axolotls', 'Axolotlok', 'Axolotl'), 5),
  creature('ambient', words('Bats', 'Denevérek', 'Fledermäuse'), 15),
]

const rest = [
  inGroup('chunk-gc')(
    'period-in-ticks',
    { is: 'number', min: 1, max: HOUR_TICKS, preset: '600' },
    said(
      words('Clearing of chunks', 'Chunkok kiürítése', 'Aufräumen der Chunks'),
      words(
        'Ticks between two searches for chunks that nobody needs. 20 ticks are a second.',
        'Ennyi tickenként keresi a szerver a már nem kellő chunkokat. 20 tick egy másodperc.',
        'So viele Ticks liegen zwischen zwei Suchen nach Chunks, die niemand braucht. 20 Ticks sind eine Sekunde.',
      ),
    ),
  ),
  ticks(
    'monster-spawns',
    upTo(HOUR_TICKS, 1),
    said(
      words('Spawning of monsters', 'Szörnyek megjelenése', 'Erscheinen von Monstern'),
      words(
        'Ticks between two attempts to spawn monsters. Higher values need less processor.',
        'Ennyi tickenként próbál a szerver szörnyeket megjeleníteni. Nagyobb értékhez kevesebb processzor kell.',
        'So viele Ticks liegen zwischen zwei Versuchen, Monster erscheinen zu lassen. Höhere Werte brauchen weniger Prozessor.',
      ),
    ),
  ),
  ticks(
    'animal-spawns',
    upTo(HOUR_TICKS, 400),
    said(
      words('Spawning of animals', 'Állatok megjelenése', 'Erscheinen von Tieren'),
      words(
        'Ticks between two attempts to spawn animals. Higher values need less processor.',
        'Ennyi tickenként próbál a szerver állatokat megjeleníteni. Nagyobb értékhez kevesebb processzor kell.',
        'So viele Ticks liegen zwischen zwei Versuchen, Tiere erscheinen zu lassen. Höhere Werte brauchen weniger Prozessor.',
      ),
    ),
  ),
  ticks(
    'autosave',
    { is: 'number', min: 0, max: HOUR_TICKS, preset: '6000' },
    said(
      words('Saving of the world', 'A világ mentése', 'Speichern der Welt'),
      words(
        'Ticks between two saves; 6000 are five minutes. 0 means never.',
        'Ennyi tickenként ment a szerver; 6000 tick öt perc. A 0 azt jelenti, hogy soha.',
        'So viele Ticks liegen zwischen zwei Speicherungen; 6000 sind fünf Minuten. 0 heißt nie.',
      ),
    ),
  ),
]

/** Bukkit's own settings, which Paper reads when it starts (https://bukkit.fandom.com/wiki/Bukkit.yml). */
const bukkit: File = {
  path: 'bukkit.yml',
  format: 'yaml',
  groups: [
    { id: 'settings', name: words('Server', 'Szerver', 'Server') },
    { id: 'spawn-limits', name: words('Most creatures', 'Élőlények száma', 'Zahl der Kreaturen') },
    { id: 'ticks-per', name: words('Spawning and saving', 'Megjelenés és mentés', 'Erscheinen und Speichern') },
    { id: 'chunk-gc', name: words('Memory', 'Memória', 'Arbeitsspeicher') },
  ],
  fields: [...settings, ...limits, ...rest],
}

/** The files that templates describe, by the template's slug. */
export const describedFiles: Readonly<Record<string, TemplateFiles>> = { 'minecraft-paper': [bukkit] }
