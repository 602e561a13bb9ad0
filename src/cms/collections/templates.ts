import type { CollectionConfig } from 'payload'
import { QUERY_TYPES } from '#contracts/agent/player-query.ts'
import type { QueryType } from '#contracts/agent/player-query.ts'
import { administrator } from '../access/administrator.ts'
import { MAX_DESCRIPTION, refuseBadFiles } from '../fields/described-files.ts'
import { refuseBadDoneTexts } from '../fields/done-texts.ts'
import { imageField } from '../fields/image-field.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'
import { slugField } from '../fields/slug-field.ts'
import { variableFields } from '../fields/variable-fields.ts'
import { keepWhileUsed } from '../hooks/keep-while-used.ts'
import { wholeNumber } from '../fields/whole-number.ts'

const queryNames: Readonly<Record<QueryType, string>> = {
  'protocol-minecraftvanilla': 'Minecraft: Java Edition',
  'protocol-minecraftbedrock': 'Minecraft: Bedrock Edition',
  'protocol-valve': 'Source (A2S)',
  arma3: 'Arma 3',
  conanexiles: 'Conan Exiles',
  counterstrike16: 'Counter-Strike 1.6',
  counterstrike2: 'Counter-Strike 2',
  csgo: 'Counter-Strike: Global Offensive',
  garrysmod: "Garry's Mod",
  rust: 'Rust',
}

const argumentHelp = words(
  'One argument per row, no shell: {{program:NAME}}, {{root}}, {{port}}, {{memoryMiB}} and {{env:NAME}} are filled in.',
  'Soronként egy argumentum, parancsértelmező nélkül; behelyettesítve: {{program:NÉV}}, {{root}}, {{port}}, {{memoryMiB}}, {{env:NÉV}}.',
  'Ein Argument je Zeile, ohne Shell; eingesetzt werden {{program:NAME}}, {{root}}, {{port}}, {{memoryMiB}} und {{env:NAME}}.',
)

/**
 * The limit of the wire to the agents (contracts/agent/server-spec.ts): a longer list is refused here and not at an
 * order.
 */
const MAX_ARGUMENTS = 64
const MAX_ARGUMENT_LENGTH = 4_096
const MAX_STOP_LENGTH = 256
const argument = [
  {
    name: 'value',
    type: 'text' as const,
    required: true,
    maxLength: MAX_ARGUMENT_LENGTH,
    label: words('Argument', 'Argumentum', 'Argument'),
  },
]

const argumentLabels = {
  singular: words('Argument', 'Argumentum', 'Argument'),
  plural: words('Arguments', 'Argumentumok', 'Argumente'),
}

