import type { GuideSeed } from './guide-seed.ts'

/** Guides to servers in use: the console, files and sharing. Guides to their troubles are in `server-troubles.ts`. */
export const serverGuides: readonly GuideSeed[] = [
  {
    slug: 'start-a-server',
    en: {
      title: 'Start a server and use its console',
      summary: 'From the power buttons to commands, players and the log.',
      words: 'turn on boot stop restart kill command op whitelist log join play',
      body: [
        {
          steps: [
            'Open the server from [My servers](/dashboard/servers). Its first page is the console.',
            'Choose “Start”. The log shows each line as the game prints it; once the status is “Running”, players can connect.',
            'Type a command into the line below the log and press Enter. Several pasted lines are sent in their order, after you confirm them.',
          ],
        },
        {
          list: [
            "“Stop” lets the game save its world first. “Kill” ends it immediately: what isn't saved is lost.",
            'Search the log with /, or show only warnings, errors or the chat.',
            'Select lines of the log to copy them or to share them by a link that ends by itself.',
          ],
        },
      ],
    },
    hu: {
      title: 'Szerver indítása és a konzol',
      summary: 'Az indítógombtól a parancsokig, a játékosokig és a naplóig.',
      words: 'bekapcsolás elindítani leállítás újraindítás parancs op whitelist log csatlakozás játék',
      body: [
        {
          steps: [
            'Nyisd meg a szervert a [Szervereim](/dashboard/servers) közül. Az első oldala a konzol.',
            'Válaszd az „Indítás” gombot. A napló minden sort megmutat, ahogy a játék kiírja; amikor az állapot „Fut”, a játékosok csatlakozhatnak.',
            'Írd be a parancsot a napló alatti sorba, és nyomd meg az Entert. Több beillesztett sort a megerősítésed után sorban küldünk el.',
          ],
        },
        {
          list: [
            'A „Leállítás” után a játék előbb elmenti a világát. Az „Azonnali leállítás” rögtön véget vet neki: ami nincs elmentve, elvész.',
            'A naplóban a / billentyűvel kereshetsz, és megmutathatod csak a figyelmeztetéseket, a hibákat vagy a csevegést.',
            'Jelölj ki sorokat a naplóban, ha másolni vagy magától lejáró linken megosztani szeretnéd őket.',
          ],
        },
      ],
    },
    de: {
      title: 'Server starten und die Konsole benutzen',
      summary: 'Von den Tasten zum Starten bis zu Befehlen, Spielern und dem Protokoll.',
      words: 'einschalten hochfahren stoppen neustart befehl op whitelist log beitreten spielen',
      body: [
        {
          steps: [
            'Öffne den Server unter [Meine Server](/dashboard/servers). Seine erste Seite ist die Konsole.',
            'Wähle „Starten“. Das Protokoll zeigt jede Zeile, wie das Spiel sie ausgibt; sobald der Status „Läuft“ ist, können Spieler beitreten.',
            'Gib einen Befehl in die Zeile unter dem Protokoll ein und drücke Enter. Mehrere eingefügte Zeilen werden nach deiner Bestätigung der Reihe nach gesendet.',
          ],
        },
        {
          list: [
            '„Stoppen“ lässt das Spiel zuerst seine Welt speichern. „Sofort beenden“ bricht es ab: Was nicht gespeichert ist, geht verloren.',
            'Mit / durchsuchst du das Protokoll, oder du zeigst nur Warnungen, Fehler oder den Chat.',
            'Markiere Zeilen des Protokolls, um sie zu kopieren oder über einen Link zu teilen, der von selbst abläuft.',
          ],
        },
      ],
    },
  },
  {
    slug: 'files-and-sftp',
    en: {
      title: 'Files and SFTP',
      summary: 'Upload, edit and restore files in the browser, or connect with your own program.',
      words: 'upload download world map mod plugin ftp winscp filezilla zip edit config deleted restore bin',
      body: [
        {
          text: 'Open a server from [My servers](/dashboard/servers) and go to “Files”. Drag files or whole folders onto the page to upload them; an upload that breaks off continues by itself. Text files open in an editor, archives can be created and extracted.',
        },
        {
          text: 'Deleted files go to the bin for seven days. The bin counts towards the storage of the server, and you can restore files from it or empty it.',
        },
        {
          steps: [
            'For your own program choose “SFTP” on the same page: it shows host, port and username.',
            "Sign in with your password, an [app password or an SSH key](/dashboard/settings/security#sftp). With two-step sign-in on, your own password doesn't open SFTP.",
            'On the first connection compare the fingerprint that your program shows with the one on the page.',
          ],
        },
      ],
    },
    hu: {
      title: 'Fájlok és SFTP',
      summary: 'Tölts fel, szerkessz és állíts vissza fájlokat a böngészőben, vagy csatlakozz a saját programoddal.',
      words:
        'feltöltés letöltés világ pálya mod plugin bővítmény ftp winscp filezilla zip szerkesztés törölt visszaállítás',
      body: [
        {
          text: 'Nyiss meg egy szervert a [Szervereim](/dashboard/servers) közül, és lépj a „Fájlok” oldalra. Fájlokat és egész mappákat az oldalra húzva tölthetsz fel; a megszakadt feltöltés magától folytatódik. A szövegfájlok szerkesztőben nyílnak meg, archívumot létrehozni és kicsomagolni is tudsz.',
        },
        {
          text: 'A törölt fájlok hét napra a lomtárba kerülnek. A lomtár beleszámít a szerver tárhelyébe; visszaállíthatsz belőle fájlokat, vagy kiürítheted.',
        },
        {
          steps: [
            'A saját programodhoz válaszd ugyanott az „SFTP” gombot: megmutatja a kiszolgálót, a portot és a felhasználónevet.',
            'Lépj be a jelszavaddal, [alkalmazásjelszóval vagy SSH-kulccsal](/dashboard/settings/security#sftp). Bekapcsolt kétlépcsős azonosításnál a saját jelszavaddal nem lehet SFTP-n belépni.',
            'Az első csatlakozáskor hasonlítsd össze a programod által mutatott ujjlenyomatot az oldalon láthatóval.',
          ],
        },
      ],
    },
    de: {
      title: 'Dateien und SFTP',
      summary: 'Dateien im Browser hochladen, bearbeiten und wiederherstellen, oder mit deinem Programm verbinden.',
      words:
        'hochladen herunterladen welt karte mod plugin ftp winscp filezilla zip bearbeiten gelöscht wiederherstellen',
      body: [
        {
          text: 'Öffne einen Server unter [Meine Server](/dashboard/servers) und geh zu „Dateien“. Zieh Dateien oder ganze Ordner auf die Seite, um sie hochzuladen; ein abgebrochener Upload läuft von selbst weiter. Textdateien öffnen sich in einem Editor, Archive kannst du erstellen und entpacken.',
        },
        {
          text: 'Gelöschte Dateien liegen sieben Tage im Papierkorb. Er zählt zum Speicherplatz des Servers; du kannst Dateien daraus wiederherstellen oder ihn leeren.',
        },
        {
          steps: [
            'Für dein eigenes Programm wähle auf derselben Seite „SFTP“: Dort stehen Host, Port und Benutzername.',
            'Melde dich mit deinem Passwort, einem [App-Passwort oder einem SSH-Schlüssel](/dashboard/settings/security#sftp) an. Bei eingeschalteter zweistufiger Anmeldung öffnet dein eigenes Passwort kein SFTP.',
            'Vergleiche bei der ersten Verbindung den Fingerabdruck, den dein Programm zeigt, mit dem auf der Seite.',
          ],
        },
      ],
    },
  },
  {
    slug: 'collaborators',
    en: {
      title: 'Share a server with collaborators',
      summary: 'Invite friends, choose exactly what they may do, and end it whenever you like.',
      words: 'friend admin access permission subuser share invite team moderator',
      body: [
        {
          steps: [
            'Open the server from [My servers](/dashboard/servers) and go to “Collaborators”.',
            "Choose “Invite” and enter the e-mail address of your friend's account. The address must be confirmed there.",
            'Choose a set of permissions or single ones, and a last day if the access should end by itself.',
            'Your friend accepts the invitation within 14 days and sees the server in their own list.',
          ],
        },
        {
          text: 'How many collaborators a server has room for depends on your [premium tier](/dashboard/premium). “View as” shows you the panel as a collaborator sees it. What everyone does is in the activity of the server.',
        },
      ],
    },
    hu: {
      title: 'Szerver megosztása közreműködőkkel',
      summary: 'Hívd meg a barátaidat, döntsd el, pontosan mit tehetnek, és bármikor vess véget neki.',
      words: 'barát haver admin hozzáférés jogosultság jog megosztás meghívó csapat moderátor',
      body: [
        {
          steps: [
            'Nyisd meg a szervert a [Szervereim](/dashboard/servers) közül, és lépj a „Közreműködők” oldalra.',
            'Válaszd a „Meghívás” gombot, és add meg a barátod fiókjának e-mail-címét. A címnek ott megerősítettnek kell lennie.',
            'Válassz egy jogosultságcsomagot vagy egyes jogosultságokat, és utolsó napot is, ha a hozzáférésnek magától véget kell érnie.',
            'A barátod 14 napon belül elfogadja a meghívót, és a saját listáján látja a szervert.',
          ],
        },
        {
          text: 'Hogy hány közreműködőnek van hely, a [prémium szintedtől](/dashboard/premium) függ. „Az ő nézete” úgy mutatja meg a panelt, ahogy egy közreműködő látja. Hogy ki mit csinált, a szerver tevékenységei között olvasható.',
        },
      ],
    },
    de: {
      title: 'Server mit Mitwirkenden teilen',
      summary: 'Lade Freunde ein, bestimme genau, was sie dürfen, und beende es, wann du willst.',
      words: 'freund admin zugriff recht rechte teilen einladung team moderator',
      body: [
        {
          steps: [
            'Öffne den Server unter [Meine Server](/dashboard/servers) und geh zu „Mitwirkende“.',
            'Wähle „Einladen“ und gib die E-Mail-Adresse des Kontos deines Freundes ein. Sie muss dort bestätigt sein.',
            'Wähle ein Paket von Rechten oder einzelne, und einen letzten Tag, wenn der Zugriff von selbst enden soll.',
            'Dein Freund nimmt die Einladung innerhalb von 14 Tagen an und sieht den Server in seiner eigenen Liste.',
          ],
        },
        {
          text: 'Für wie viele Mitwirkende Platz ist, hängt von deiner [Premium-Stufe](/dashboard/premium) ab. „Anzeigen als“ zeigt dir das Panel, wie ein Mitwirkender es sieht. Wer was getan hat, steht in den Aktivitäten des Servers.',
        },
      ],
    },
  },
  {
    slug: 'startup-and-ports',
    en: {
      title: 'Startup settings and ports',
      summary: 'Change the version or a start option, and give voice chat or a web map its own port.',
      words: 'version java variable update address ip join connect cannot connect timed out voice dynmap query port',
      body: [
        {
          text: 'Open a server from [My servers](/dashboard/servers). “Startup” has the settings with which the game starts, such as its version. A running server gets them when it restarts; “Not saved” and “After restart” mark what waits.',
        },
        {
          text: "“Network” shows the address that players type, and checks it: whether the program listens on its port and whether it can be reached from outside. UDP can't be checked from outside, so for games that use it only joining shows it.",
        },
        {
          list: [
            "Add a port for voice chat, a web map or a query, and write its number into the plugin's own settings.",
            'If you make another port the primary one, startup settings that are linked to it follow.',
            'A removed port becomes free when the server stops or restarts.',
          ],
        },
      ],
    },
    hu: {
      title: 'Indítási beállítások és portok',
      summary:
        'Válts verziót, módosíts indítási beállítást, vagy adj saját portot a hangcsevegésnek és a webes térképnek.',
      words:
        'verzió java változó frissítés cím ip csatlakozás nem tudok csatlakozni időtúllépés hang dynmap query port',
      body: [
        {
          text: 'Nyiss meg egy szervert a [Szervereim](/dashboard/servers) közül. Az „Indítás” oldalon vannak azok a beállítások, amelyekkel a játék elindul, például a verziója. A futó szerver az újraindításakor veszi át őket; a „Nincs mentve” és az „Újraindítás után” jelzi, mi vár még.',
        },
        {
          text: 'A „Hálózat” oldal mutatja a címet, amelyet a játékosok beírnak, és ellenőrzi is: figyel-e a program a portján, és elérhető-e kívülről. Az UDP kívülről nem ellenőrizhető, ezért annál a csatlakozás mutatja meg.',
        },
        {
          list: [
            'Adj hozzá portot a hangcsevegéshez, a webes térképhez vagy egy lekérdezőhöz, és írd be a számát a bővítmény saját beállításaiba.',
            'Ha másik portot teszel elsődlegessé, a hozzá kötött indítási beállítások követik.',
            'Az eltávolított port akkor szabadul fel, amikor a szerver leáll vagy újraindul.',
          ],
        },
      ],
    },
    de: {
      title: 'Starteinstellungen und Ports',
      summary: 'Version oder Startoption ändern und Sprachchat oder Webkarte einen eigenen Port geben.',
      words:
        'version java variable aktualisieren adresse ip beitreten verbinden keine verbindung zeitüberschreitung sprachchat dynmap query',
      body: [
        {
          text: 'Öffne einen Server unter [Meine Server](/dashboard/servers). „Start“ enthält die Einstellungen, mit denen das Spiel startet, zum Beispiel seine Version. Ein laufender Server bekommt sie beim Neustart; Markierungen zeigen, was nicht gespeichert ist und was auf den Neustart wartet.',
        },
        {
          text: '„Netzwerk“ zeigt die Adresse, die Spieler eingeben, und prüft sie: ob das Programm an seinem Port lauscht und ob er von außen erreichbar ist. UDP lässt sich von außen nicht prüfen, dort zeigt es nur ein Beitritt.',
        },
        {
          list: [
            'Füge für Sprachchat, Webkarte oder eine Abfrage einen Port hinzu und trage seine Nummer in die Einstellungen des Plugins ein.',
            'Machst du einen anderen Port zum Hauptport, folgen ihm die damit verknüpften Starteinstellungen.',
            'Ein entfernter Port wird frei, wenn der Server stoppt oder neu startet.',
          ],
        },
      ],
    },
  },
]
