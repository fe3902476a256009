import { services } from '@gantry/contract/stacks/services'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import type { Application } from '@gantry/contract/stacks/applications'
import type { Stack } from '@gantry/contract/stacks/stacks'
import { useId } from 'react'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { Icon } from '../../../ui/icon.tsx'
import { GoTo, useGo } from '../../../ui/link.tsx'
import { ActionMenu } from '../../../ui/table/row-actions.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { DriftBadge, StackBadge } from '../services/badges.tsx'
import { toAddService, toStack, type FromProduct } from './places.ts'
import { figure } from './share-after.tsx'
import { StackServices } from './stack-services.tsx'
import { useStackActions } from './use-stack-actions.tsx'
import styles from './stacks.module.css'

const ReleaseBar = later(async () => (await import('../../blueprints/public.tsx')).ReleaseBar)

/** Which stacks of the screen are folded, stored in the address. */
function useFolded(id: number): [boolean, () => void] {
  const [{ folded }, change] = useUrlState({ folded: '' })
  const ids = folded.split('.').filter(Boolean)
  const is = ids.includes(String(id))
  const next = is ? ids.filter((one) => one !== String(id)) : [...ids, String(id)]
  return [is, () => change({ folded: next.join('.') }, { replace: true })]
}

interface StackCardProps {
  stack: Application
  /** Its cluster, if the user may see it. */
  cluster: Cluster | undefined
  /** The team has more than one cluster, so that it must be named. */
  many: boolean
  from?: FromProduct
}

/** One stack: its data and state, and its services below. */
export function StackCard({ stack, cluster, many, from }: StackCardProps) {
  const go = useGo()
  const body = useId()
  const [folded, toggle] = useFolded(stack.id)
  const { actions, dialogs } = useStackActions(stack, cluster)
  const leaving = stack.state === 'deleting'
  const mayLook = useMay(services.list)
  return (
    <section className={styles.card} aria-label={t('stacks-ui-stack-named', { name: stack.name })}>
      <header className={styles.cardHead}>
        <button
          type="button"
          className={`g-bare ${styles.fold}`}
          aria-expanded={!folded}
          aria-controls={body}
          aria-label={t('stacks-ui-fold', { name: stack.name })}
          onClick={toggle}
        >
          <Icon name="chevron" size={14} />
        </button>
        <div className={styles.cardTitle}>
          <h2>{mayLook ? <GoTo to={toStack(stack)}>{stack.name}</GoTo> : stack.name}</h2>
          {stack.state !== 'running' && <StackBadge state={stack.state} />}
          {stack.driftNum > 0 && <DriftBadge />}
          <span className={styles.facts}>
            {(many || cluster?.sandbox) && (
              <span>
                {stack.envName}{' '}
                {cluster?.sandbox && <span className="g-tag g-tag-info">{t('stacks-ui-simulated')}</span>}
              </span>
            )}
            {stack.productName !== '' && !from && <span>{stack.productName}</span>}
            {stack.blueprintVersion !== '' && <span>{stack.blueprintVersion}</span>}
            {stack.catalogName !== '' && (
              <span>
                {stack.catalogName} {stack.templateVersion}
              </span>
            )}
            <span className="g-num">
              {stack.serviceNum === 0
                ? t('stacks-ui-no-services')
                : t('stacks-ui-healthy', { healthy: stack.healthyNum, all: stack.serviceNum })}
            </span>
            <ShareWords stack={stack} />
          </span>
        </div>
        <div className={`g-row ${styles.cardActions}`}>
          <Button
            small
            icon="add"
            needs={services.create}
            disabled={leaving && t('stacks-being-deleted', { name: stack.name })}
            onClick={() => go(toAddService(stack))}
          >
            {t('stacks-ui-add-service')}
          </Button>
          <ActionMenu actions={actions} label={t('ui-actions-of', { name: stack.name })} />
        </div>
      </header>
      {stack.message !== '' && (
        <p className={stack.state === 'failed' ? 'g-note g-note-bad' : 'g-note g-note-warn'}>{stack.message}</p>
      )}
      {cluster && cluster.health !== 'healthy' && cluster.healthMessage !== '' && (
        <p className="g-note g-note-warn">
          {t('stacks-ui-cluster-ill', { cluster: cluster.name })} {cluster.healthMessage}
        </p>
      )}
      {(stack.blueprintId !== null || stack.inRelease) && <ReleaseBar stack={stack} />}
      <div id={body} hidden={folded}>
        {!folded && <StackServices stack={stack} services={stack.services} from={from} />}
      </div>
      {dialogs}
    </section>
  )
}

/** The share as text, because a meter for every stack of a list would distract. */
function ShareWords({ stack: { used, quota } }: { stack: Stack }) {
  const of = (n: number, hard: number | null): string => (hard === null ? String(figure(n)) : `${figure(n)}/${hard}`)
  return (
    <span className="g-num" title={t('stacks-ui-share-words')}>
      {t('stacks-ui-share-short', { cpu: of(used.cpu, quota.cpu), memory: of(used.memory, quota.memory) })}
    </span>
  )
}
