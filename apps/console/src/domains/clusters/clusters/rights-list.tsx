import type { ClusterCheck } from '@gantry/contract/clusters/clusters'
import { t } from '../../../api/language.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import styles from './clusters.module.css'

type Right = ClusterCheck['rights'][number]

/** A purpose with its rights: it needs all of them. */
interface PurposeRow {
  purpose: string
  needed: boolean
  missing: readonly Right[]
}

function usesOf(rights: readonly Right[]): PurposeRow[] {
  const purposes = [...new Set(rights.map((right) => right.for))]
  return purposes.map((purpose) => {
    const own = rights.filter((right) => right.for === purpose)
    return { purpose, needed: own.some(({ needed }) => needed), missing: own.filter(({ allowed }) => !allowed) }
  })
}

const stateOf = ({ needed, missing }: PurposeRow) => (missing.length === 0 ? 'allowed' : needed ? 'missing' : 'lacking')

/** What the credentials allow in a cluster, by purpose; missing rights are in kubectl's notation. */
export function RightsList({ check }: { check: ClusterCheck }) {
  const { version, supported, nodeNum, rights, ok } = check
  const uses = usesOf(rights)
  const partial = ok && uses.some(({ missing }) => missing.length > 0)
  return (
    <div className={styles.rights}>
      {!supported && <p className="g-note g-note-bad">{t('clusters-ui-check-version', { version })}</p>}
      {supported && !ok && <p className="g-note g-note-bad">{t('clusters-ui-check-missing')}</p>}
      {partial && <p className="g-note g-note-warn">{t('clusters-ui-check-partial')}</p>}
      <p className="g-faint">{t('clusters-ui-check-found', { version, count: nodeNum })}</p>
      <ul aria-label={t('clusters-ui-rights')}>
        {uses.map((use) => (
          <li key={use.purpose}>
            <StateBadge
              state={stateOf(use)}
              text={t(use.missing.length === 0 ? 'clusters-ui-right-allowed' : 'clusters-ui-right-missing')}
            />
            <span>
              {use.purpose}
              {!use.needed && <span className="g-faint"> · {t('clusters-ui-right-extra')}</span>}
              {use.missing.map(({ right }) => (
                <code key={right}>{right}</code>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
