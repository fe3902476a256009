import { releases } from '@gantry/contract/blueprints/releases'
import { blueprints, type BlueprintRow } from '@gantry/contract/blueprints/blueprints'
import { call } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { type Needs, useUser } from '../../../api/session.ts'
import { saveText } from '../../../api/transfer.ts'
import { confirmDelete, useDialog } from '../../../ui/feedback/dialog.tsx'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { type Action, deleteAction } from '../../../ui/table/row-actions.tsx'
import { Time } from '../../../ui/time.tsx'
import { paramsOf } from '../places.ts'
import { BringDialog } from '../../catalog/public.tsx'
import { BasicsDialog, CloneDialog } from './blueprint-dialogs.tsx'

interface BlueprintListProps {
  productId: number
  add: { label: string; needs: Needs; onClick: () => void }
}

/** The versions of a product, newest first. */
export function BlueprintList({ productId, add }: BlueprintListProps) {
  const teamId = useTeamId()
  const list = useListState('product-version')
  const query = useRead(blueprints.list, { params: { teamId }, query: { ...list.query, application_id: productId } })
  const { actionsOf, dialogs } = useBlueprintActions()
  return (
    <>
      <ResourceTable
        label={t('route-product-version')}
        query={query}
        list={list}
        rowKey={(row) => row.id}
        nameOf={(row) => row.version}
        search={t('blueprints-ui-search')}
        columns={[
          {
            key: 'version',
            title: t('blueprints-ui-version'),
            cell: (row) => (
              <>
                {row.version}
                {row.outdated && <span className="g-warn"> · {t('blueprints-ui-outdated')}</span>}
              </>
            ),
          },
          {
            key: 'description',
            title: t('blueprints-ui-description'),
            wideOnly: true,
            cell: (row) => row.description || <span className="g-faint">–</span>,
          },
          {
            key: 'services',
            title: t('blueprints-ui-services'),
            align: 'right',
            width: 96,
            cell: (row) => row.serviceNum,
          },
          { key: 'stacks', title: t('blueprints-ui-stacks'), align: 'right', width: 96, cell: (row) => row.stackNum },
          { key: 'updated', title: t('blueprints-ui-changed'), width: 160, cell: (row) => <Time at={row.updatedAt} /> },
        ]}
        open={(row) => to('blueprint', paramsOf(row))}
        actions={actionsOf}
        empty={{ type: 1, title: t('blueprints-ui-none'), memo: t('blueprints-ui-none-memo'), add }}
      />
      {dialogs}
    </>
  )
}

function useBlueprintActions() {
  const go = useGo()
  const editing = useDialog<BlueprintRow>()
  const cloning = useDialog<BlueprintRow>()
  const bringing = useDialog<BlueprintRow>()
  const { admin } = useUser()
  const remove = useWrite(blueprints.remove, { done: 'delete-success', quiet: true })
  const translate = useWrite(blueprints.translate, { done: 'translate-success' })
  const of = ({ teamId, id }: BlueprintRow) => ({ params: { teamId, id } })
  const exportIt = async (row: BlueprintRow) => {
    try {
      const { template } = await call(blueprints.get, of(row))
      saveText(template, `${row.productName}-${row.version}.yaml`, 'application/yaml')
    } catch (error) {
      toast.error(error)
    }
  }
  const raise = async ({ uuid }: BlueprintRow) => {
    const { version } = await call(blueprints.toscaVersion)
    await translate.mutateAsync({ query: { uuid }, body: { version } })
  }
  const ask = (row: BlueprintRow) =>
    confirmDelete({
      title: t('blueprints-ui-delete-title', { version: row.version }),
      text: row.stackNum > 0 ? t('blueprints-ui-delete-used', { count: row.stackNum }) : t('blueprints-ui-delete-text'),
      run: () => remove.mutateAsync({ named: row.version, ...of(row) }),
    })
  const actionsOf = (row: BlueprintRow): Action[] => [
    {
      key: 'deploy',
      label: t('blueprints-ui-deploy'),
      icon: 'play',
      needs: releases.deploy,
      disabled: row.outdated && t('blueprints-ui-outdated-memo'),
      onClick: () => go(to('blueprint-deploy', paramsOf(row))),
    },
    ...(row.outdated
      ? [
          {
            key: 'translate',
            label: t('blueprints-ui-translate'),
            icon: 'upgrade' as const,
            needs: blueprints.basic,
            onClick: () => void raise(row).catch(() => undefined),
          },
        ]
      : []),
    {
      key: 'edit',
      label: t('blueprints-ui-basics'),
      icon: 'edit',
      needs: blueprints.basic,
      onClick: () => editing.show(row),
    },
    {
      key: 'clone',
      label: t('blueprints-ui-clone'),
      icon: 'copy',
      needs: blueprints.clone,
      onClick: () => cloning.show(row),
    },
    ...(admin
      ? [
          {
            key: 'bring',
            label: t('catalog-ui-bring'),
            icon: 'template' as const,
            disabled: row.outdated && t('blueprints-ui-outdated-memo'),
            onClick: () => bringing.show(row),
          },
        ]
      : []),
    {
      key: 'export',
      label: t('blueprints-ui-export'),
      icon: 'download',
      needs: blueprints.get,
      onClick: () => void exportIt(row),
    },
    deleteAction({ needs: blueprints.remove, onClick: () => void ask(row) }),
  ]
  const dialogs = (
    <>
      {editing.open && <BasicsDialog blueprint={editing.open} onClose={editing.hide} />}
      {cloning.open && <CloneDialog blueprint={cloning.open} onClose={cloning.hide} />}
      {bringing.open && <BringDialog blueprint={bringing.open} onClose={bringing.hide} />}
    </>
  )
  return { actionsOf, dialogs }
}
