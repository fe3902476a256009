import type { ServiceSummary } from '@gantry/contract/stacks/services'
import type { StackState } from '@gantry/contract/stacks/states'
import { t } from '../../../api/language.ts'
import { exactTime } from '../../../ui/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { kubernetesTone } from '../../../ui/feedback/states.ts'
import { imageParts, shortDigest } from '../spec/image-parts.ts'
import { isDegraded } from './service-states.ts'
import styles from './services.module.css'

/** A service's state in one word; a settled service that lacks pods is degraded. */
export function ServiceBadge({ service }: { service: Pick<ServiceSummary, 'state' | 'ready' | 'replicas' | 'live'> }) {
  return <StateBadge state={isDegraded(service) ? 'degraded' : service.state} />
}

/** The service was changed in the cluster itself. */
export const DriftBadge = () => <StateBadge state="drifted" tone="warn" text={t('drift-ui-badge')} />

export const StackBadge = ({ state }: { state: StackState }) => <StateBadge state={state} />

/** Ready pods of all pods; and since when these figures are outdated. */
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

/** An image in a list: its path without the host, the tag, and the beginning of the running digest. */
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

/** A container's state, in Kubernetes' words, or that it runs without being ready. */
export const ContainerBadge = ({ state, ready }: { state: string; ready: boolean }) =>
  state.toLowerCase() === 'running' && !ready ? (
    <StateBadge state="partly-ready" text={t('stacks-ui-not-ready')} />
  ) : (
    <StateBadge state={state} tone={kubernetesTone(state, ready)} />
  )
