import { services } from '@gantry/contract/stacks/services'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { to, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { ServiceBadge } from '../services/badges.tsx'
import { WaysIn } from './ways-in.tsx'

/** The ways into a stack through the ingress in the address: all, or those of a group. */
export function IngressPage() {
  const teamId = useTeamId()
  const name = useParam('service_name')
  const stackName = useParam('stack_name')
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const group = params['group_name']
  const ids = { env_id: useParam('env_id'), stack_id: useParam('stack_id'), stack_uuid: useParam('stack_uuid') }
  const query = useRead(services.list, {
    params: { teamId, envId: ids.env_id, uuid: ids.stack_uuid },
    query: { search: name, pageSize: 100 },
  })
  const service = query.data?.items.find((one) => one.name === name)
  return (
    <Page
      title={
        <span className="g-title">
          {name} {service && <ServiceBadge service={service} />}
        </span>
      }
      crumbs={[
        { label: t('route-app-list'), to: to('app-list') },
        { label: stackName, to: to('app-list', {}, { keyword: stackName }) },
        ...(group === undefined
          ? []
          : [
              {
                label: name,
                to: to('ingress-containers', { ...ids, stack_name: stackName, service_name: name, from: 'appcenter' }),
              },
            ]),
      ]}
    >
      <Loaded query={query}>
        {() =>
          service && (service.type === 'lb' || service.type === 'ingress') ? (
            <WaysIn service={service} group={group} />
          ) : (
            <EmptyState title={t('outward-ui-ways-none')} memo={t('outward-ui-ways-memo')} />
          )
        }
      </Loaded>
    </Page>
  )
}
