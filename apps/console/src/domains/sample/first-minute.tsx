import { useRef, useState } from 'react'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { local } from '../../api/storage.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { Journey } from './journey.tsx'
import { Offer } from './offer.tsx'
import type { useSample } from './use-sample.ts'
import styles from './sample.module.css'

interface FirstMinuteProps {
  teamId: number
  offer: boolean
  query: ReturnType<typeof useSample>
}

/** The guided first minute: offered to a team without objects, then followed, and shown while its sample exists. */
export const FirstMinute = (props: FirstMinuteProps) => <Panel key={props.teamId} {...props} />

function Panel({ teamId, offer, query }: FirstMinuteProps) {
  const kept = `first-minute-${useUser().id}-${teamId}`
  const [hidden, setHidden] = useState(() => local.get<boolean>(kept) ?? false)
  const toggled = useRef(false)
  if (!offer && (query.data === undefined || query.data.state === 'none' || query.data.state === 'unavailable'))
    return null
  const toggle = () => {
    toggled.current = true
    if (hidden) local.remove(kept)
    else local.set(kept, true)
    setHidden(!hidden)
  }
  // The button that was pressed has disappeared: its counterpart gets the focus.
  const focus = (place: HTMLElement | null) => {
    if (toggled.current) place?.querySelector('button')?.focus()
  }
  if (hidden)
    return (
      <div ref={focus}>
        <Button quiet small icon="play" onClick={toggle}>
          {t('sample-ui-show')}
        </Button>
      </div>
    )
  return (
    <section className={styles.panel} aria-label={t('sample-ui-eyebrow')}>
      <div className={styles.hide} ref={focus}>
        <Button quiet small icon="close" label={t('sample-ui-hide')} onClick={toggle} />
      </div>
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
