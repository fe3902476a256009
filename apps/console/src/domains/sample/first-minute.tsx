import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Journey } from './journey.tsx'
import { Offer } from './offer.tsx'
import { useSample } from './use-sample.ts'
import styles from './sample.module.css'

/** The guided first minute: offered to a team that has nothing, then followed, and shown while its sample is there. */
export function FirstMinute({ teamId, offer }: { teamId: number; offer: boolean }) {
  const query = useSample(teamId)
  if (!offer && (query.data === undefined || query.data.state === 'none' || query.data.state === 'unavailable'))
    return null
  return (
    <section className={styles.panel} aria-label={t('sample-ui-eyebrow')}>
      <Loaded query={query}>
        {(sample) =>
          sample.state === 'none' || sample.state === 'unavailable' ? (
            <Offer teamId={teamId} reason={sample.reason} />
          ) : (
            <Journey teamId={teamId} sample={sample} />
          )
        }
      </Loaded>
    </section>
  )
}
