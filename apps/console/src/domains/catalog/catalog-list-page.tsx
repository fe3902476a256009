import { type Catalog, catalogs, catalogTags } from '@gantry/contract/catalog/catalogs'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/feedback/dialog.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { CatalogDialog } from './catalog-dialog.tsx'
import { CatalogImage } from './catalog-image.tsx'
import { tagOptions } from './tag-options.ts'
import { TagsDialog } from './tags-dialog.tsx'
import { useCatalogActions } from './use-catalog-actions.tsx'

const teamsOf = ({ forAll, teams }: Catalog): string =>
  forAll ? t('catalog-ui-teams-all') : teams.map(({ name }) => name).join(', ') || t('catalog-ui-teams-none')

/** The application catalogue: the preset services that administrators offer to teams. */
export function CatalogListPage() {
  const go = useGo()
  const list = useListState('sys-catalog', { filters: { tag: 'all' } })
  const query = useRead(catalogs.list, { query: list.query })
  const tags = useRead(catalogTags.list)
  const adding = useDialog()
  const tagging = useDialog()
  const { actionsOf, dialogs } = useCatalogActions()
  return (
    <ListPage
      title={t('route-sys-catalog')}
      about={t('catalog-ui-about')}
      add={{ label: t('catalog-ui-add'), onClick: () => adding.show(true) }}
      more={<Button onClick={() => tagging.show(true)}>{t('catalog-ui-tags-manage')}</Button>}
      query={query}
      list={list}
      search={t('catalog-ui-search')}
      filters={[{ name: 'tag', label: t('catalog-ui-tag'), options: tagOptions(tags.data) }]}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      open={(row) => to('sys-catalog-edition', { catalog_id: row.id })}
      columns={[
        {
          key: 'name',
          title: t('catalog-ui-name'),
          sort: true,
          cell: (row) => (
            <span className="g-row">
              <CatalogImage catalog={row} /> {row.name}
              {row.shipped && (
                <span className="g-tag" title={t('catalog-ui-shipped-memo')}>
                  {t('catalog-ui-shipped')}
                </span>
              )}
            </span>
          ),
        },
        {
          key: 'tags',
          title: t('catalog-ui-tags'),
          width: 200,
          cell: (row) => row.tags.map(({ name }) => name).join(', ') || '–',
        },
        { key: 'teams', title: t('catalog-ui-teams'), cell: teamsOf },
        {
          key: 'versions',
          title: t('catalog-ui-versions'),
          align: 'right',
          width: 144,
          cell: (row) => (
            <>
              {row.versionNum}
              {row.draftNum > 0 && (
                <span className="g-faint"> · {t('catalog-ui-drafts', { count: row.draftNum })}</span>
              )}
            </>
          ),
        },
        { key: 'stacks', title: t('catalog-ui-stacks'), align: 'right', width: 96, cell: (row) => row.stackNum },
        timeColumn('updatedAt', t('catalog-ui-changed'), { sort: true, width: 160, wideOnly: true }),
      ]}
      actions={(row) => actionsOf(row)}
      empty={{ type: 1, title: t('catalog-ui-none'), memo: t('catalog-ui-none-memo') }}
    >
      {dialogs}
      {tagging.open && <TagsDialog onClose={tagging.hide} />}
      {adding.open && (
        <CatalogDialog onClose={adding.hide} onDone={({ id }) => go(to('sys-catalog-edition', { catalog_id: id }))} />
      )}
    </ListPage>
  )
}
