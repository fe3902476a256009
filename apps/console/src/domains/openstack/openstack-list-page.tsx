import { openstack } from '@gantry/contract/openstack/openstack'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { deleteAction } from '../../ui/table/row-actions.tsx'
import { OpenClusterSelect, useOpenCluster, whyShared } from './open-cluster.tsx'
import { useOpenStacks, useRemoveOpenStack } from './use-openstacks.tsx'

export function OpenStackListPage() {
  const go = useGo()
  const clusters = useOpenCluster()
  const env = clusters.chosen?.uuid
  const shared = whyShared(clusters.chosen)
  const list = useOpenStacks(env)
  const remove = useRemoveOpenStack()
  const without = clusters.all?.length === 0
  const query = without || clusters.query.error ? clusters.query : list
  return (
    <ListPage
      title={t('route-open-stack')}
      about={t('openstack-ui-about')}
      add={{
        label: t('openstack-ui-add'),
        needs: openstack.create,
        ...(env === undefined ? { disabled: t('openstack-ui-no-environment') } : shared && { disabled: shared }),
        onClick: () => env !== undefined && go(to('open-stack-add', { env_uuid: env })),
      }}
      query={{ ...query, data: without ? [] : list.data }}
      toolbar={<OpenClusterSelect clusters={clusters} />}
      rowKey={(row) => row.uuid}
      nameOf={(row) => row.name}
      columns={[
        {
          key: 'name',
          title: t('openstack-ui-name'),
          cell: (row) => (
            <>
              {row.name} {row.state !== 'ready' && <StateBadge state={row.state} />}
            </>
          ),
        },
        {
          key: 'authUrl',
          title: t('openstack-ui-auth-url'),
          cell: (row) => <Copyable text={row.keystone.authUrl} />,
        },
        { key: 'username', title: t('openstack-ui-username'), cell: (row) => row.keystone.username },
        {
          key: 'userDomain',
          title: t('openstack-ui-user-domain'),
          cell: (row) => <Theirs word={row.keystone.userDomainName} />,
        },
        { key: 'project', title: t('openstack-ui-project'), cell: (row) => row.keystone.projectName },
        {
          key: 'projectDomain',
          title: t('openstack-ui-project-domain'),
          cell: (row) => <Theirs word={row.keystone.projectDomainName} />,
        },
      ]}
      actions={(row) => [deleteAction({ needs: openstack.remove, disabled: shared, onClick: () => void remove(row) })]}
      empty={
        without
          ? { type: 6, title: t('openstack-ui-no-environment'), memo: t('openstack-ui-no-environment-memo') }
          : { type: 6, title: t('openstack-ui-none'), memo: t('openstack-ui-none-memo') }
      }
    />
  )
}

/** A name from OpenStack, typically `Default`, which is not translated. */
const Theirs = ({ word }: { word: string }) => <span translate="no">{word}</span>
