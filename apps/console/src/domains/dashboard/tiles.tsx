import type { Overview } from '@gantry/contract/dashboard/overview'
import type { ReactNode } from 'react'
import { t } from '../../api/language.ts'
import { count } from '../../ui/format.ts'
import { GoTo, to, type To } from '../../ui/link.tsx'
import { DayBars } from './day-bars.tsx'
import styles from './dashboard.module.css'

/** What a team has and how it is, as figures that lead to the things themselves. */
export function Tiles({ overview: { pipelines, builds, stacks, services } }: { overview: Overview }) {
  return (
    <ul className={styles.tiles}>
      {pipelines && (
        <Tile title={t('dashboard-pipelines')} figure={count(pipelines.total)} to={to('pipeline-v1-list')}>
          {builds &&
            (builds.building + builds.queued > 0
              ? t('dashboard-builds-now', { building: builds.building, queued: builds.queued })
              : t('dashboard-builds-none-now'))}
        </Tile>
      )}
      {builds && <BuildsTile builds={builds} />}
      {stacks && (
        <Tile title={t('dashboard-stacks')} figure={count(stacks.total)} to={to('app-list')}>
          {t('dashboard-stacks-running', { count: stacks.running })}
          {stacks.failed > 0 && <b className="g-bad">{t('dashboard-failed', { count: stacks.failed })}</b>}
        </Tile>
      )}
      {services && (
        <Tile title={t('dashboard-services')} figure={count(services.total)} to={to('app-list')}>
          {t('dashboard-services-healthy', { count: services.healthy })}
          {services.changing > 0 && <span>{t('dashboard-services-changing', { count: services.changing })}</span>}
          {services.waiting > 0 && (
            <b className={styles.warn}>{t('dashboard-services-waiting', { count: services.waiting })}</b>
          )}
          {services.failed > 0 && <b className="g-bad">{t('dashboard-failed', { count: services.failed })}</b>}
        </Tile>
      )}
    </ul>
  )
}

interface TileProps {
  title: string
  figure: string
  to: To
  /** A drawing beside the figure. */
  aside?: ReactNode
  children: ReactNode
}

const Tile = ({ title, figure, to: place, aside, children }: TileProps) => (
  <li>
    <GoTo to={place} className={styles.tile}>
      <span className={styles.tileTitle}>{title}</span>
      <span className={styles.tileLine}>
        <span className={`${styles.figure} g-num`}>{figure}</span>
        {aside}
      </span>
      <span className={styles.tileMemo}>{children}</span>
    </GoTo>
  </li>
)

/** Aborted builds were stopped by somebody: they say nothing about success. */
function BuildsTile({ builds: { day, hours } }: { builds: NonNullable<Overview['builds']> }) {
  const judged = day.success + day.failed
  const rate = judged === 0 ? undefined : Math.floor((day.success / judged) * 100)
  return (
    <Tile
      title={t('dashboard-builds-day')}
      figure={count(judged + day.aborted)}
      to={to('pipeline-v1-list')}
      aside={<DayBars hours={hours} />}
    >
      {rate === undefined ? t('dashboard-builds-none') : t('dashboard-builds-rate', { percent: rate })}
      {day.failed > 0 && <b className="g-bad">{t('dashboard-failed', { count: day.failed })}</b>}
    </Tile>
  )
}
