import { catalogs } from '@gantry/contract/catalog/catalogs'
import { type CatalogTemplateRow, catalogTemplates } from '@gantry/contract/catalog/templates'
import { call } from '../../api/call.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { Failed } from '../../ui/feedback/failed.tsx'
import { to, useGo, useParam } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { ActionMenu, deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { Time } from '../../ui/time.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { useCatalogActions } from './use-catalog-actions.tsx'

/** A preset service and its versions, for administrators. */
export function TemplateListPage() {
  const go = useGo()
  const catalogId = Number(useParam('catalog_id'))
  const catalog = useRead(catalogs.get, { params: { id: catalogId } })
  const list = useListState('sys-catalog-edition')
  const query = useRead(catalogTemplates.list, { params: { catalogId }, query: list.query })
  const { actionsOf: ofCatalog, dialogs } = useCatalogActions()
  const editing = useDialog<{ of?: { id: number; version: string; copy: boolean } }>()
  const { remove, publish } = useTemplateWrites()
  const add = { label: t('catalog-ui-version-add'), onClick: () => editing.show({}) }
  const { data } = catalog
  return (
    <Page
      title={data?.name ?? '…'}
      about={data?.description || t('catalog-ui-versions')}
      crumbs={[{ label: t('route-sys-catalog'), to: to('sys-catalog') }]}
      actions={
        !catalog.error && (
          <>
            <ActionMenu
              label={t('ui-actions-of', { name: data?.name ?? '…' })}
              actions={data ? ofCatalog(data, () => go(to('sys-catalog'), { replace: true })) : []}
            />
            <Button primary icon="add" onClick={add.onClick}>
              {add.label}
            </Button>
          </>
        )
      }
    >
      {catalog.error && data === undefined ? (
        <Failed error={catalog.error} retry={() => void catalog.refetch()} />
      ) : (
        <ResourceTable
          label={t('route-sys-catalog-edition')}
          query={query}
          list={list}
          rowKey={(row) => row.id}
          nameOf={(row) => row.version}
          search={t('catalog-ui-version-search')}
          columns={[
            {
              key: 'version',
              title: t('catalog-ui-version'),
              cell: (row) => (
                <>
                  {row.version}
                  {row.outdated && <span className="g-warn"> · {t('blueprints-ui-outdated')}</span>}
                </>
              ),
            },
            {
              key: 'state',
              title: t('catalog-ui-state'),
              width: 128,
              cell: (row) => t(`catalog-ui-state-${row.published ? 'published' : 'draft'}`),
            },
            {
              key: 'notes',
              title: t('catalog-ui-notes'),
              wideOnly: true,
              cell: (row) => row.notes || <span className="g-faint">–</span>,
            },
            {
              key: 'services',
              title: t('catalog-ui-services'),
              align: 'right',
              width: 96,
              wideOnly: true,
              cell: (row) => row.serviceNum,
            },
            { key: 'stacks', title: t('catalog-ui-stacks'), align: 'right', width: 96, cell: (row) => row.stackNum },
            { key: 'updated', title: t('catalog-ui-changed'), width: 160, cell: (row) => <Time at={row.updatedAt} /> },
          ]}
          actions={(row) => [
            editAction({ onClick: () => editing.show({ of: { id: row.id, version: row.version, copy: false } }) }),
            {
              key: 'publish',
              label: t(row.published ? 'catalog-ui-unpublish' : 'catalog-ui-publish'),
              icon: row.published ? 'lock' : 'globe',
              disabled: !row.published && row.outdated && t('blueprints-ui-outdated-memo'),
              onClick: () => void publish(row),
            },
            {
              key: 'copy',
              label: t('catalog-ui-version-copy'),
              icon: 'copy',
              onClick: () => editing.show({ of: { id: row.id, version: row.version, copy: true } }),
            },
            deleteAction({ onClick: () => void remove(row) }),
          ]}
          empty={{ type: 1, title: t('catalog-ui-versions-none'), memo: t('catalog-ui-versions-none-memo'), add }}
        />
      )}
      {dialogs}
      {editing.open && data && <TemplateDialog catalog={data} {...editing.open} onClose={editing.hide} />}
    </Page>
  )
}

function useTemplateWrites() {
  const removal = useWrite(catalogTemplates.remove, { done: 'delete-success', quiet: true })
  const update = useWrite(catalogTemplates.update, { done: 'update-success' })
  return {
    remove: ({ id, version }: CatalogTemplateRow) =>
      confirmDelete({
        title: t('catalog-ui-version-delete-title', { version }),
        text: t('catalog-ui-version-delete-text'),
        run: () => removal.mutateAsync({ named: version, params: { id } }),
      }),
    /** Publishes a draft, or turns a published version into a draft. */
    publish: async ({ id, version, notes, published, revision }: CatalogTemplateRow) => {
      const { template } = await call(catalogTemplates.get, { params: { id } })
      const body = { version, notes, template, published: !published, revision }
      await update.mutateAsync({ named: version, params: { id }, body }).catch(() => undefined)
    },
  }
}
