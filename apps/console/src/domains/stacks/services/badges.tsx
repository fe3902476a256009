import type { ServiceSummary } from '@gantry/contract/stacks/services'
import type { StackState } from '@gantry/contract/stacks/states'
import { t } from '../../../api/language.ts'
import { exactTime } from '../../../ui/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { StateBadge, type StateTone } from '../../../ui/feedback/state-badge.tsx'
import { imageParts, shortDigest } from '../spec/image-parts.ts'
import { isDegraded } from './service-states.ts'
import styles from './services.module.css'

const serviceTones: Partial<Record<ServiceSummary['state'], StateTone>> = {
  // A finished upgrade waits for a user: it is not simply fine.
  upgraded: 'warn',
  cancelling: 'busy',
  'rolling-back': 'busy',
}

/** A service's state in one word; a settled one without all of its pods is degraded. */
export function ServiceBadge({ service }: { service: Pick<ServiceSummary, 'state' | 'ready' | 'replicas' | 'live'> }) {
  if (isDegraded(service)) return <StateBadge state="degraded" />
  const tone = serviceTones[service.state]
  return <StateBadge state={service.state} {...(tone === undefined ? {} : { tone })} />
}

export const StackBadge = ({ state }: { state: StackState }) => <StateBadge state={state} />

/** How many pods are ready, of how many; and since when that is outdated. */
export function Ready({ service }: { service: Pick<ServiceSummary, 'ready' | 'replicas' | 'live'> }) {
  const { state, since } = service.live
  if (state === 'loading') return <span className="g-faint">{t('stacks-ui-figures-loading')}</span>
  return (
    <span className={styles.ready}>
      <span className="g-num" aria-label={t('stacks-ui-ready-of', { ready: service.ready, all: service.replicas })}>
        {service.ready}/{service.replicas}
      </span>
      {state === 'stale' && (
        <span className={styles.stale} title={since === null ? undefined : exactTime(since)}>
          <Icon name="warn" size={14} />
          {since === null ? t('stacks-ui-stale') : t('stacks-ui-stale-since', { time: exactTime(since) })}
        </span>
      )}
    </span>
  )
}

/** An image as a list shows it: its path without the host, the tag, and the beginning of the digest that runs. */
export function ImageName({ image, digest }: { image: string; digest: string }) {
  const { path, tag, digest: pinned } = imageParts(image)
  const running = digest === '' ? pinned : digest
  return (
    <span className={`${styles.image} g-mono`} title={running === '' ? image : `${image}\n${running}`}>
      <span>
        {path}
        {tag !== '' && <b>:{tag}</b>}
      </span>
      {running !== '' && <span className={`g-faint ${styles.digest}`}>{shortDigest(running)}</span>}
    </span>
  )
}

/** Kubernetes' words for a container that run, wait or end well or badly. */
const containerTones: Record<string, StateTone> = {
  running: 'ok',
  completed: 'idle',
  terminating: 'busy',
  containercreating: 'busy',
  podinitializing: 'busy',
  waiting: 'wait',
  terminated: 'idle',
}

export const ContainerBadge = ({ state, ready }: { state: string; ready: boolean }) => {
  const known = containerTones[state.toLowerCase()] ?? 'bad'
  return state.toLowerCase() === 'running' && !ready ? (
    <StateBadge state="running" tone="wait" text={t('stacks-ui-not-ready')} />
  ) : (
    <StateBadge state={state} tone={known} />
  )
}
