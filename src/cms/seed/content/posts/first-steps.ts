import type { PostSeed } from './post-seed.ts'

/** Posts for somebody who is about to rent a server. */
export const firstPosts: readonly PostSeed[] = [
  {
    drawing: 'memory',
    publishedAt: '2026-11-18T08:00:00.000Z',
    tags: ['minecraft', 'performance', 'first-steps'],
    en: {
      title: 'How much memory does a Minecraft server need?',
      slug: 'how-much-memory-for-minecraft',
      lead: 'Less than you fear for a few friends, more than you think for a modpack. How to choose a size, and how to see afterwards whether it was the right one.',
      body: [
        { heading: 'Where the memory goes' },
        {
          text: 'A Minecraft server keeps the world around each player in memory, as chunks of 16 × 16 blocks. The number of chunks grows with the square of the view distance: at 8 there are 17 × 17 around a player, at 12 already 25 × 25. Plugins and mods add their own share, and Java needs some for itself.',
        },
        {
          table: [
            ['View distance', 'Chunks per player'],
            ['6', '169'],
            ['8', '289'],
            ['10', '441'],
            ['12', '625'],
          ],
        },
        { heading: 'A size to begin with' },
        {
          list: [
            'Two to five friends, no plugins: 2 GB.',
            'Up to ten players and a handful of plugins: 4 GB.',
            'A modpack: start with the size its authors name, seldom below 6 GB.',
          ],
        },
        {
          note: 'Java needs memory besides its heap. Of 6 GB, about 1 GB should stay free for it.',
          title: 'Leave some room.',
        },
        { heading: 'Measure before you buy more' },
        {
          text: 'More memory won’t speed up a slow tick. Before you choose a larger size, lower the distances and look again:',
        },
        { code: 'view-distance=8\nsimulation-distance=6', title: 'server.properties' },
        {
          text: 'The console of your server shows its memory beside the log. If it stays near the limit with everybody online, or the log says OutOfMemoryError, the size is too small. You can [change the size](/dashboard/guides/services#change-the-size) later: the world stays where it is.',
        },
      ],
    },
    hu: {
      title: 'Mennyi memória kell egy Minecraft-szerverhez?',
      slug: 'mennyi-memoria-kell-minecrafthoz',
      lead: 'Pár barátnak kevesebb, mint amitől tartasz, egy modcsomagnak több, mint hinnéd. Így válassz méretet, és így derül ki utólag, hogy jól választottál-e.',
      body: [
        { heading: 'Hová megy a memória' },
        {
          text: 'A Minecraft-szerver minden játékos körül a memóriában tartja a világot, 16 × 16 blokkos darabokban, chunkokban. A számuk a látótávolság négyzetével nő: nyolcasnál 17 × 17, tizenkettesnél már 25 × 25 jut egy játékosra. A pluginok és a modok a magukét is hozzáteszik, és a Javának is kell valamennyi.',
        },
        {
          table: [
            ['Látótávolság', 'Chunk játékosonként'],
            ['6', '169'],
            ['8', '289'],
            ['10', '441'],
            ['12', '625'],
          ],
        },
        { heading: 'Mekkorával kezdj?' },
        {
          list: [
            'Két–öt barát, plugin nélkül: 2 GB.',
            'Legfeljebb tíz játékos és néhány plugin: 4 GB.',
            'Modcsomag: a készítői által javasolt méret, ritkán 6 GB alatt.',
          ],
        },
        {
          note: 'A Javának a halmon kívül is kell memória. 6 GB-ból nagyjából 1 GB maradjon szabadon neki.',
          title: 'Hagyj helyet.',
        },
        { heading: 'Mérj, mielőtt többet veszel' },
        {
          text: 'A több memóriától egyetlen lassú tick sem lesz gyorsabb. Mielőtt nagyobb méretet választasz, vedd lejjebb a távolságokat, és nézd meg újra:',
        },
        { code: 'view-distance=8\nsimulation-distance=6', title: 'server.properties' },
        {
          text: 'A szervered konzolja a napló mellett mutatja a memóriát. Ha mindenki fent van, és végig a határ közelében jár, vagy a naplóban OutOfMemoryError áll, akkor kicsi a méret. Később is [átméretezheted](/dashboard/guides/services#change-the-size): a világ ott marad, ahol van.',
        },
      ],
    },
    de: {
      title: 'Wie viel Arbeitsspeicher braucht ein Minecraft-Server?',
      slug: 'wie-viel-speicher-fuer-minecraft',
      lead: 'Für ein paar Freunde weniger, als du befürchtest, für ein Modpack mehr, als du denkst. So wählst du eine Größe, und so siehst du danach, ob sie passt.',
      body: [
        { heading: 'Wohin der Speicher geht' },
        {
          text: 'Ein Minecraft-Server hält die Welt um jeden Spieler im Speicher, in Chunks von 16 × 16 Blöcken. Die Zahl der Chunks wächst mit dem Quadrat der Sichtweite: Bei 8 sind es 17 × 17 um einen Spieler, bei 12 schon 25 × 25. Plugins und Mods brauchen ihren eigenen Anteil, und Java braucht etwas für sich.',
        },
        {
          table: [
            ['Sichtweite', 'Chunks pro Spieler'],
            ['6', '169'],
            ['8', '289'],
            ['10', '441'],
            ['12', '625'],
          ],
        },
        { heading: 'Eine Größe für den Anfang' },
        {
          list: [
            'Zwei bis fünf Freunde, keine Plugins: 2 GB.',
            'Bis zu zehn Spieler und eine Handvoll Plugins: 4 GB.',
            'Ein Modpack: die Größe, die seine Autoren nennen, selten unter 6 GB.',
          ],
        },
        {
          note: 'Java braucht Speicher neben seinem Heap. Von 6 GB sollte etwa 1 GB dafür frei bleiben.',
          title: 'Lass etwas Platz.',
        },
        { heading: 'Miss, bevor du mehr kaufst' },
        {
          text: 'Mehr Speicher macht keinen langsamen Tick schneller. Bevor du eine größere Größe wählst, senke die Entfernungen und sieh noch einmal nach:',
        },
        { code: 'view-distance=8\nsimulation-distance=6', title: 'server.properties' },
        {
          text: 'Die Konsole deines Servers zeigt den Speicher neben dem Protokoll. Bleibt er nahe an der Grenze, wenn alle online sind, oder steht OutOfMemoryError im Protokoll, ist die Größe zu klein. Du kannst [die Größe später ändern](/dashboard/guides/services#change-the-size): Die Welt bleibt, wo sie ist.',
        },
      ],
    },
  },
  {
    drawing: 'trial',
    publishedAt: '2026-11-11T08:00:00.000Z',
    tags: ['first-steps', 'support'],
    en: {
      title: 'One day, one server: how to use a free test server well',
      slug: 'using-a-free-test-server',
      lead: 'A test server runs for one day and costs nothing. A day is enough to answer four questions, if you ask them in the right order.',
      body: [
        { heading: 'How you get one' },
        {
          text: 'Register, confirm your e-mail address, and [open a ticket](/dashboard/ticket) with the game that you would like to try. Every customer can have one test server. It is a whole server: console, files, SFTP, ports and collaborators work as they do on a paid one.',
        },
        { heading: 'Four questions for one day' },
        {
          steps: [
            'Is the connection good? Join from home, and ask the friend who lives furthest away to join too.',
            'Does everything start? Upload your plugins or mods and read the first start in the console.',
            'Does it hold with everyone online? Choose the evening for it and not the afternoon.',
            'Do you find your way around? Change a setting, restart, restore a deleted file from the bin.',
          ],
        },
        { heading: 'When the day is over' },
        {
          text: 'The server stops, and its files stay for three more days. Until then you can keep it from its settings as a normal server, with everything on it, or download your folder. Nothing is charged by itself.',
        },
        {
          note: 'Ask for it when your friends have time: the day begins when the server is granted.',
          title: 'Choose the day.',
        },
      ],
    },
    hu: {
      title: 'Egy nap, egy szerver: így használd jól az ingyenes tesztszervert',
      slug: 'ingyenes-tesztszerver-jol',
      lead: 'A tesztszerver egy napig fut, és nem kerül semmibe. Egy nap elég négy kérdéshez, ha jó sorrendben teszed fel őket.',
      body: [
        { heading: 'Így kapsz egyet' },
        {
          text: 'Regisztrálj, erősítsd meg az e-mail-címedet, és [nyiss hibajegyet](/dashboard/ticket) azzal a játékkal, amelyet kipróbálnál. Minden ügyfélnek egy tesztszerver jár. Teljes értékű szerver: a konzol, a fájlok, az SFTP, a portok és a közreműködők ugyanúgy működnek rajta, mint egy fizetősön.',
        },
        { heading: 'Négy kérdés egy napra' },
        {
          steps: [
            'Jó a kapcsolat? Lépj be otthonról, és kérd meg a legtávolabb lakó barátodat is.',
            'Minden elindul? Töltsd fel a pluginjaidat vagy a modjaidat, és olvasd végig a konzolban az első indulást.',
            'Bírja, ha mindenki fent van? Ehhez az estét válaszd, ne a délutánt.',
            'Eligazodsz rajta? Írj át egy beállítást, indítsd újra, és hozz vissza egy törölt fájlt a lomtárból.',
          ],
        },
        { heading: 'Amikor letelt a nap' },
        {
          text: 'A szerver leáll, a fájljai még három napig megmaradnak. Addig a beállításainál megtarthatod rendes szerverként, mindennel együtt, vagy letöltheted a mappádat. Magától semmit sem vonunk le.',
        },
        {
          note: 'Akkor kérd, amikor a barátaid is ráérnek: a nap akkor kezdődik, amikor megkapod a szervert.',
          title: 'Válaszd meg a napot.',
        },
      ],
    },
    de: {
      title: 'Ein Tag, ein Server: so nutzt du den kostenlosen Testserver gut',
      slug: 'kostenlosen-testserver-nutzen',
      lead: 'Ein Testserver läuft einen Tag und kostet nichts. Ein Tag reicht für vier Fragen, wenn du sie in der richtigen Reihenfolge stellst.',
      body: [
        { heading: 'So bekommst du einen' },
        {
          text: 'Registriere dich, bestätige deine E-Mail-Adresse und [öffne ein Ticket](/dashboard/ticket) mit dem Spiel, das du ausprobieren möchtest. Jeder Kunde kann einen Testserver haben. Er ist ein ganzer Server: Konsole, Dateien, SFTP, Ports und Mitwirkende funktionieren wie auf einem bezahlten.',
        },
        { heading: 'Vier Fragen für einen Tag' },
        {
          steps: [
            'Ist die Verbindung gut? Tritt von zu Hause bei, und bitte den Freund darum, der am weitesten weg wohnt.',
            'Startet alles? Lade deine Plugins oder Mods hoch und lies den ersten Start in der Konsole.',
            'Hält er, wenn alle online sind? Nimm dafür den Abend und nicht den Nachmittag.',
            'Findest du dich zurecht? Ändere eine Einstellung, starte neu, stelle eine gelöschte Datei aus dem Papierkorb wieder her.',
          ],
        },
        { heading: 'Wenn der Tag vorbei ist' },
        {
          text: 'Der Server stoppt, seine Dateien bleiben noch drei Tage. So lange kannst du ihn in seinen Einstellungen als normalen Server behalten, mit allem darauf, oder deinen Ordner herunterladen. Von selbst wird nichts abgebucht.',
        },
        {
          note: 'Frag danach, wenn deine Freunde Zeit haben: Der Tag beginnt, wenn der Server freigegeben wird.',
          title: 'Wähle den Tag.',
        },
      ],
    },
  },
]
