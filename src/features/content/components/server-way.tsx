import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Lamp, LampGlyph } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'
import { Section } from './section.tsx'

type WayKey = 'order' | 'install' | 'start' | 'run' | 'renew' | 'runOn' | 'expire' | 'remove'

const Step = async ({ name, place, sign }: { name: WayKey; place: number; sign: ReactNode }) => {
  const words = await getTranslations('landing.way')
  return (
    <li className={`way__s way__s${place}`}>
      {sign}
      <h3>{words(`${name}.title`)}</h3>
      <p>{words(`${name}.text`)}</p>
    </li>
  )
}

const junction = <i className="way__sw" />
const lamp = (kind: LampKind) => <LampGlyph kind={kind} />

const Branches = async () => {
  const words = await getTranslations('landing')
  return (
    <>
      <li className="way__fork way__fork--b">
        <svg
          width="80"
          height="60"
          viewBox="0 0 80 60"
          fill="none"
          className="stroke-stop-ring"
          strokeWidth="4"
          aria-hidden="true"
        >
          <path d="M16 0v4q0 8 6 13l36 27q6 5 6 12v4" />
        </svg>
        <p className="way__if">{words('wayIfNot')}</p>
        <ol>
          <Step name="expire" place={7} sign={lamp('off')} />
          <Step name="remove" place={8} sign={<i className="way__end" />} />
        </ol>
      </li>
      <li className="way__fork way__fork--a">
        <p className="way__if">{words('wayIf')}</p>
        <ol>
          <Step name="renew" place={5} sign={junction} />
          <Step name="runOn" place={6} sign={lamp('go')} />
        </ol>
      </li>
    </>
  )
}

const legend = ['go', 'busy', 'crash', 'off', 'away'] as const

/**
 * The life of a server as a line diagram; the drawing is hidden from assistive technology, because the list has the
 * same content.
 */
export const ServerWay = async () => {
  const words = await getTranslations('landing')
  return (
    <Section id="ut" station={words('wayStation')} title={words('wayTitle')}>
      <div className="way">
        <svg
          className="way__map"
          viewBox="0 0 960 280"
          preserveAspectRatio="none"
          aria-hidden="true"
          fill="none"
          strokeWidth="4"
        >
          <path d="M600 24h12q24 0 24 24v184q0 24 24 24h180" className="stroke-stop-ring" />
          <path d="M24 24H956" stroke="currentColor" />
          <path d="m946 14 10 10-10 10" stroke="currentColor" />
        </svg>
        <ol className="way__main">
          <Step name="order" place={1} sign={junction} />
          <Step name="install" place={2} sign={lamp('busy')} />
          <Step name="start" place={3} sign={lamp('busy')} />
          <Step name="run" place={4} sign={lamp('go')} />
          <Branches />
        </ol>
        <div className="legend">
          <p>{words('lampsTitle')}</p>
          <ul>
            {legend.map((kind) => (
              <li key={kind}>
                <Lamp kind={kind}>{words(`lamps.${kind}`)}</Lamp>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Section>
  )
}
