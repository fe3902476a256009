import { changedFields } from '@gantry/contract/documents'
import { services, type ServiceDetail, type ServiceSummary } from '@gantry/contract/stacks/services'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, useDialog } from '../../../ui/feedback/dialog.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { imageParts, shortDigest } from './image-parts.ts'
import { allows, hasOpenUpgrade, isDegraded } from '../services/service-states.ts'
import { wordsOfChanges } from '../services/spec-changes.ts'
import { OpenCopy } from './open-copy.tsx'
import { troubleOf } from '../services/trouble.ts'
import styles from './spec.module.css'

const SpecDifference = later(async () => (await import('./spec-difference.tsx')).SpecDifference)

interface OpenUpgradeProps {
  service: ServiceDetail
  /** One line, on tabs with other contents. */
  brief: boolean
  decide: (service: ServiceSummary, decision: 'confirm' | 'cancel' | 'rollBack') => Promise<boolean>
}

/** What a service's state means and waits for: during an upgrade, old and new side by side with the decision. */
export function OpenUpgrade({ service, brief, decide }: OpenUpgradeProps) {
  const { state, message, previous, copy } = service
  const unwell = state === 'upgraded' && isDegraded(service)
  if (!hasOpenUpgrade(service)) return <Trouble service={service} />
  const title = t(`stacks-ui-upgrade-${unwell ? 'degraded' : titleOf(state)}`)
  const look = [styles.upgrade, ...(state === 'failed' || unwell ? [styles.upgradeBad] : [])]
  const decisions = <Decisions service={service} unwell={unwell} decide={decide} brief={brief} />
  if (brief)
    return (
      <section className={[...look, styles.brief].join(' ')} aria-label={t('stacks-ui-upgrade-open')}>
        <div className={styles.briefWords} role="status">
          <h2>{title}</h2>
          <p className="g-faint g-clip" title={message}>
            {message === '' ? <Change service={service} /> : message}
          </p>
        </div>
        {decisions}
      </section>
    )
  const older = service.revisions
    .filter(({ revision }) => revision < service.revision)
    .toSorted((a, b) => b.revision - a.revision)[0]
  return (
    <section className={look.join(' ')} aria-label={t('stacks-ui-upgrade-open')}>
      <div className={styles.upgradeWords} role="status">
        <h2>{title}</h2>
        <p>{message === '' ? t(`stacks-ui-upgrade-hint-${unwell ? 'degraded' : hintOf(state)}`) : message}</p>
      </div>
      {previous && (
        <div className={styles.sides}>
          <Side
            title={t('ui-review-old')}
            image={previous.image}
            digest={older?.digest ?? ''}
            replicas={previous.replicas}
          />
          <Icon name="arrow" size={20} />
          <Side
            title={t('ui-review-new')}
            image={service.image}
            digest={service.revisions.find(({ revision }) => revision === service.revision)?.digest ?? ''}
            replicas={service.replicas}
            // Until the upgrade is done, the ready pods may be old ones.
            {...(state === 'upgraded' ? { ready: service.ready } : {})}
          />
        </div>
      )}
      {previous && (
        <p className="g-faint">
          <Change service={service} />
        </p>
      )}
      {copy?.ended === null && <OpenCopy service={service} copy={copy} />}
      {decisions}
    </section>
  )
}

/** The parts of the specification that the open upgrade changes. */
const Change = ({ service: { previous, spec } }: { service: ServiceDetail }) =>
  previous && t('stacks-ui-upgrade-changes', { fields: wordsOfChanges(changedFields(previous, spec)) || '–' })

/** The decisions about an open upgrade; in one line on a narrow screen, a link to them. */
function Decisions({ service, unwell, brief, decide }: OpenUpgradeProps & { unwell: boolean }) {
  const comparing = useDialog()
  const [, setUrl] = useUrlState({ tab: 'containers' })
  const { state, previous } = service
  return (
    <div className={`g-row ${styles.decisions}`}>
      {allows(state, 'confirm') && (
        <Button
          primary={!unwell}
          small={brief}
          icon="check"
          needs={services.confirm}
          onClick={() => void decide(service, 'confirm')}
        >
          {t('stacks-ui-confirm')}
        </Button>
      )}
      {allows(state, 'rollBack') && (
        <Button
          primary={unwell}
          small={brief}
          icon="rollback"
          needs={services.rollBack}
          onClick={() => void decide(service, 'rollBack')}
        >
          {t('stacks-ui-rollBack')}
        </Button>
      )}
      {allows(state, 'cancel', previous !== null) && (
        <Button small={brief} icon="rollback" needs={services.cancel} onClick={() => void decide(service, 'cancel')}>
          {t('stacks-ui-cancel')}
        </Button>
      )}
      {previous && (
        <Button quiet small={brief} icon="diff" onClick={() => comparing.show(true)}>
          {t('stacks-ui-compare')}
        </Button>
      )}
      {brief && (
        <span className={styles.toDecide}>
          <Button small onClick={() => setUrl({ tab: 'containers' })}>
            {t('stacks-ui-upgrade-decide')}
          </Button>
        </span>
      )}
      {comparing.open && previous && (
        <Dialog width={960} title={t('stacks-ui-compare-title', { name: service.name })} onClose={comparing.hide}>
          <SpecDifference before={previous} after={service.spec} />
        </Dialog>
      )}
    </div>
  )
}

/** The problem of a service without an open upgrade; renders nothing if there is none. */
function Trouble({ service }: { service: ServiceDetail }) {
  const { copy } = service
  const isBack = service.state === 'stable' && copy?.ended === 'taken-back'
  const words = troubleOf(service) || (isBack ? `${t('stacks-ui-gray-taken-back')}: ${copy.why}` : '')
  if (words === '') return null
  return (
    <p
      className={
        service.state === 'failed' ? `${styles.trouble} g-note g-note-bad` : `${styles.trouble} g-note g-note-warn`
      }
      role="status"
    >
      {words}
    </p>
  )
}

const titles = ['upgrading', 'upgraded', 'confirming', 'cancelling', 'rolling-back'] as const

const titleOf = (state: ServiceDetail['state']) => titles.find((one) => one === state) ?? 'failed'

const hintOf = (state: ServiceDetail['state']): 'upgraded' | 'failed' | 'busy' =>
  state === 'upgraded' || state === 'failed' ? state : 'busy'

interface SideProps {
  title: string
  image: string
  digest: string
  replicas: number
  ready?: number
}

function Side({ title, image, digest, replicas, ready }: SideProps) {
  const { path, tag } = imageParts(image)
  return (
    <div className={styles.side}>
      <h3>{title}</h3>
      <p className="g-mono" title={image}>
        {path}
        {tag !== '' && <b>:{tag}</b>}
      </p>
      <p className="g-faint g-num">
        {digest !== '' && <span className="g-mono">{shortDigest(digest)}</span>}
        {ready === undefined
          ? t('stacks-ui-instances', { count: replicas })
          : t('stacks-ui-instances-ready', { ready, count: replicas })}
      </p>
    </div>
  )
}
