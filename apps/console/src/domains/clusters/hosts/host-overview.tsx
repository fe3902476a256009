import type { HostDetail } from '@gantry/contract/clusters/hosts'
import { t } from '../../../api/language.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { Facts } from '../../../ui/detail.tsx'
import { count } from '../../../ui/format.ts'
import { Section } from '../../../ui/page.tsx'
import { atHand, ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Rows } from '../../../ui/table/rows.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import type { StateTone } from '../../../ui/feedback/states.ts'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { Time } from '../../../ui/time.tsx'
import { figure, hostFor, HostRoles, Share } from './host-marks.tsx'
import styles from './hosts.module.css'

/** A text reported by the machine. */
const Said = ({ text }: { text: string }) => <span translate="no">{text || '–'}</span>

/** A host's data, conditions and resources. */
export const HostOverview = ({ host }: { host: HostDetail }) => (
  <div className={styles.page}>
    <Facts
      facts={[
        { label: t('hosts-ui-roles'), value: <HostRoles host={host} /> },
        { label: t('hosts-ui-for'), value: hostFor(host) },
        { label: t('hosts-ui-ingress'), value: t(host.ingress ? 'hosts-ui-ingress-yes' : 'hosts-ui-ingress-no') },
        { label: t('hosts-ui-version'), value: <Said text={host.version} /> },
        { label: t('hosts-ui-os'), value: <Said text={host.osImage} /> },
        { label: t('hosts-ui-architecture'), value: <Said text={host.architecture} /> },
        { label: t('hosts-ui-kernel'), value: <Said text={host.kernel} /> },
        { label: t('hosts-ui-runtime'), value: <Said text={host.runtime} /> },
        { label: t('hosts-ui-created'), value: <Time at={host.createdAt} /> },
        {
          label: t('hosts-ui-addresses'),
          wide: true,
          value: host.addresses.map(({ type, address }) => (
            <div key={`${type} ${address}`}>
              <span className="g-faint" lang="en">
                {type}
              </span>{' '}
              <Copyable text={address} />
            </div>
          )),
        },
      ]}
    />
    <CapacityTable host={host} />
    <Conditions host={host} />
    {host.images.length > 0 && <Images host={host} />}
  </div>
)

function CapacityTable({ host }: { host: HostDetail }) {
  const { capacity, allocatable, requested, used, podNum } = host
  const nothing = <span className="g-faint">–</span>
  const measured = (value: number | undefined, unit: string) =>
    value === undefined ? <span className="g-faint">{t('hosts-ui-unmeasured')}</span> : `${figure(value)} ${unit}`
  // a host may not report its capacity
  const disk = ({ disk: gib }: HostDetail['capacity']) =>
    gib === 0 ? nothing : t('pods-ui-gib', { count: figure(gib) })
  const row = (resource: 'cpu' | 'memory') => {
    const unit = t(`stacks-ui-unit-${resource}`)
    const label = t(`hosts-ui-${resource}`)
    return (
      <tr key={resource}>
        <th scope="row">{label}</th>
        <td className="g-num">{`${figure(capacity[resource])} ${unit}`}</td>
        <td className="g-num">{`${figure(allocatable[resource])} ${unit}`}</td>
        <td>
          <Share
            label={label}
            unit={unit}
            requested={requested[resource]}
            total={allocatable[resource]}
            used={used?.[resource] ?? null}
          />
        </td>
        <td className="g-num">{measured(used?.[resource], unit)}</td>
      </tr>
    )
  }
  return (
    <Section title={t('hosts-ui-capacity')} about={t('hosts-ui-capacity-about')}>
      <Rows label={t('hosts-ui-capacity')}>
        <thead>
          <tr>
            <th scope="col">{t('hosts-ui-resource')}</th>
            <th scope="col">{t('hosts-ui-total')}</th>
            <th scope="col">{t('hosts-ui-allocatable')}</th>
            <th scope="col">{t('hosts-ui-requests')}</th>
            <th scope="col">{t('hosts-ui-use')}</th>
          </tr>
        </thead>
        <tbody>
          {row('cpu')}
          {row('memory')}
          <tr>
            <th scope="row">{t('hosts-ui-pods')}</th>
            <td className="g-num">{count(capacity.pods)}</td>
            <td className="g-num">{count(allocatable.pods)}</td>
            <td>{nothing}</td>
            <td className="g-num">{count(podNum)}</td>
          </tr>
          <tr>
            <th scope="row">{t('hosts-ui-disk')}</th>
            <td className="g-num">{disk(capacity)}</td>
            <td className="g-num">{disk(allocatable)}</td>
            <td>{nothing}</td>
            <td>{nothing}</td>
          </tr>
        </tbody>
      </Rows>
    </Section>
  )
}

type Condition = HostDetail['conditions'][number]

/** Ready should be true; every other condition is a trouble if true. */
function toneOf({ type, status }: Condition): StateTone {
  if (status === 'Unknown') return 'warn'
  return (type === 'Ready') === (status === 'True') ? 'ok' : 'bad'
}

const wordOf = ({ status }: Condition): string =>
  t(
    status === 'True'
      ? 'hosts-ui-condition-holds'
      : status === 'False'
        ? 'hosts-ui-condition-not'
        : 'hosts-ui-condition-unknown',
  )

const Conditions = ({ host: { conditions } }: { host: HostDetail }) => (
  <Section title={t('hosts-ui-conditions')}>
    <ResourceTable
      label={t('hosts-ui-conditions')}
      query={atHand(conditions)}
      rowKey={(row) => row.type}
      columns={[
        { key: 'type', title: t('hosts-ui-condition'), cell: (row) => <span lang="en">{row.type}</span> },
        {
          key: 'status',
          title: t('hosts-ui-state'),
          cell: (row) => <StateBadge state={row.status} tone={toneOf(row)} text={wordOf(row)} />,
        },
        timeColumn('since', t('hosts-ui-since')),
        {
          key: 'reason',
          title: t('hosts-ui-reason'),
          wideOnly: true,
          cell: (row) => <span lang="en">{row.reason}</span>,
        },
        { key: 'message', title: t('hosts-ui-message'), cell: (row) => <span lang="en">{row.message}</span> },
      ]}
    />
  </Section>
)

const Images = ({ host: { images } }: { host: HostDetail }) => (
  <Section title={t('hosts-ui-images')} about={t('hosts-ui-images-about')}>
    <Rows label={t('hosts-ui-images')}>
      <thead>
        <tr>
          <th scope="col">{t('hosts-ui-image')}</th>
          <th scope="col">{t('hosts-ui-size')}</th>
        </tr>
      </thead>
      <tbody>
        {images.map(({ name, sizeMib }, at) => (
          <tr key={`${name}/${at}`}>
            {name === '' ? (
              <td className="g-faint">{t('hosts-ui-image-nameless')}</td>
            ) : (
              <td className="g-key" translate="no">
                {name}
              </td>
            )}
            <td className="g-num">{t('hosts-ui-mib', { count: count(sizeMib) })}</td>
          </tr>
        ))}
      </tbody>
    </Rows>
  </Section>
)
