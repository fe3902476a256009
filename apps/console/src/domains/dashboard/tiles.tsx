import type { Overview } from '@gantry/contract/dashboard/overview'
import type { ReactNode } from 'react'
import { t } from '../../api/language.ts'
import { count } from '../../ui/format.ts'
import { GoTo, to, type To } from '../../ui/link.tsx'
import { DayBars } from './day-bars.tsx'
import styles from './dashboard.module.css'

/** The list of pipelines by the state of their latest build. */
const pipelinesIn = (state: string): To => to('pipeline-v1-list', {}, { state })
const stacksIn = (state: string): To => to('app-list', {}, { state })
const servicesIn = (serviceState: string): To => to('app-list', {}, { tab: 'services', serviceState })

/** The numbers and states of a team's objects: every figure links to the list that it counts. */
export function Tiles({ overview: { pipelines, builds, stacks, services } }: { overview: Overview }) {
  return (
    <ul className={styles.tiles}>
      {pipelines && (
        <Tile title={t('dashboard-pipelines')} figure={count(pipelines.total)} to={pipelinesIn('all')}>
          {pipelines.building + pipelines.queued + pipelines.failed === 0 && t('dashboard-builds-none-now')}
          {pipelines.building > 0 && (
            <GoTo to={pipelinesIn('building')}>{t('dashboard-builds-building', { count: pipelines.building })}</GoTo>
          )}
          {pipelines.queued > 0 && (
            <GoTo to={pipelinesIn('queued')}>{t('dashboard-builds-queued', { count: pipelines.queued })}</GoTo>
          )}
          <Failed count={pipelines.failed} to={pipelinesIn('failed')} />
        </Tile>
      )}
      {builds && <BuildsTile builds={builds} />}
      {stacks && (
        <Tile title={t('dashboard-stacks')} figure={count(stacks.total)} to={stacksIn('all')}>
          <GoTo to={stacksIn('running')}>{t('dashboard-stacks-running', { count: stacks.running })}</GoTo>
          <Failed count={stacks.failed} to={stacksIn('failed')} />
        </Tile>
      )}
      {services && (
        <Tile title={t('dashboard-services')} figure={count(services.total)} to={servicesIn('all')}>
          <GoTo to={servicesIn('healthy')}>{t('dashboard-services-healthy', { count: services.healthy })}</GoTo>
          {services.changing > 0 && (
            <GoTo to={servicesIn('changing')}>{t('dashboard-services-changing', { count: services.changing })}</GoTo>
          )}
          {services.waiting > 0 && (
            <GoTo to={servicesIn('upgraded')} className={styles.warn}>
              {t('dashboard-services-waiting', { count: services.waiting })}
            </GoTo>
          )}
          <Failed count={services.failed} to={servicesIn('failed')} />
        </Tile>
      )}
    </ul>
  )
}

const Failed = ({ count: failed, to: place }: { count: number; to: To }) =>
  failed === 0 ? null : (
    <GoTo to={place} className={styles.bad}>
      {t('dashboard-failed', { count: failed })}
    </GoTo>
  )

interface TileProps {
  title: string
  figure: string
  to: To
  /** A drawing beside the figure. */
  aside?: ReactNode
  children: ReactNode
}

const Tile = ({ title, figure, to: place, aside, children }: TileProps) => (
  <li className={styles.tile}>
    <GoTo to={place} className={styles.tileMain}>
      <span className={styles.tileTitle}>{title}</span>
      <span className={`${styles.figure} g-num`}>{figure}</span>
    </GoTo>
    {aside}
    <span className={styles.tileMemo}>{children}</span>
  </li>
)

/** Aborted builds were stopped by users, and are not counted in the success rate. */
function BuildsTile({ builds: { day, hours } }: { builds: NonNullable<Overview['builds']> }) {
  const judged = day.success + day.failed
  const rate = judged === 0 ? undefined : Math.floor((day.success / judged) * 100)
  return (
    <Tile
      title={t('dashboard-builds-day')}
      figure={count(judged + day.aborted)}
      to={to('cd-builds', {}, { state: 'all', ended: 'day' })}
      aside={<DayBars hours={hours} />}
    >
      {rate === undefined ? t('dashboard-builds-none') : t('dashboard-builds-rate', { percent: rate })}
    </Tile>
  )
}
