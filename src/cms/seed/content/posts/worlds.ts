import type { PostSeed } from './post-seed.ts'

/** Posts about worlds, and the plugins that work in them. */
export const worldPosts: readonly PostSeed[] = [
  {
    drawing: 'moving',
    publishedAt: '2026-11-04T08:00:00.000Z',
    tags: ['minecraft', 'worlds'],
    en: {
      title: 'Moving a Minecraft world without losing a block',
      slug: 'moving-a-minecraft-world',
      lead: 'A world is a folder. Moving it is copying that folder, on one condition: nobody may write into it meanwhile.',
      body: [
        { heading: 'Before you copy' },
        {
          steps: [
            'Stop the old server and wait until its console says that the world is saved.',
            'Note the exact version of the old server. A newer one upgrades the world, an older one refuses it.',
            'Pack the folder “world” into a zip; with Paper, also “world_nether” and “world_the_end”.',
          ],
        },
        { heading: 'Into the new server' },
        {
          steps: [
            'Stop the new server, too.',
            'Open “Files” and rename its own “world”, so that you can go back.',
            'Drag the zip onto the page. An upload that breaks off continues by itself.',
            'Extract it there, and start the server.',
          ],
        },
        {
          text: 'Large worlds travel better by SFTP: the same page shows host, port and username for your own program.',
        },
        { heading: 'If you end up in a different world' },
        {
          text: 'Then the server has made a new one, because it looks for another name. The folder name is set here:',
        },
        { code: 'level-name=world', title: 'server.properties' },
        {
          note: 'Delete the old copy only after everyone has walked through their house. Files that you delete here stay in the bin for seven days.',
          title: 'Keep the old one.',
        },
      ],
    },
    hu: {
      title: 'Minecraft-világ költöztetése úgy, hogy egy blokk se vesszen el',
      slug: 'minecraft-vilag-koltoztetese',
      lead: 'A világ egy mappa. A költöztetés annyi, hogy lemásolod, egy feltétellel: közben senki sem írhat bele.',
      body: [
        { heading: 'Mielőtt másolsz' },
        {
          steps: [
            'Állítsd le a régi szervert, és várd meg, amíg a konzol szerint elmentette a világot.',
            'Jegyezd fel a régi szerver pontos verzióját. Az újabb verzió átalakítja a világot, a régebbi el sem fogadja.',
            'Tömörítsd zipbe a „world” mappát, Papernél a „world_nether” és a „world_the_end” mappát is.',
          ],
        },
        { heading: 'Az új szerverre' },
        {
          steps: [
            'Az új szervert is állítsd le.',
            'Nyisd meg a „Fájlok” oldalt, és nevezd át a saját „world” mappáját, hogy legyen visszaút.',
            'Húzd a zipet az oldalra. A megszakadt feltöltés magától folytatódik.',
            'Csomagold ki ott, és indítsd el a szervert.',
          ],
        },
        {
          text: 'A nagy világnak jobb az SFTP: ugyanaz az oldal megmutatja a kiszolgálót, a portot és a felhasználónevet a saját programodhoz.',
        },
        { heading: 'Ha egy másik világban állsz' },
        { text: 'Akkor a szerver újat készített, mert más nevet keres. A mappa neve itt áll:' },
        { code: 'level-name=world', title: 'server.properties' },
        {
          note: 'A régi másolatot csak akkor töröld, amikor már mindenki körbejárta a házát. Amit itt törölsz, hét napig a lomtárban marad.',
          title: 'Tartsd meg a régit.',
        },
      ],
    },
    de: {
      title: 'Eine Minecraft-Welt umziehen, ohne einen Block zu verlieren',
      slug: 'minecraft-welt-umziehen',
      lead: 'Eine Welt ist ein Ordner. Umziehen heißt, ihn zu kopieren, unter einer Bedingung: Währenddessen darf niemand hineinschreiben.',
      body: [
        { heading: 'Bevor du kopierst' },
        {
          steps: [
            'Stoppe den alten Server und warte, bis seine Konsole meldet, dass die Welt gespeichert ist.',
            'Notiere die genaue Version des alten Servers. Eine neuere wandelt die Welt um, eine ältere lehnt sie ab.',
            'Packe den Ordner „world“ in ein Zip, bei Paper auch „world_nether“ und „world_the_end“.',
          ],
        },
        { heading: 'Auf den neuen Server' },
        {
          steps: [
            'Stoppe auch den neuen Server.',
            'Öffne „Dateien“ und benenne seinen eigenen Ordner „world“ um, damit du zurück kannst.',
            'Zieh das Zip auf die Seite. Ein abgebrochener Upload wird von selbst fortgesetzt.',
            'Entpacke es dort und starte den Server.',
          ],
        },
        {
          text: 'Große Welten reisen besser über SFTP: Dieselbe Seite zeigt Host, Port und Benutzernamen für dein eigenes Programm.',
        },
        { heading: 'Wenn du in einer anderen Welt stehst' },
        {
          text: 'Dann hat der Server eine neue angelegt, weil er einen anderen Namen sucht. Der Name des Ordners steht hier:',
        },
        { code: 'level-name=world', title: 'server.properties' },
        {
          note: 'Lösche die alte Kopie erst, wenn alle einmal durch ihr Haus gegangen sind. Was du hier löschst, bleibt sieben Tage im Papierkorb.',
          title: 'Behalte die alte.',
        },
      ],
    },
  },
  {
    drawing: 'plugins',
    publishedAt: '2026-10-21T08:00:00.000Z',
    tags: ['plugins', 'minecraft', 'worlds'],
    en: {
      title: 'Before you add a plugin, make your own copy',
      slug: 'plugins-and-your-own-copy',
      lead: 'Most worlds aren’t broken by players but by updates. Ten minutes before a new plugin save an evening after it.',
      body: [
        { heading: 'Three words that get mixed up' },
        {
          list: [
            'A plugin changes the server. Players need nothing.',
            'A mod changes the game itself. Every player needs it, too.',
            'A data pack changes rules of a world and lives in its folder.',
          ],
        },
        { heading: 'Make a copy of your own' },
        {
          steps: [
            'Stop the server: a world that is being written can’t be copied whole.',
            'Select “world” and “plugins” in “Files”, create an archive, and download it.',
            'Open the archive on your computer once. A copy that nobody has opened is only a hope.',
          ],
        },
        {
          note: 'Archives count towards the storage of the server. Delete them there once you have them.',
          title: 'Mind the storage.',
        },
        { heading: 'One at a time' },
        {
          text: 'Upload one plugin, start, and read the console until the server is running. Two in one go only tell you that one of them is to blame. If it fails, the log usually names it:',
        },
        { code: '[ERROR] Could not load plugins/Shop.jar in folder plugins', title: 'Console' },
        {
          text: 'Remove the file, start again, and look for a version of the plugin that fits your server. Nothing works any more? Put your copy back: stop, rename the broken folders, upload the archive and extract it.',
        },
      ],
    },
    hu: {
      title: 'Új plugin, és előtte egy saját másolat',
      slug: 'plugin-es-sajat-masolat',
      lead: 'A világokat többnyire nem a játékosok teszik tönkre, hanem a frissítések. Tíz perc az új plugin előtt megspórol egy estét utána.',
      body: [
        { heading: 'Három szó, amelyet sokan kevernek' },
        {
          list: [
            'A plugin a szervert változtatja meg. A játékosoknak nem kell hozzá semmi.',
            'A mod magát a játékot változtatja meg. Minden játékosnak kell.',
            'Az adatcsomag egy világ szabályait változtatja meg, és a világ mappájában lakik.',
          ],
        },
        { heading: 'Készíts saját másolatot' },
        {
          steps: [
            'Állítsd le a szervert: amit éppen írnak, azt nem lehet épen lemásolni.',
            'Jelöld ki a „Fájlok” oldalon a „world” és a „plugins” mappát, készíts belőlük archívumot, és töltsd le.',
            'Nyisd meg egyszer a gépeden. Az a másolat, amelyet még senki sem nyitott meg, csak remény.',
          ],
        },
        {
          note: 'Az archívum beleszámít a szerver tárhelyébe. Ha már nálad van, ott töröld.',
          title: 'Figyelj a tárhelyre.',
        },
        { heading: 'Egyszerre csak egyet' },
        {
          text: 'Tölts fel egy plugint, indítsd el a szervert, és olvasd a konzolt, amíg el nem indul. Ha kettőt teszel fel, csak annyit tudsz meg, hogy az egyik a hibás. A napló többnyire megnevezi:',
        },
        { code: '[ERROR] Could not load plugins/Shop.jar in folder plugins', title: 'Konzol' },
        {
          text: 'Vedd le a fájlt, indítsd újra, és keress a pluginból a szerveredhez illő verziót. Már semmi sem megy? Tedd vissza a másolatodat: állítsd le a szervert, nevezd át a hibás mappákat, töltsd fel az archívumot, és csomagold ki.',
        },
      ],
    },
    de: {
      title: 'Ein neues Plugin, und vorher eine eigene Kopie',
      slug: 'plugins-und-eigene-kopie',
      lead: 'Die meisten Welten gehen nicht durch Spieler kaputt, sondern durch Updates. Zehn Minuten vor dem neuen Plugin ersparen dir einen Abend danach.',
      body: [
        { heading: 'Drei Wörter, die oft verwechselt werden' },
        {
          list: [
            'Ein Plugin ändert den Server. Die Spieler brauchen dafür nichts.',
            'Eine Mod ändert das Spiel selbst. Jeder Spieler braucht sie auch.',
            'Ein Datenpaket ändert Regeln einer Welt und liegt in ihrem Ordner.',
          ],
        },
        { heading: 'Mach eine eigene Kopie' },
        {
          steps: [
            'Stoppe den Server: Eine Welt, in die gerade geschrieben wird, lässt sich nicht ganz kopieren.',
            'Wähle unter „Dateien“ die Ordner „world“ und „plugins“, erstelle ein Archiv und lade es herunter.',
            'Öffne es einmal auf deinem Rechner. Eine Kopie, die noch niemand geöffnet hat, ist nur eine Hoffnung.',
          ],
        },
        {
          note: 'Archive zählen zum Speicherplatz des Servers. Lösche sie dort, sobald du sie hast.',
          title: 'Achte auf den Speicherplatz.',
        },
        { heading: 'Eins nach dem anderen' },
        {
          text: 'Lade ein Plugin hoch, starte und lies die Konsole, bis der Server läuft. Zwei auf einmal sagen dir nur, dass eines davon schuld ist. Meist nennt das Protokoll den Namen:',
        },
        { code: '[ERROR] Could not load plugins/Shop.jar in folder plugins', title: 'Konsole' },
        {
          text: 'Entferne die Datei, starte wieder und suche eine Version des Plugins, die zu deinem Server passt. Geht gar nichts mehr? Spiele deine Kopie zurück: stoppen, die kaputten Ordner umbenennen, das Archiv hochladen und entpacken.',
        },
      ],
    },
  },
]