export const Templates: CollectionConfig = {
  slug: 'templates',
  labels: {
    singular: words('Server template', 'Szerversablon', 'Servervorlage'),
    plural: words('Server templates', 'Szerversablonok', 'Servervorlagen'),
  },
  admin: { useAsTitle: 'name', group: groups.machines, defaultColumns: ['name', 'runtimes', 'needsInternet'] },
  access: { create: administrator, read: administrator, update: administrator, delete: administrator },
  hooks: {
    beforeDelete: [
      keepWhileUsed({
        collection: 'services',
        field: 'serverTemplate',
        sentence: words(
          "This template can't be deleted: services use it.",
          'Szolgáltatások használják ezt a sablont, ezért nem törölhető.',
          'Angebote verwenden diese Vorlage: Sie kann nicht gelöscht werden.',
        ),
      }),
      // Without its template a rule would be for servers of all.
      keepWhileUsed({
        collection: 'known-errors',
        field: 'templates',
        sentence: words(
          "This template can't be deleted: known errors use it.",
          'Ismert hibák használják ezt a sablont, ezért nem törölhető.',
          'Bekannte Fehler verwenden diese Vorlage: Sie kann nicht gelöscht werden.',
        ),
      }),
    ],
  },
  fields: [
    { name: 'name', type: 'text', required: true, maxLength: 80, label: words('Name', 'Név', 'Name') },
    slugField(),
    {
      name: 'description',
      type: 'textarea',
      localized: true,
      maxLength: 1000,
      label: words('Description', 'Leírás', 'Beschreibung'),
    },
    {
      name: 'runtimes',
      type: 'select',
      hasMany: true,
      required: true,
      defaultValue: ['docker'],
      label: words('Where it can run', 'Hol futhat', 'Wo sie laufen kann'),
      options: [
        { value: 'process', label: words('Process on the machine', 'Folyamat a gépen', 'Prozess auf der Maschine') },
        { value: 'docker', label: 'Docker' },
      ],
    },
    {
      name: 'needsInternet',
      type: 'checkbox',
      defaultValue: false,
      label: words(
        'Needs the internet to install',
        'Telepítéshez internet szükséges',
        'Braucht Internet für die Installation',
      ),
    },
    {
      name: 'dockerImages',
      type: 'array',
      label: words('Docker images', 'Docker-lemezképek', 'Docker-Images'),
      labels: {
        singular: words('Docker image', 'Docker-lemezkép', 'Docker-Image'),
        plural: words('Docker images', 'Docker-lemezképek', 'Docker-Images'),
      },
      admin: {
        description: words(
          'Images that servers can run in; new servers start with the first. Without one, the service cannot be ordered on Docker machines.',
          'Ezekben futhatnak a szerverek; az elsővel indulnak. Lemezkép nélkül Docker-gépre nem lehet rendelni.',
          'Images, in denen Server laufen können; neue starten mit dem ersten. Ohne Image lässt sich auf Docker-Maschinen nichts bestellen.',
        ),
      },
      fields: [
        { name: 'label', type: 'text', required: true, label: words('Label', 'Megnevezés', 'Bezeichnung') },
        imageField('image', { label: words('Image', 'Lemezkép', 'Image'), required: true }),
      ],
    },
    {
      name: 'startupProgram',
      type: 'array',
      minRows: 1,
      maxRows: MAX_ARGUMENTS,
      required: true,
      label: words('Startup program', 'Indítóprogram', 'Startprogramm'),
      labels: argumentLabels,
      admin: { description: argumentHelp },
      fields: argument,
    },
    {
      name: 'startupText',
      type: 'textarea',
      required: true,
      label: words('Text that means "running"', 'A futást jelző szöveg', 'Text, der „läuft“ bedeutet'),
      admin: {
        description: words(
          'One text per line. A line that begins with regex: is an expression.',
          'Soronként egy szöveg. A regex: kezdetű sor kifejezés.',
          'Ein Text je Zeile. Eine Zeile, die mit regex: beginnt, ist ein Ausdruck.',
        ),
      },
      validate: refuseBadDoneTexts,
    },
    {
      name: 'stopCommand',
      type: 'text',
      required: true,
      maxLength: MAX_STOP_LENGTH,
      label: words('Stop command', 'Leállító parancs', 'Stoppbefehl'),
      admin: {
        description: words(
          '^C and ^SIGTERM are signals.',
          'A ^C és a ^SIGTERM jelzés.',
          '^C und ^SIGTERM sind Signale.',
        ),
      },
    },
    {
      name: 'installationProgram',
      type: 'array',
      label: words('Installation program', 'Telepítőprogram', 'Installationsprogramm'),
      labels: {
        singular: words('Step', 'Lépés', 'Schritt'),
        plural: words('Steps', 'Lépések', 'Schritte'),
      },
      fields: [
        {
          name: 'arguments',
          type: 'array',
          required: true,
          minRows: 1,
          maxRows: MAX_ARGUMENTS,
          label: words('Arguments', 'Argumentumok', 'Argumente'),
          labels: argumentLabels,
          admin: { description: argumentHelp },
          fields: argument,
        },
        wholeNumber('timeoutSeconds', {
          required: false,
          min: 1,
          max: 7200,
          label: words('Time limit (seconds)', 'Időkorlát (másodperc)', 'Zeitlimit (Sekunden)'),
        }),
      ],
    },
    imageField('installationImage', {
      label: words('Installation image', 'A telepítés lemezképe', 'Image der Installation'),
      required: false,
    }),
    {
      name: 'installationScript',
      type: 'textarea',
      label: words('Installation script', 'Telepítőszkript', 'Installationsskript'),
      admin: {
        description: words(
          'Runs inside the installation container only.',
          'Csak a telepítés konténerében fut.',
          'Läuft nur im Installationscontainer.',
        ),
      },
    },
    {
      name: 'versionVariable',
      type: 'text',
      maxLength: 64,
      label: words('Variable of the version', 'A verzió változója', 'Variable der Version'),
      admin: {
        description: words(
          'Its default is the version that customers see when they rent, for example MINECRAFT_VERSION.',
          'Az alapértéke az a verzió, amelyet az ügyfél bérléskor lát, például MINECRAFT_VERSION.',
          'Der Vorgabewert ist die Version, die Kunden beim Mieten sehen, zum Beispiel MINECRAFT_VERSION.',
        ),
      },
    },
    {
      type: 'row',
      fields: [
        wholeNumber('baseMemoryMiB', {
          required: false,
          label: words('Memory without players (MiB)', 'Memória játékosok nélkül (MiB)', 'Speicher ohne Spieler (MiB)'),
        }),
        wholeNumber('playerMemoryMiB', {
          required: false,
          min: 1,
          label: words('Memory per player (MiB)', 'Memória játékosonként (MiB)', 'Speicher je Spieler (MiB)'),
        }),
      ],
    },
    {
      type: 'row',
      fields: [
        {
          name: 'queryType',
          type: 'select',
          label: words('Query of the players', 'Játékosok lekérdezése', 'Abfrage der Spieler'),
          options: QUERY_TYPES.map((type) => ({ value: type, label: queryNames[type] })),
          admin: {
            description: words(
              'The node asks the running game for its players at most once a minute, and less often, down to every ten minutes, while it is slow or does not respond. Without a query no players are shown.',
              'A node legfeljebb percenként egyszer kérdezi le a futó játék játékosait; ha a játék lassú vagy nem válaszol, ritkábban, akár csak tízpercenként. Lekérdezés nélkül nem látszanak játékosok.',
              'Der Node fragt das laufende Spiel höchstens einmal je Minute nach seinen Spielern. Ist es langsam oder antwortet es nicht, fragt er seltener, im äußersten Fall alle zehn Minuten. Ohne Abfrage werden keine Spieler angezeigt.',
            ),
          },
        },
        wholeNumber('queryPort', {
          required: false,
          max: 19,
          label: words('Port of the query', 'A lekérdezés portja', 'Port der Abfrage'),
          description: words(
            "Which of the server's ports is asked: N as in {{port:N}}. Empty means the primary port.",
            'A szerver melyik portját kérdezze: N, ahogy a {{port:N}} jelölésben. Üresen az elsődleges portot.',
            'Welcher Port des Servers gefragt wird: N wie in {{port:N}}. Leer bedeutet den Hauptport.',
          ),
        }),
      ],
    },
    wholeNumber('requiredPorts', {
      min: 1,
      max: 20,
      defaultValue: 1,
      label: words('Required ports', 'Szükséges portok', 'Benötigte Ports'),
    }),
    {
      name: 'variables',
      type: 'array',
      label: words('Variables', 'Változók', 'Variablen'),
      labels: {
        singular: words('Variable', 'Változó', 'Variable'),
        plural: words('Variables', 'Változók', 'Variablen'),
      },
      fields: variableFields,
    },
    {
      name: 'describedFiles',
      type: 'textarea',
      maxLength: MAX_DESCRIPTION,
      label: words('Configuration files', 'Beállításfájlok', 'Konfigurationsdateien'),
      admin: {
        description: words(
          'JSON of the files that customers edit as a form: path, format (properties or yaml), groups and fields with their names and explanations in English, Hungarian and German.',
          'JSON azokról a fájlokról, amelyeket az ügyfelek űrlapként szerkeszthetnek: útvonal, formátum (properties vagy yaml), csoportok és mezők, a nevük és a magyarázatuk angolul, magyarul és németül.',
          'JSON der Dateien, die Kunden als Formular bearbeiten: Pfad, Format (properties oder yaml), Gruppen und Felder, mit Namen und Erklärung auf Englisch, Ungarisch und Deutsch.',
        ),
      },
      validate: refuseBadFiles,
    },
  ],
}
