import { zones, type Zone } from '@gantry/contract/openstack/zones'
import { CallError } from '../../api/call.ts'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { to, useParam } from '../../ui/link.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { askAgain } from './use-openstacks.tsx'
import { ZoneState } from './zone-state.tsx'
import styles from './openstack.module.css'

/** An object of OpenStack: its name when the zone was saved, and its id. */
function ZoneObject({ id, zone }: { id: string; zone: Zone }) {
  const name = zone.names[id]
  return (
    <span className={styles.thing}>
      {name}
      <Copyable text={id} short={8} />
    </span>
  )
}

/** One zone, read-only. */
export function ZonePage() {
  const params = { env: useParam('env_uuid'), uuid: useParam('zone_uuid') }
  const query = useRead(zones.get, { params })
  const gone = query.error instanceof CallError && query.error.status === 404
  useRead(zones.get, { params }, { every: !gone && askAgain(query.data && [query.data]) })
  return (
    <Page
      title={query.data?.name ?? t('route-resourcemanager-zone-detail')}
      crumbs={[{ label: t('route-resourcemanager-zone'), to: to('resourcemanager-zone', {}, { env: params.env }) }]}
    >
      <Loaded query={gone ? { ...query, data: undefined } : query}>{(zone) => <ZoneView zone={zone} />}</Loaded>
    </Page>
  )
}

function ZoneView({ zone }: { zone: Zone }) {
  const { neutronDefaults: neutron, written } = zone
  const nested = zone.type === 'nested'
  return (
    <>
      <Section title={t('zones-ui-basics')}>
        <Facts
          facts={[
            { label: t('zones-ui-name'), value: zone.name },
            { label: t('zones-ui-type'), value: t(nested ? 'zones-ui-type-nested' : 'zones-ui-type-normal') },
            { label: t('zones-ui-state'), value: <ZoneState zone={zone} /> },
            { label: t('zones-ui-environment'), value: zone.k8s.name },
            { label: t('zones-ui-openstack'), value: zone.openStackName },
            { label: t('zones-ui-created'), value: <Time at={zone.createdAt} /> },
          ]}
        />
      </Section>
      <Section title={t('zones-ui-neutron')}>
        <Facts
          facts={[
            { label: t('zones-ui-project'), value: <ZoneObject id={neutron.project} zone={zone} /> },
            {
              label: t('zones-ui-security-groups'),
              value: neutron.podSecurityGroups.map((id) => <ZoneObject key={id} id={id} zone={zone} />),
            },
            { label: t('zones-ui-pod-subnet'), value: <ZoneObject id={neutron.podSubnet} zone={zone} /> },
            { label: t('zones-ui-service-subnet'), value: <ZoneObject id={neutron.serviceSubnet} zone={zone} /> },
            {
              label: t('zones-ui-reserved'),
              value: neutron.reservedIp.map(({ start, end }) => `${start} – ${end}`).join(', '),
            },
          ]}
        />
      </Section>
      {nested && (
        <Section title={t('zones-ui-nesting')}>
          <Facts
            facts={[
              {
                label: t('zones-ui-worker-subnet'),
                value: <ZoneObject id={zone.podVifNested.workerNodesSubnet} zone={zone} />,
              },
              { label: t('zones-ui-pod-vif-driver'), value: <code>{zone.k8s.podVifDriver}</code> },
              { label: t('zones-ui-driver'), value: <code>{zone.binding.driver}</code> },
              { label: t('zones-ui-link-iface'), value: <code>{zone.binding.linkIface}</code> },
            ]}
          />
        </Section>
      )}
      <Section title={t('zones-ui-written')} about={t('zones-ui-written-about')}>
        <Facts
          facts={[
            { label: t('zones-ui-namespace'), value: <Copyable text={written.namespace} /> },
            { label: t('zones-ui-config-map'), value: <Copyable text={written.configMap} /> },
            { label: t('zones-ui-secret'), value: <Copyable text={written.secret} /> },
          ]}
        />
      </Section>
    </>
  )
}
