import { Checkbox } from 'antd'
import { type ServiceClaim, services, type ServiceSummary } from '@gantry/contract/stacks/services'
import { call } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import { confirmDelete } from '../../../ui/feedback/dialog.tsx'

type Removal = { claims: 'keep' | 'delete'; deleteFore?: 'true' }

/** The number of claims named in the confirmation, because nobody reads a longer list. */
const maxNamed = 12

const namesOf = (claims: readonly ServiceClaim[], total: number): string =>
  [
    ...claims.slice(0, maxNamed).map(({ name, size }) => `${name} (${size})`),
    ...(total > maxNamed ? [t('ui-and-more', { count: total - maxNamed })] : []),
  ].join(', ')

/** Confirms the deletion of a service: what is deleted, what stays, and whether that should be deleted too. */
export async function askRemove(service: ServiceSummary, run: (how: Removal) => Promise<unknown>): Promise<boolean> {
  const { teamId, envId, id, name, replicas, revision, addresses, live } = service
  const claims = await call(services.claims, { params: { teamId, envId, id }, query: {} })
  // An unreachable cluster would keep a service forever, so the service can be forgotten without it.
  const isGone = live.state === 'stale' || service.state === 'deleting'
  const how: Removal = { claims: 'keep' }
  return confirmDelete({
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
    run: () => run(how),
  })
}
