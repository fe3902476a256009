import type { Host } from '@gantry/contract/clusters/hosts'
import { percentOf } from '@gantry/contract/quotas/quotas'
import { t } from '../../../api/language.ts'
import { count } from '../../../ui/format.ts'
import { to, type To } from '../../../ui/link.tsx'
import { Meter } from '../../../ui/chart/meters.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import styles from './hosts.module.css'

/** In these states the badge itself says that a host is cordoned. */
const saysCordoned: readonly Host['state'][] = ['cordoned', 'maintenance']

/** A host's state; its troubles have the names of Kubernetes. */
export const HostState = ({
  host: { state, schedulable, troubles, heldBy },
}: {
  host: Pick<Host, 'state' | 'schedulable' | 'troubles' | 'heldBy'>
}) => (
  <span className={styles.state}>
    <StateBadge state={state} />
    {!schedulable && !saysCordoned.includes(state) && <small>{t('state-cordoned')}</small>}
    {heldBy.length > 0 && <small>{t('ui-held-by', { finalizers: heldBy.join(', ') })}</small>}
    {troubles.length > 0 && <small lang="en">{troubles.join(', ')}</small>}
  </span>
)

export function HostRoles({ host: { roles, controller } }: { host: Pick<Host, 'roles' | 'controller'> }) {
  if (roles.length === 0 && !controller) return <span className="g-faint">–</span>
  return (
    <span className={styles.roles}>
      {roles.map((role) => (
        <span key={role} className="g-tag" lang="en">
          {role}
        </span>
      ))}
      {controller && (
        <span className="g-tag" title={t('hosts-ui-controller-why')}>
          {t('hosts-ui-controller')}
        </span>
      )}
    </span>
  )
}

/** The team to which a host is dedicated, or all teams. */
export const hostFor = ({ dedicated }: Pick<Host, 'dedicated'>): string =>
  dedicated === null ? t('hosts-ui-for-all') : dedicated.name || t('hosts-ui-for-other')

/** A figure with at most one decimal. */
export const figure = (value: number): string => count(Math.round(value * 10) / 10)

interface ShareProps {
  label: string
  unit: string
  requested: number
  total: number
  used: number | null
}

/** Requested resources as a bar, with a mark for the usage. */
export function Share({ label, unit, requested, total, used }: ShareProps) {
  const percent = percentOf(requested, total)
  const figures = { requested: figure(requested), total: figure(total), unit }
  const words =
    used === null ? t('hosts-ui-requested', figures) : t('hosts-ui-requested-used', { ...figures, used: figure(used) })
  return (
    <div className={styles.share} title={words}>
      <div className={`${styles.shareHead} g-num`}>
        <span>
          {figure(requested)} / {figure(total)}
        </span>
        <span>{percent} %</span>
      </div>
      <Meter label={label} percent={percent} words={words} mark={used === null ? undefined : percentOf(used, total)} />
    </div>
  )
}

/** The path parameters of a host. */
export const pathOf = ({ envUuid, name }: Pick<Host, 'envUuid' | 'name'>) => ({ env: envUuid, host: name })

/** Why a host cannot be changed by a team that shares its cluster. */
export const whyShared = ({ alone }: Pick<Host, 'alone'>): string | false => !alone && t('clusters-shared')

/** The page of a host. */
export const placeOf = (
  { envUuid, name, ip, uuid }: Pick<Host, 'envUuid' | 'name' | 'ip' | 'uuid'>,
  tab?: string,
): To =>
  to(
    'cluster-host',
    { env_uuid: envUuid, host_name: name, host_ip: ip || '-', host_uuid: uuid },
    tab === undefined ? {} : { tab },
  )
