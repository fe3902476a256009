import { dockerfiles, type DockerfileRow } from '@gantry/contract/dockerfiles/dockerfiles'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { deleteAction } from '../../ui/table/row-actions.tsx'
import { Time } from '../../ui/time.tsx'
import { CloneDialog } from './clone-dialog.tsx'
import { later } from '../../ui/feedback/later.ts'

const DockerfileDialog = later(async () => (await import('./dockerfile-dialog.tsx')).DockerfileDialog)

/** The Dockerfiles that the team's image steps use. */
export function DockerfileListPage() {
  const teamId = useTeamId()
  const list = useListState('team-dockerfiles')
  const query = useRead(dockerfiles.list, { params: { teamId }, query: list.query })
  const creating = useDialog()
  const opening = useDialog<DockerfileRow>()
  const cloning = useDialog<DockerfileRow>()
  const remove = useWrite(dockerfiles.remove, { done: 'delete-success', quiet: true })
  const ask = ({ id, name }: DockerfileRow) =>
    confirmDelete({
      title: t('dockerfiles-ui-delete-title', { name }),
      text: t('dockerfiles-ui-delete-text'),
      run: () => remove.mutateAsync({ named: name, params: { teamId, dockerfileId: id } }),
    })
  return (
    <ListPage
      title={t('route-team-dockerfiles')}
      about={t('dockerfiles-ui-about')}
      add={{
        label: t('dockerfiles-ui-create'),
        needs: dockerfiles.create,
        onClick: () => creating.show(true),
      }}
      query={query}
      list={list}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      search={t('dockerfiles-ui-search')}
      columns={[
        {
          key: 'name',
          title: t('dockerfiles-ui-name'),
          cell: (row) => (
            <Button quiet small onClick={() => opening.show(row)}>
              <span className="g-clip">{row.name}</span>
            </Button>
          ),
        },
        {
          key: 'description',
          title: t('dockerfiles-ui-description'),
          wideOnly: true,
          cell: (row) => row.description || <span className="g-faint">–</span>,
        },
        {
          key: 'pipelines',
          title: t('dockerfiles-ui-pipelines'),
          align: 'right',
          width: 104,
          wideOnly: true,
          cell: (row) => row.pipelineNum,
        },
        {
          key: 'by',
          title: t('ui-changed-by'),
          width: 140,
          wideOnly: true,
          cell: (row) => row.updatedBy,
        },
        { key: 'updated', title: t('ui-changed'), width: 160, cell: (row) => <Time at={row.updatedAt} /> },
      ]}
      actions={(row) => [
        { key: 'open', label: t('dockerfiles-ui-open'), icon: 'edit', onClick: () => opening.show(row) },
        {
          key: 'clone',
          label: t('dockerfiles-ui-clone'),
          icon: 'copy',
          needs: dockerfiles.clone,
          onClick: () => cloning.show(row),
        },
        deleteAction({ needs: dockerfiles.remove, onClick: () => void ask(row) }),
      ]}
      empty={{ type: 1, title: t('dockerfiles-ui-none'), memo: t('dockerfiles-ui-none-memo') }}
    >
      {creating.open && <DockerfileDialog onClose={creating.hide} />}
      {opening.open && <DockerfileDialog open={opening.open} onClose={opening.hide} />}
      {cloning.open && <CloneDialog source={cloning.open} onClose={cloning.hide} />}
    </ListPage>
  )
}
