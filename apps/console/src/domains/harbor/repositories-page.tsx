import { harborContents, type HarborRepository } from '@gantry/contract/harbor/contents'
import { call } from '../../api/call.ts'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { to, type To, useParam } from '../../ui/link.tsx'
import { type Crumb, Page } from '../../ui/page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { UsedBy } from '../images/public.tsx'
import { ProjectRules } from './project-rules.tsx'
import { wayBack } from './way-back.ts'

export function TeamRepositoriesPage() {
  const [harborId, projectId] = [Number(useParam('harbor_id')), Number(useParam('project_id'))]
  const [namespaceId, from] = [useParam('namespace_id'), useParam('from_type')]
  return (
    <Repositories
      harborId={harborId}
      projectId={projectId}
      crumbs={[wayBack(from, harborId)]}
      open={(row) =>
        to(
          'registry-tags',
          { namespace_id: namespaceId, harbor_id: harborId, project_id: projectId, from_type: from },
          { repo: row.name },
        )
      }
    />
  )
}

/** The same for any project, for administrators. */
export function SystemRepositoriesPage() {
  const [harborId, projectId] = [Number(useParam('harbor_id')), Number(useParam('project_id'))]
  return (
    <Repositories
      harborId={harborId}
      projectId={projectId}
      crumbs={[{ label: t('route-sys-registry'), to: to('sys-registry') }, wayBack('harbor', harborId)]}
      open={(row) => to('sys-harbor-tags', { harbor_id: harborId, project_id: projectId, repository_id: row.name })}
    />
  )
}

interface RepositoriesProps {
  harborId: number
  projectId: number
  crumbs: readonly Crumb[]
  open: (row: HarborRepository) => To
}

function Repositories({ harborId, projectId, crumbs, open }: RepositoriesProps) {
  const list = useListState('harbor-repositories')
  const params = { id: harborId, projectId }
  const query = useRead(harborContents.repositories, { params, query: list.query })
  const project = query.data?.project ?? ''
  const within = (name: string) => name.slice(project.length + 1)
  return (
    <Page title={project || '…'} about={t('harbor-ui-repositories-about')} crumbs={crumbs}>
      <ResourceTable
        label={t('harbor-ui-repositories')}
        query={query}
        list={list}
        search={t('harbor-ui-repository-search')}
        rowKey={(row) => row.name}
        nameOf={(row) => row.name}
        open={open}
        columns={[
          { key: 'name', title: t('harbor-ui-repository'), cell: (row) => within(row.name), mono: true },
          numberColumn('artifacts', t('harbor-ui-images'), { width: 96 }),
          numberColumn('pulls', t('harbor-ui-pulls'), { width: 96 }),
          { key: 'uses', title: t('images-ui-used-by'), cell: (row) => <UsedBy uses={row.uses} /> },
          timeColumn('updatedAt', t('harbor-ui-updated')),
          timeColumn('createdAt', t('harbor-ui-created'), { wideOnly: true }),
        ]}
        bulk={[
          {
            key: 'delete',
            label: t('harbor-ui-repositories-delete'),
            needs: harborContents.removeRepositories,
            danger: true,
            ask: t('harbor-ui-repositories-delete-text'),
            run: (row) => removeRepository(harborId, projectId, row.name),
          },
        ]}
        empty={{ type: 6, title: t('harbor-ui-repositories-none'), memo: t('harbor-ui-repositories-none-memo') }}
      />
      <ProjectRules harborId={harborId} projectId={projectId} />
    </Page>
  )
}

/** A batch of one: its result is that of this row. */
async function removeRepository(harborId: number, projectId: number, name: string): Promise<void> {
  const [result] = await call(harborContents.removeRepositories, {
    params: { id: harborId },
    query: { projectId },
    body: [name],
  })
  if (result && !result.done) throw new Error(result.problem)
}
