import type { Environment } from '@gantry/contract/clusters/environments'
import { permissionsOf } from '@gantry/contract/endpoint'
import { services } from '@gantry/contract/stacks/services'
import { stacks, type Stack } from '@gantry/contract/stacks/stacks'
import type { ReactNode } from 'react'
import { call } from '../../../api/call.ts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { confirm, useDialog } from '../../../ui/feedback/dialog.tsx'
import type { Action } from '../../../ui/table/row-actions.tsx'
import { EditStackDialog } from './edit-stack-dialog.tsx'
import { ShareDialog } from './share-dialog.tsx'
import { StackYamlDialog } from './stack-yaml-dialog.tsx'

/** So many services are named in the question; a longer list is not read. */
const named = 12

/** Names every service that goes with a stack. */
async function goesWith({ teamId, envId, uuid, namespace }: Stack): Promise<ReactNode[]> {
  const { items, totalSize } = await call(services.list, { params: { teamId, envId, uuid }, query: { pageSize: 100 } })
  return [
    ...items
      .slice(0, named)
      .map(({ id, name, replicas }) => (
        <span key={id}>{t('stacks-ui-delete-service', { name, count: replicas })}</span>
      )),
    ...(totalSize > named ? [t('ui-and-more', { count: totalSize - named })] : []),
    t('stacks-ui-delete-namespace', { namespace }),
  ]
}

/** What can be done with a stack; `dialogs` must be drawn somewhere. */
export function useStackActions(
  stack: Stack,
  cluster: Environment | undefined,
): { actions: Action[]; dialogs: ReactNode } {
  const open = useDialog<'edit' | 'share' | 'yaml'>()
  const remove = useWrite(stacks.remove, { done: 'option-success', quiet: true })
  const params = { teamId: stack.teamId, envId: stack.envId, stackId: stack.uuid }
  const leaving = stack.state === 'deleting' && t('stacks-being-deleted', { name: stack.name })
  // A cluster that does not answer keeps a stack for ever, unless the stack can be forgotten without it.
  const stuck = (cluster !== undefined && cluster.health !== 'healthy') || stack.state === 'deleting'

  const ask = async (forget: boolean) => {
    try {
      await confirm({
        title: t(forget ? 'stacks-ui-forget-title' : 'stacks-ui-delete-title', { name: stack.name }),
        goes: await goesWith(stack),
        ...(forget ? { warning: t('stacks-ui-forget-warning', { cluster: stack.envName }) } : {}),
        typed: 'ok',
        danger: true,
        ok: t(forget ? 'stacks-ui-forget' : 'ui-delete'),
        run: () =>
          remove.mutateAsync({
            named: stack.name,
            params,
            query: { confirm: stack.name, ...(forget ? { deleteFore: 'true' } : {}) },
          }),
      })
    } catch (error) {
      toast.error(error)
    }
  }
  const actions: Action[] = [
    {
      key: 'edit',
      label: t('ui-edit'),
      icon: 'edit',
      needs: 'stack_stack_edit',
      disabled: leaving,
      onClick: () => open.show('edit'),
    },
    {
      key: 'share',
      label: t('stacks-ui-share-edit'),
      icon: 'scale',
      needs: 'stack_stack_edit',
      disabled: leaving,
      onClick: () => open.show('share'),
    },
    {
      key: 'yaml',
      label: t('stacks-ui-yaml'),
      icon: 'code',
      needs: permissionsOf(stacks.yaml.access),
      onClick: () => open.show('yaml'),
    },
    {
      key: 'delete',
      label: t('ui-delete'),
      icon: 'delete',
      danger: true,
      needs: permissionsOf(stacks.remove.access),
      disabled: leaving,
      onClick: () => void ask(false),
    },
    ...(stuck
      ? [
          {
            key: 'forget',
            label: t('stacks-ui-forget'),
            icon: 'close' as const,
            danger: true,
            needs: permissionsOf(stacks.remove.access),
            onClick: () => void ask(true),
          },
        ]
      : []),
  ]
  return {
    actions,
    dialogs: (
      <>
        {open.open === 'edit' && <EditStackDialog stack={stack} onClose={open.hide} />}
        {open.open === 'share' && <ShareDialog stack={stack} onClose={open.hide} />}
        {open.open === 'yaml' && <StackYamlDialog stack={stack} onClose={open.hide} />}
      </>
    ),
  }
}
