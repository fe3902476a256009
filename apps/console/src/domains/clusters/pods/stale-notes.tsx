import type { hosts } from '@gantry/contract/clusters/hosts'
import type { z } from 'zod'
import { t } from '../../../api/language.ts'
import { exactTime } from '../../../ui/format.ts'
import { AgeNote } from './age-note.tsx'
import styles from './pods.module.css'

type Stale = z.output<(typeof hosts.list)['data']>['stale']

/** The number of clusters named in the closed note. */
const maxNamed = 3

/** A note that the hosts of the cluster are missing or outdated. */
export const StaleNote = ({ stale: [one], nothing }: { stale: Stale; nothing: boolean }) =>
  one && <AgeNote age={{ staleSince: one.since, message: one.message }} nothing={nothing} />

/** Clusters of a long list whose hosts are missing or outdated, and those whose pods are not counted. */
export function StaleNotes({ stale }: { stale: Stale }) {
  const withMessage = stale.filter(({ message }) => message !== '')
  return (
    <>
      <Note about="hosts-ui-stale" clusters={withMessage.filter(({ uncounted }) => !uncounted)} />
      <Note about="hosts-ui-uncounted" clusters={withMessage.filter(({ uncounted }) => uncounted)} />
    </>
  )
}

/** One line, which opens to the reasons. */
function Note({ about, clusters }: { about: 'hosts-ui-stale' | 'hosts-ui-uncounted'; clusters: Stale }) {
  if (clusters.length === 0) return null
  const names = clusters.slice(0, maxNamed).map(({ envName }) => envName)
  const rest = clusters.length - names.length
  return (
    <details className={`g-note g-note-warn ${styles.stale}`}>
      <summary>
        {t(about, { names: names.join(', ') })}
        {rest > 0 && ` ${t('ui-and-more', { count: rest })}`}
      </summary>
      <ul>
        {clusters.map(({ envUuid, envName, since, message }) => (
          <li key={envUuid}>
            <b>{envName}</b> {since && t('hosts-ui-silent-since', { time: exactTime(since) })} {message}
          </li>
        ))}
      </ul>
    </details>
  )
}
