import { releases } from '@gantry/contract/blueprints/releases'
import { catalogs } from '@gantry/contract/catalog/catalogs'
import { catalogTemplates } from '@gantry/contract/catalog/templates'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { to, useGo, useParam, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { Time } from '../../ui/time.tsx'

const needs = releases.deploy

/** A preset service: its versions, and the team's stacks of them. */
export function PresetVersionPage() {
  const teamId = useTeamId()
  const go = useGo()
  const catalogId = Number(useParam('catalog_id'))
  const found = useRead(catalogs.ofTeam, { params: { tenant: teamId }, query: { id: catalogId, pageSize: 1 } })
  const list = useListState('preset-version')
  const query = useRead(catalogTemplates.list, { params: { catalogId }, query: { ...list.query, teamId } })
  const catalog = found.data?.items[0]
  const of = { catalog_id: catalogId, catalog_name: catalog?.name ?? '-' }
  return (
    <Page
      title={catalog?.name ?? t('route-preset-version')}
      about={catalog?.description || t('catalog-ui-team-versions-about')}
      crumbs={[{ label: t('route-persetService'), to: to('persetService') }]}
      actions={
        catalog?.newest && (
          <Button primary icon="play" needs={needs} onClick={() => go(to('preset-deploy', of))}>
            {t('catalog-ui-deploy-version', { name: catalog.name, version: catalog.newest.version })}
          </Button>
        )
      }
    >
      <ResourceTable
        label={t('route-preset-version')}
        query={query}
        list={list}
        rowKey={(row) => row.id}
        nameOf={(row) => row.version}
        search={t('catalog-ui-version-search')}
        columns={[
          { key: 'version', title: t('catalog-ui-version'), cell: (row) => row.version },
          {
            key: 'notes',
            title: t('catalog-ui-notes'),
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
        open={(row) => to('preset-version-deploy', { ...of, version_id: row.id })}
        actions={(row) => [
          {
            key: 'deploy',
            label: t('catalog-ui-deploy'),
            icon: 'play',
            needs,
            disabled: row.outdated && t('blueprints-ui-outdated-memo'),
            onClick: () => go(to('preset-version-deploy', { ...of, version_id: row.id })),
          },
        ]}
        empty={{ title: t('catalog-ui-no-version'), memo: t('catalog-ui-no-version-memo') }}
      />
    </Page>
  )
}
