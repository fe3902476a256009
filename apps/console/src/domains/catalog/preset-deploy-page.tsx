import { catalogs } from '@gantry/contract/catalog/catalogs'
import { catalogTemplates } from '@gantry/contract/catalog/templates'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { to, useGo, useParam, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { DeployForm } from '../blueprints/public.tsx'
import { ShareFields, useClusters } from '../stacks/public.tsx'

/** Deploys the version in the address as a stack. */
export const DeployVersionPage = () => <DeployPage templateId={Number(useParam('version_id'))} />

/** Deploys the version that was the newest when the page was opened as a stack. */
export function DeployNewestPage() {
  const tenant = useTeamId()
  const id = Number(useParam('catalog_id'))
  const name = useParam('catalog_name')
  const query = useRead(
    catalogs.ofTeam,
    { params: { tenant }, query: { id, pageSize: 1 } },
    { keep: false, staleMs: Infinity },
  )
  const newest = query.data?.items[0]?.newest
  if (newest) return <DeployPage templateId={newest.id} />
  return (
    <Page narrow title={t('catalog-ui-deploy-named', { name })} crumbs={[crumb()]}>
      <Loaded query={query}>
        {() => <EmptyState title={t('catalog-ui-no-version')} memo={t('catalog-ui-no-version-memo')} />}
      </Loaded>
    </Page>
  )
}

const crumb = () => ({ label: t('route-persetService'), to: to('persetService') })

function DeployPage({ templateId }: { templateId: number }) {
  const go = useGo()
  const teamId = useTeamId()
  const name = useParam('catalog_name')
  const versions = to('preset-version', { catalog_id: useParam('catalog_id') })
  const query = useRead(catalogTemplates.get, { params: { id: templateId } }, { keep: false, staleMs: Infinity })
  const clusters = useClusters(teamId)
  const { catalogName = name, version = '…' } = query.data ?? {}
  return (
    <Page
      narrow
      title={t('catalog-ui-deploy-version', { name: catalogName, version })}
      about={query.data?.notes ?? ''}
      crumbs={[crumb(), { label: catalogName, to: versions }]}
    >
      {/* the initial values need the clusters, and loading them later would discard input */}
      <Loaded query={clusters.isLoading ? { ...query, data: undefined } : query}>
        {({ id, template }) => (
          <DeployForm
            source={{ templateId: id }}
            template={template}
            clusters={clusters.data ?? []}
            share={<ShareFields under="quota" />}
            onCancel={() => go(versions)}
            onDone={(keyword) => go(to('app-list', {}, { keyword }))}
          />
        )}
      </Loaded>
    </Page>
  )
}
