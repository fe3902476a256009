import { clusters, type Cluster } from '@gantry/contract/clusters/clusters'
import { useState } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useUser } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Facts, Loaded } from '../../../ui/detail.tsx'
import { count } from '../../../ui/format.ts'
import { QuotaBar } from '../../../ui/chart/meters.tsx'
import { Section } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { ClusterSparklines } from '../../monitoring/public.tsx'
import { AgentCard } from '../agents/agent-card.tsx'
import { AnotherCluster } from './another-cluster.tsx'
import { Health } from './health.tsx'
import { RightsList } from './rights-list.tsx'
import styles from './clusters.module.css'

/** A cluster's data, its capacity and its usage. */
export function ClusterOverview({ cluster }: { cluster: Cluster }) {
  const { admin } = useUser()
  const { reach, sandbox, server } = cluster
  return (
    <div className={styles.overview}>
      {sandbox && <p className="g-note">{t('clusters-ui-sandbox')}</p>}
      {cluster.answers && <AnotherCluster cluster={cluster} />}
      {cluster.leaving && <p className="g-note g-note-warn">{t('clusters-ui-leaving')}</p>}
      <Facts
        facts={[
          {
            label: t('clusters-ui-health'),
            value: <Health cluster={cluster} />,
            wide: `${cluster.healthMessage}${cluster.notice}` !== '',
          },
          { label: t('clusters-ui-version'), value: cluster.version },
          { label: t('clusters-ui-nodes'), value: <span className="g-num">{count(cluster.nodeNum)}</span> },
          { label: t('clusters-ui-way'), value: t(`clusters-ui-way-${reach}`) },
          ...(server === '' ? [] : [{ label: t('clusters-ui-server'), value: <Copyable text={server} /> }]),
          { label: t('clusters-ui-id'), value: <Copyable text={cluster.uuid} short={8} /> },
          ...(cluster.cluster === ''
            ? []
            : [{ label: t('clusters-ui-identity'), value: <Copyable text={cluster.cluster} short={8} /> }]),
          { label: t('clusters-ui-since'), value: <Time at={cluster.createdAt} /> },
        ]}
      />
      {admin && reach === 'agent' && <AgentCard cluster={cluster} />}
      <CapacitySection cluster={cluster} />
      {admin && <RightsSection cluster={cluster} />}
    </div>
  )
}

/** A percentage of the whole, rounded to a tenth. */
const part = (whole: number, percent: number): number => Math.round(whole * percent) / 100

function CapacitySection({ cluster }: { cluster: Cluster }) {
  const { capacity, usage } = cluster
  if (!capacity) return null
  const bar = (resource: 'cpu' | 'memory') => {
    const total = Math.round(capacity[resource] * 10) / 10
    const percent = usage[resource]
    const label = t(`stacks-ui-${resource}`)
    const unit = t(`stacks-ui-unit-${resource}`)
    return percent === null ? (
      <div className="g-meter-head">
        <span>{label}</span>
        <span className="g-num">{`${count(total)} ${unit}`}</span>
      </div>
    ) : (
      <QuotaBar label={label} unit={unit} used={part(total, percent)} total={total} />
    )
  }
  const measured = usage.cpu !== null || usage.memory !== null
  const about = measured
    ? 'clusters-ui-capacity-about'
    : cluster.health === 'healthy'
      ? 'clusters-ui-capacity-unmeasured'
      : 'clusters-ui-capacity-unknown'
  return (
    <Section title={t('clusters-ui-capacity')} about={t(about, { pods: count(capacity.pods) })}>
      <div className={`g-columns ${styles.quota}`}>
        {bar('cpu')}
        {bar('memory')}
      </div>
      {measured && <ClusterSparklines cluster={cluster} />}
    </Section>
  )
}

/** Requested from the cluster on demand, not each time the page opens. */
function RightsSection({ cluster: { uuid } }: { cluster: Cluster }) {
  const [requested, setRequested] = useState(false)
  const query = useRead(clusters.recheck, { params: { uuid } }, { enabled: requested, keep: false, staleMs: 0 })
  return (
    <Section
      title={t('clusters-ui-rights')}
      about={t('clusters-ui-rights-about')}
      actions={
        <Button
          icon="shield"
          loading={query.isFetching}
          onClick={() => (requested ? void query.refetch() : setRequested(true))}
        >
          {t('clusters-ui-check')}
        </Button>
      }
    >
      {requested && <Loaded query={query}>{(check) => <RightsList check={check} />}</Loaded>}
    </Section>
  )
}
