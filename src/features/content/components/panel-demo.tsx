import { getTranslations } from 'next-intl/server'
import { builtPanelPages } from '#contracts/features.ts'
import type { Locale } from '@/i18n/locales.ts'
import { formatCount } from '@/lib/format/money.ts'
import { mostPlayers } from '../demo-game.ts'
import type { LandingView } from '../landing-view.ts'
import { dashboardHref } from '../site-links.ts'
import { DemoConsole } from './demo-console.tsx'
import type { DemoWords } from './demo-console.tsx'
import { Section } from './section.tsx'

type Line = { at: string; text: string; mark?: 't' | 'w' | 'j' | 'm' | 'j demo__l--t' }

const FirstLines = ({ hello }: { hello: string }) => {
  const lines: Line[] = [
    { at: '20:14:02', text: 'Starting minecraft server version 1.21.8', mark: 't' },
    { at: '20:14:05', text: 'Preparing level "world"' },
    { at: '20:14:09', text: '[Essentials] You are running an outdated version (2.20.1)', mark: 'w' },
    { at: '20:14:11', text: 'Done (8.412s)! For help, type "help"' },
    { at: '20:15:47', text: 'Őrsi_Panni joined the game', mark: 'j demo__l--t' },
    { at: '20:16:03', text: `<Őrsi_Panni> ${hello}`, mark: 'm' },
    { at: '20:16:41', text: 'Saved the game' },
  ]
  return lines.map(({ at, text, mark }) => (
    <div key={at} className={mark ? `demo__l demo__l--${mark}` : 'demo__l'}>
      <time>{at}</time>
      <span>{text}</span>
    </div>
  ))
}

const demoWords = async (locale: Locale): Promise<DemoWords> => {
  const [words, status] = await Promise.all([getTranslations('landing.demo'), getTranslations('status')])
  return {
    name: words('name'),
    state: {
      running: words('uptime'),
      stopping: status('stopping'),
      stopped: status('stopped'),
      starting: status('starting'),
    },
    start: words('start'),
    stop: words('stop'),
    log: words('log'),
    command: words('command'),
    placeholder: words('placeholder'),
    send: words('send'),
    unknown: words('unknown'),
    figures: {
      processor: { term: words('processor'), running: '142', rest: '% / 300\u00A0%' },
      memory: { term: words('memory'), running: formatCount(5.2, locale), rest: '/ 8\u00A0GB' },
      players: { term: words('players'), rest: `/ ${mostPlayers}` },
    },
  }
}

/** The panel as a demo without an account. */
export const PanelDemo = async ({ locale, landing }: { locale: Locale; landing: LandingView }) => {
  const [words, site] = await Promise.all([getTranslations('landing'), getTranslations('site')])
  const demo = (
    <div className="full demo">
      <ul className="demo__nav">
        {builtPanelPages.map((stop, place) => (
          <li key={stop} {...(place === 0 ? { 'aria-current': true } : {})}>
            <i className={place === 0 ? 'halt halt-on' : 'halt'} />
            {words(`demoNav.${stop}`)}
          </li>
        ))}
      </ul>
      <DemoConsole words={await demoWords(locale)} firstLines={<FirstLines hello={words('demo.hello')} />} />
    </div>
  )
  return (
    <Section
      id="vezerlopult"
      station={site('dashboard')}
      title={landing.dashboard?.title ?? words('demoTitle')}
      lead={landing.dashboard?.text ?? words('demoText')}
      wide={demo}
    >
      <p className="demo__foot">
        <span className="t2">{words('demo.note')}</span>
        <a className="link" href={dashboardHref}>
          {words('demo.want')}
        </a>
      </p>
    </Section>
  )
}
