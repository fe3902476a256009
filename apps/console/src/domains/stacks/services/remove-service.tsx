import { Checkbox } from 'antd'
import { type ServiceClaim, services, type ServiceSummary } from '@gantry/contract/stacks/services'
import { call } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import { confirm } from '../../../ui/feedback/dialog.tsx'

type Removal = { claims: 'keep' | 'delete'; deleteFore?: 'true' }

/** So many claims are named in the question; a longer list is not read. */
const mostNamed = 12

const namesOf = (claims: readonly ServiceClaim[], total: number): string =>
  [
    ...claims.slice(0, mostNamed).map(({ name, size }) => `${name} (${size})`),
    ...(total > mostNamed ? [t('ui-and-more', { count: total - mostNamed })] : []),
  ].join(', ')

/** Asks before a service is deleted: what goes with it, what stays, and whether that is to go too. */
export async function askRemove(service: ServiceSummary, run: (how: Removal) => Promise<unknown>): Promise<boolean> {
  const { teamId, envId, id, name, replicas, revision, addresses, live } = service
  const claims = await call(services.claims, { params: { teamId, envId, id }, query: {} })
  // A cluster that does not answer keeps a service for ever, unless the service can be forgotten without it.
  const isGone = live.state === 'stale' || service.state === 'deleting'
  const how: Removal = { claims: 'keep' }
  return confirm({
    title: t('stacks-ui-remove-title', { name }),
    goes: [
      t('stacks-ui-remove-pods', { count: replicas }),
      ...addresses.map(({ url }) => <code key={url}>{url}</code>),
      t('stacks-ui-remove-history', { count: revision }),
    ],
    text: t('stacks-ui-remove-text'),
    ...(claims.totalSize > 0 || isGone
      ? {
          warning: (
            <>
              {claims.totalSize > 0 && (
                <>
                  {t('stacks-ui-remove-claims-kept', { claims: namesOf(claims.items, claims.totalSize) })}
                  <br />
                  <Checkbox onChange={({ target }) => (how.claims = target.checked ? 'delete' : 'keep')}>
                    {t('stacks-ui-remove-claims-too')}
                  </Checkbox>
                </>
              )}
              {isGone && (
                <Checkbox
                  onChange={({ target }) => {
                    if (target.checked) how.deleteFore = 'true'
                    else delete how.deleteFore
                  }}
                >
                  {t('stacks-ui-remove-forget')}
                </Checkbox>
              )}
            </>
          ),
        }
      : {}),
    typed: 'ok',
    danger: true,
    ok: t('ui-delete'),
    run: () => run(how),
  })
}
