import { services, type ServiceDetail } from '@gantry/contract/stacks/services'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useAsked } from '../../../ui/asked.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { to, useGo, useParam, useTeamId, type To } from '../../../ui/link.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { Page, type Crumb } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { ActionMenu } from '../../../ui/table/row-actions.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { Tabs } from '../../../ui/tabs.tsx'
import { ServiceAlarms, ServiceAlarmsTab } from '../../alarms/public.tsx'
import { ServiceMetrics } from '../../monitoring/public.tsx'
import { ContainerTable } from '../containers/container-table.tsx'
import { EventTable } from '../containers/event-table.tsx'
import { DriftBadge, ServiceBadge } from './badges.tsx'
import { toUpgrade } from '../stacks/places.ts'
import { DriftNotice } from './drift-notice.tsx'
import { HistoryTable } from './history-table.tsx'
import { RightSize } from './right-size.tsx'
import { RevisionTable } from './revision-table.tsx'
import { AccessLog } from '../outward/access-log.tsx'
import { WaysIn } from '../outward/ways-in.tsx'
import { OutwardFacts } from '../outward/outward-facts.tsx'
import { ScalingFacts } from '../scaling/scaling-facts.tsx'
import { ServiceFacts } from './service-facts.tsx'
import { allows, isSettled } from './service-states.ts'
import { OpenUpgrade } from '../spec/open-upgrade.tsx'
import { until } from './reads.ts'
import { useServiceActions } from './use-service-actions.tsx'
import styles from './services.module.css'

// Tabs are loaded lazily: their panes and the editor are larger than the rest of the page.
const ServiceLog = later(async () => (await import('../containers/service-log.tsx')).ServiceLog, <Skeleton rows={8} />)
const ServiceTerminals = later(
  async () => (await import('../containers/service-terminals.tsx')).ServiceTerminals,
  <Skeleton rows={8} />,
)
const ServiceFiles = later(
  async () => (await import('../containers/service-files.tsx')).ServiceFiles,
  <Skeleton rows={8} />,
)
const ServiceYaml = later(async () => (await import('../spec/service-yaml.tsx')).ServiceYaml, <Skeleton rows={8} />)

/** The page from which this one was opened, and to which the way back leads. */
function useWayBack(): { crumbs: Crumb[]; back: To } {
  const stackName = useParam('stack_name')
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const product = params['product_id']
  if (product !== undefined) {
    const back = to('product-app', { product_id: product })
    return {
      back,
      crumbs: [
        { label: t('route-personal-products'), to: to('personal-products') },
        { label: params['app_name'] ?? product, to: back },
        { label: stackName },
      ],
    }
  }
  const back = to('app-list')
  return {
    back,
    crumbs: [
      { label: t('route-app-list'), to: back },
      { label: stackName, to: to('app-list', {}, { keyword: stackName }) },
    ],
  }
}

/** A service: its state and actions, its containers, their logs and terminals. */
export function ServicePage() {
  const teamId = useTeamId()
  const envId = useParam('env_id')
  const id = Number(useParam('service_id'))
  const { crumbs, back } = useWayBack()
  const go = useGo()
  const { actionsOf, decide, dialog } = useServiceActions()
  const [{ tab }] = useUrlState({ tab: 'containers' })
  const query = useRead(
    services.get,
    { params: { teamId, envId, id } },
    { keep: false, of: { serviceId: id }, every: until(isSettled) },
  )
  const service = query.data
  const away = () => go(back, { replace: true })
  useAsked('confirm', service && (() => void decide(service, 'confirm')))
  useAsked('rollBack', service && (() => void decide(service, 'rollBack')))
  const upgradable = service && allows(service.state, 'upgrade')
  return (
    <Page
      title={
        <span className="g-title">
          {useParam('service_name')} {service && <ServiceBadge service={service} />}{' '}
          {service && service.drift > 0 && <DriftBadge />}
        </span>
      }
      crumbs={crumbs}
      actions={
        service && (
          <>
            <ActionMenu
              label={t('ui-actions-of', { name: service.name })}
              actions={actionsOf(service, away).filter(({ key }) => !upgradable || key !== 'upgrade')}
            />
            {upgradable && (
              <Button primary icon="upgrade" needs={services.update} onClick={() => go(toUpgrade(service))}>
                {t('stacks-ui-upgrade')}
              </Button>
            )}
          </>
        )
      }
    >
      <Loaded query={query}>
        {(data) => (
          <>
            <OpenUpgrade service={data} brief={tab !== 'containers'} decide={decide} />
            {tab === 'containers' && <DriftNotice service={data} />}
            <ServiceTabs service={data} />
          </>
        )}
      </Loaded>
      {dialog}
    </Page>
  )
}

/** A service without pods has ways in, or outside addresses, but no log or terminal. */
const outwardTabs = (service: ServiceDetail) => [
  {
    key: 'containers',
    label: t(service.type === 'external' ? 'outward-ui-where' : 'outward-ui-ways'),
    content: () => (
      <div className={styles.overview}>
        <OutwardFacts service={service} />
        {service.type !== 'external' && <WaysIn service={service} />}
      </div>
    ),
  },
  ...(service.type === 'external'
    ? []
    : [{ key: 'requests', label: t('access-log-ui'), content: () => <AccessLog service={service} /> }]),
  { key: 'events', label: t('stacks-ui-events'), content: () => <EventTable service={service} /> },
  { key: 'revisions', label: t('stacks-ui-revisions'), content: () => <RevisionTable service={service} /> },
  { key: 'history', label: t('stacks-ui-history'), content: () => <HistoryTable service={service} /> },
  { key: 'yaml', label: t('stacks-ui-yaml'), content: () => <ServiceYaml service={service} /> },
]

function ServiceTabs({ service }: { service: ServiceDetail }) {
  if (service.type !== 'business') return <Tabs tabs={outwardTabs(service)} />
  return (
    <Tabs
      tabs={[
        {
          key: 'containers',
          label: t('route-containers'),
          content: () => (
            <div className={styles.overview}>
              <ServiceAlarms service={service} />
              <ServiceFacts service={service} />
              <ScalingFacts service={service} />
              <ContainerTable service={service} />
            </div>
          ),
        },
        { key: 'log', label: t('stacks-ui-log'), content: () => <ServiceLog service={service} /> },
        { key: 'terminal', label: t('stacks-ui-terminal'), content: () => <ServiceTerminals service={service} /> },
        { key: 'files', label: t('stacks-ui-files'), content: () => <ServiceFiles service={service} /> },
        {
          key: 'metrics',
          label: t('monitoring-ui-tab'),
          content: () => (
            <>
              <RightSize service={service} />
              <ServiceMetrics service={service} />
            </>
          ),
        },
        {
          key: 'alarms',
          label: t('alarms-ui-service-alarms'),
          content: () => <ServiceAlarmsTab service={service} />,
        },
        { key: 'events', label: t('stacks-ui-events'), content: () => <EventTable service={service} /> },
        { key: 'revisions', label: t('stacks-ui-revisions'), content: () => <RevisionTable service={service} /> },
        { key: 'history', label: t('stacks-ui-history'), content: () => <HistoryTable service={service} /> },
        { key: 'yaml', label: t('stacks-ui-yaml'), content: () => <ServiceYaml service={service} /> },
      ]}
    />
  )
}
