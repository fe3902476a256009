import {
  type BuildImage,
  type BuildImageKind,
  buildImages,
  BuildImageType,
} from '@gantry/contract/build-images/build-images'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { confirm, confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { BuildImageDialog } from './build-image-dialog.tsx'
import { ClustersDialog } from './clusters-dialog.tsx'

export const InternalImagePage = () => <BuildImagePage kind="internal" />
export const CustomerImagePage = () => <BuildImagePage kind="customer" />

/** Build images of the platform, or those that administrators added. */
function BuildImagePage({ kind }: { kind: BuildImageKind }) {
  const customer = kind === 'customer'
  const list = useListState(customer ? 'buildImage' : 'build-internal', { filters: { type: 'all', catalog: 'all' } })
  const { type, catalog, ...at } = list.query
  const query = useRead(buildImages.list, {
    query: {
      ...at,
      kind,
      ...(type === undefined || type === 'all' ? {} : { type: BuildImageType.parse(type) }),
      ...(catalog === undefined || catalog === 'all' ? {} : { catalog: String(catalog) }),
    },
  })
  const catalogs = useRead(buildImages.catalogs)
  const editing = useDialog<BuildImage | 'new'>()
  const limiting = useDialog<BuildImage>()
  const remove = useWrite(buildImages.remove, { done: 'delete-success', quiet: true })
  const publish = useWrite(buildImages.publish, { done: 'save-success', quiet: true })
  const askRemove = ({ id, name }: BuildImage) =>
    confirmDelete({
      title: t('build-images-ui-delete-title', { name }),
      text: t('build-images-ui-delete-text'),
      run: () => remove.mutateAsync({ named: name, params: { id } }),
    })
  const askPublish = ({ id, name }: BuildImage, teamId: number) =>
    confirm({
      title: t('build-images-ui-publish-title', { name }),
      text: t('build-images-ui-publish-text'),
      ok: t('build-images-ui-publish'),
      run: () => publish.mutateAsync({ named: name, params: { t: teamId }, body: { imageId: id } }),
    })
  return (
    <ListPage
      title={t(customer ? 'route-buildImage' : 'route-build-internal')}
      about={t(customer ? 'build-images-ui-customer-about' : 'build-images-ui-internal-about')}
      {...(customer && { add: { label: t('build-images-ui-add'), onClick: () => editing.show('new') } })}
      query={query}
      list={list}
      search={t('build-images-ui-search')}
      filters={[
        {
          name: 'type',
          label: t('build-images-ui-type'),
          options: ['all' as const, ...BuildImageType.options].map((value) => ({
            value,
            label: t(`build-images-ui-type-${value}`),
          })),
        },
        {
          name: 'catalog',
          label: t('build-images-ui-catalog'),
          options: [
            { value: 'all', label: t('build-images-ui-catalog-all') },
            ...(catalogs.data ?? []).map(({ name }) => ({ value: name, label: name })),
          ],
        },
      ]}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      columns={[
        { key: 'name', title: t('build-images-ui-name'), cell: (row) => row.name },
        { key: 'image', title: t('build-images-ui-image'), cell: (row) => <Copyable text={row.image} /> },
        { key: 'catalog', title: t('build-images-ui-catalog'), cell: (row) => row.catalog || '–' },
        { key: 'type', title: t('build-images-ui-type'), cell: (row) => t(`build-images-ui-type-${row.type}`) },
        ...(customer
          ? [
              {
                key: 'team',
                title: t('build-images-ui-team'),
                cell: (row: BuildImage) => row.teamName || t('build-images-ui-team-all'),
              },
            ]
          : []),
        {
          key: 'environments',
          title: t('build-images-ui-clusters'),
          cell: (row) =>
            row.environments.length === 0
              ? t('build-images-ui-clusters-all')
              : [...new Set(row.environments.map(({ name }) => name))].join(', '),
          wideOnly: true,
        },
        {
          key: 'pipelineNum',
          title: t('build-images-ui-pipelines'),
          align: 'right',
          cell: (row) => <span className="g-num">{row.pipelineNum}</span>,
        },
        timeColumn('updatedAt', t('build-images-ui-updated'), { wideOnly: true }),
      ]}
      actions={(row) => [
        editAction({ onClick: () => editing.show(row) }),
        {
          key: 'clusters',
          label: t('build-images-ui-clusters-choose'),
          icon: 'cluster',
          onClick: () => limiting.show(row),
        },
        ...(row.teamId === null
          ? []
          : [
              {
                key: 'publish',
                label: t('build-images-ui-publish'),
                icon: 'team' as const,
                onClick: () => void askPublish(row, row.teamId ?? 0),
              },
            ]),
        deleteAction({ onClick: () => void askRemove(row) }),
      ]}
      empty={{ type: 6, title: t('build-images-ui-none'), memo: t('build-images-ui-none-memo') }}
    >
      {editing.open && (
        <BuildImageDialog {...(editing.open === 'new' ? {} : { image: editing.open })} onClose={editing.hide} />
      )}
      {limiting.open && <ClustersDialog image={limiting.open} onClose={limiting.hide} />}
    </ListPage>
  )
}
