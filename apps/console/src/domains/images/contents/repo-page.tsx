import { contents, type Problem, type Repository } from '@gantry/contract/images/contents'
import { repoIdOf, RepositoryName } from '@gantry/contract/images/keys'
import { platformRegistries } from '@gantry/contract/images/platform-registries'
import { Input } from 'antd'
import { z } from 'zod'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Dialog, useDialog } from '../../../ui/feedback/dialog.tsx'
import { example } from '../../../ui/form/example.ts'
import { Field, Form } from '../../../ui/form/form.tsx'
import { type To, to, useGo, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { UsedBy } from './uses.tsx'

/** Repositories of the registries that the team uses. */
export function RepoListPage() {
  const teamId = useTeamId()
  const list = useListState('thirdparty-repos', { filters: { registryId: 'all' } })
  const query = useRead(contents.external, { params: { teamId }, query: list.query })
  const registries = query.data?.registries ?? []
  const openTags = (repoId: string) => to('thirdparty-tags', { repo_id: repoId })
  return (
    <Page
      title={t('route-thirdparty-repos')}
      about={t('images-ui-repos-about')}
      crumbs={[{ label: t('route-thirdparty-registry'), to: to('thirdparty-registry') }]}
    >
      {registries.map(
        ({ id, name, problem }) =>
          problem && <Unread key={id} registryId={id} name={name} problem={problem} tagsAt={openTags} />,
      )}
      <ResourceTable
        label={t('route-thirdparty-repos')}
        query={query}
        list={list}
        search={t('images-ui-repos-search')}
        filters={[
          {
            name: 'registryId',
            label: t('images-ui-registry'),
            options: [
              { value: 'all', label: t('images-ui-registry-all') },
              ...registries.map(({ id, name, sandbox }) => ({
                value: String(id),
                label: sandbox ? t('images-ui-sandbox-name', { name }) : name,
              })),
            ],
          },
        ]}
        rowKey={(row) => row.repoId}
        nameOf={(row) => row.name}
        open={(row) => openTags(row.repoId)}
        columns={[
          nameColumn(),
          { key: 'registry', title: t('images-ui-registry'), cell: (row) => row.registryName },
          ...otherColumns(),
        ]}
        empty={{ type: 6, title: t('images-ui-repos-none'), memo: t('images-ui-repos-none-memo') }}
      />
    </Page>
  )
}

export function PlatformRepoListPage() {
  const registryId = Number(useParam('registry_id'))
  const list = useListState('sys-registry-repo')
  const registries = useRead(platformRegistries.list, {}, { staleMs: 60_000 })
  const query = useRead(contents.repositories, { params: { id: registryId }, query: list.query })
  const name = registries.data?.find(({ id }) => id === registryId)?.name ?? '…'
  const openTags = (repoId: string) => to('sys-registry-tag', { registry_id: registryId, repo_id: repoId })
  return (
    <Page
      title={name}
      about={t('images-ui-repos-of')}
      crumbs={[{ label: t('route-sys-registry'), to: to('sys-registry') }]}
    >
      {query.data?.problem && (
        <Unread registryId={registryId} name={name} problem={query.data.problem} tagsAt={openTags} />
      )}
      <ResourceTable
        label={t('route-sys-registry-repo')}
        query={query}
        list={list}
        search={t('images-ui-repos-search')}
        rowKey={(row) => row.repoId}
        nameOf={(row) => row.name}
        open={(row) => openTags(row.repoId)}
        columns={[nameColumn(), ...otherColumns()]}
        empty={{ type: 6, title: t('images-ui-repos-none'), memo: t('images-ui-repos-none-memo') }}
      />
    </Page>
  )
}

const nameColumn = (): Column<Repository> => ({
  key: 'name',
  title: t('images-ui-repository'),
  sort: true,
  cell: (row) => row.name,
})

const otherColumns = (): Column<Repository>[] => [
  { key: 'image', title: t('images-ui-image-name'), cell: (row) => <Copyable text={row.image} />, wideOnly: true },
  { key: 'uses', title: t('images-ui-used-by'), cell: (row) => <UsedBy uses={row.uses} /> },
]

interface UnreadProps {
  registryId: number
  name: string
  problem: Problem
  tagsAt: (repoId: string) => To
}

const schema = z.strictObject({ name: RepositoryName })

/** Why a registry's repositories are not listed; if it only cannot list them, one can be opened by its name. */
function Unread({ registryId, name, problem, tagsAt }: UnreadProps) {
  const go = useGo()
  const naming = useDialog()
  return (
    <div className="g-note g-note-warn">
      <strong>{t('images-ui-unread', { name })}</strong> {problem.text}{' '}
      {problem.key === 'registry-no-catalogue' && (
        <Button small onClick={() => naming.show(true)}>
          {t('images-ui-by-name')}
        </Button>
      )}
      {naming.open && (
        <Dialog title={t('images-ui-by-name')} onClose={naming.hide}>
          <Form
            schema={schema}
            submit={t('images-ui-by-name-open')}
            onCancel={naming.hide}
            onSubmit={({ name }) => {
              go(tagsAt(repoIdOf({ registryId, repository: name })))
              return Promise.resolve()
            }}
          >
            <Field name="name" label={t('images-ui-repository')} help={t('images-ui-by-name-help')}>
              <Input
                autoFocus
                className="g-mono"
                maxLength={255}
                spellCheck={false}
                placeholder={example('team/app')}
              />
            </Field>
          </Form>
        </Dialog>
      )}
    </div>
  )
}
