import type { Host } from '@gantry/contract/clusters/hosts'
import { quotaWarning } from '@gantry/contract/quotas/quotas'
import { t } from '../../api/language.ts'
import { count } from '../../ui/format.ts'
import { to, type To } from '../../ui/link.tsx'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import './hosts.css'

const tones: Record<Host['state'], StateTone> = {
  ready: 'ok',
  not_ready: 'bad',
  cordoned: 'warn',
  maintenance: 'wait',
  deleting: 'busy',
}

/** How a host is; what troubles it is named as Kubernetes does. */
export const HostState = ({ host: { state, troubles } }: { host: Pick<Host, 'state' | 'troubles'> }) => (
  <span className="h-state">
    <StateBadge state={state} tone={tones[state]} />
    {troubles.length > 0 && <small lang="en">{troubles.join(', ')}</small>}
  </span>
)

export function HostRoles({ host: { roles, controller } }: { host: Pick<Host, 'roles' | 'controller'> }) {
  if (roles.length === 0 && !controller) return <span className="g-faint">–</span>
  return (
    <span className="h-roles">
      {roles.map((role) => (
        <span key={role} className="h-tag" lang="en">
          {role}
        </span>
      ))}
      {controller && (
        <span className="h-tag" title={t('hosts-ui-controller-why')}>
          {t('hosts-ui-controller')}
        </span>
      )}
    </span>
  )
}

/** For whom a host is. */
export const hostFor = ({ dedicated }: Pick<Host, 'dedicated'>): string =>
  dedicated === null ? t('hosts-ui-for-all') : dedicated.name || t('hosts-ui-for-other')

/** Figures of one digit behind the point at most. */
export const figure = (value: number): string => count(Math.round(value * 10) / 10)

interface ShareProps {
  label: string
  unit: string
  requested: number
  total: number
  used: number | null
}

/** What is requested of what there is, as a bar; what is in use is a mark in it. */
export function Share({ label, unit, requested, total, used }: ShareProps) {
  const part = (value: number) => (total > 0 ? Math.min(100, Math.round((value / total) * 100)) : 0)
  const percent = part(requested)
  const figures = { requested: figure(requested), total: figure(total), unit }
  const words =
    used === null ? t('hosts-ui-requested', figures) : t('hosts-ui-requested-used', { ...figures, used: figure(used) })
  return (
    <div className={percent > quotaWarning ? 'h-share h-share-full' : 'h-share'} title={words}>
      <div className="h-share-head g-num">
        <span>
          {figure(requested)} / {figure(total)}
        </span>
        <span>{percent} %</span>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={words}
      >
        <i style={{ width: `${percent}%` }} />
        {used !== null && <b style={{ insetInlineStart: `${part(used)}%` }} />}
      </div>
    </div>
  )
}

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
