import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { imports } from '@gantry/contract/blueprints/imports'
import { promotions } from '@gantry/contract/blueprints/promotions'
import { releases } from '@gantry/contract/blueprints/releases'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import { services } from '@gantry/contract/stacks/services'
import { stacks, type Stack } from '@gantry/contract/stacks/stacks'
import type { ReactNode } from 'react'
import { call } from '../../../api/call.ts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { confirm, useDialog } from '../../../ui/feedback/dialog.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { to, useGo } from '../../../ui/link.tsx'
import { type Action, deleteAction, editAction } from '../../../ui/table/row-actions.tsx'
import { toAddOutward } from './places.ts'

const EditStackDialog = later(async () => (await import('./edit-stack-dialog.tsx')).EditStackDialog)
const ShareDialog = later(async () => (await import('./share-dialog.tsx')).ShareDialog)
const SaveStackDialog = later(async () => (await import('../../blueprints/public.tsx')).SaveStackDialog)
const UpgradeDialog = later(async () => (await import('../../blueprints/public.tsx')).UpgradeDialog)
const PromoteDialog = later(async () => (await import('./promote-dialog.tsx')).PromoteDialog)
const KubeconfigDialog = later(async () => (await import('./kubeconfig-dialog.tsx')).KubeconfigDialog)
const StackYamlDialog = later(async () => (await import('./stack-yaml-dialog.tsx')).StackYamlDialog)

/** The number of services named in the confirmation, because nobody reads a longer list. */
const maxNamed = 12

/** Names every service that is deleted with a stack. */
async function goesWith({ teamId, envId, uuid, namespace }: Stack): Promise<ReactNode[]> {
  const { items, totalSize } = await call(services.list, { params: { teamId, envId, uuid }, query: { pageSize: 100 } })
  return [
    ...items
      .slice(0, maxNamed)
      .map(({ id, name, replicas }) => (
        <span key={id}>{t('stacks-ui-delete-service', { name, count: replicas })}</span>
      )),
    ...(totalSize > maxNamed ? [t('ui-and-more', { count: totalSize - maxNamed })] : []),
    t('stacks-ui-delete-namespace', { namespace }),
  ]
}

/** The actions on a stack; `dialogs` must be rendered somewhere. */
export function useStackActions(stack: Stack, cluster: Cluster | undefined): { actions: Action[]; dialogs: ReactNode } {
  const go = useGo()
  const open = useDialog<'edit' | 'share' | 'yaml' | 'kubeconfig' | 'save' | 'upgrade' | 'promote'>()
  const remove = useWrite(stacks.remove, { done: 'option-success', quiet: true })
  const params = { teamId: stack.teamId, envId: stack.envId, stackId: stack.uuid }
  const leaving = stack.state === 'deleting' && t('stacks-being-deleted', { name: stack.name })
  // An unreachable cluster would keep a stack forever, so the stack can be forgotten without it.
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
    ...(['ingress', 'lb', 'external'] as const).map((type): Action => ({
      key: type,
      label: t(`outward-ui-new-${type}`),
      icon: type === 'external' ? 'globe' : 'ingress',
      needs: services.create,
      disabled: leaving,
      onClick: () => go(toAddOutward(stack, type)),
    })),
    {
      key: 'import',
      label: t('imports-ui-into'),
      icon: 'upload',
      needs: imports.create,
      disabled: leaving,
      onClick: () => go(to('stack-import', {}, { stack: stack.name, env: stack.envId })),
    },
    editAction({ needs: stacks.update, disabled: leaving, onClick: () => open.show('edit') }),
    {
      key: 'share',
      label: t('stacks-ui-share-edit'),
      icon: 'scale',
      needs: stacks.setQuota,
      disabled: leaving,
      onClick: () => open.show('share'),
    },
    {
      key: 'upgrade',
      label: t('stacks-ui-upgrade-blueprint'),
      icon: 'upgrade',
      needs: releases.upgrade,
      disabled: leaving,
      onClick: () => open.show('upgrade'),
    },
    {
      key: 'promote',
      label: t('promotions-ui-open'),
      icon: 'copy',
      needs: promotions.promote,
      disabled: leaving,
      onClick: () => open.show('promote'),
    },
    {
      key: 'save',
      label: t('stacks-ui-save-blueprint'),
      icon: 'template',
      needs: blueprints.saveStack,
      disabled: leaving,
      onClick: () => open.show('save'),
    },
    {
      key: 'yaml',
      label: t('stacks-ui-yaml'),
      icon: 'code',
      needs: stacks.yaml,
      onClick: () => open.show('yaml'),
    },
    {
      key: 'kubeconfig',
      label: t('stacks-ui-kubeconfig'),
      icon: 'download',
      needs: stacks.kubeconfig,
      disabled: leaving,
      onClick: () => open.show('kubeconfig'),
    },
    deleteAction({ needs: stacks.remove, disabled: leaving, onClick: () => void ask(false) }),
    ...(stuck
      ? [
          {
            key: 'forget',
            label: t('stacks-ui-forget'),
            icon: 'close' as const,
            danger: true,
            needs: stacks.remove,
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
        {open.open === 'save' && <SaveStackDialog stack={stack} onClose={open.hide} />}
        {open.open === 'upgrade' && <UpgradeDialog stack={stack} onClose={open.hide} />}
        {open.open === 'promote' && <PromoteDialog stack={stack} onClose={open.hide} />}
        {open.open === 'kubeconfig' && <KubeconfigDialog stack={stack} onClose={open.hide} />}
        {open.open === 'yaml' && <StackYamlDialog stack={stack} onClose={open.hide} />}
      </>
    ),
  }
}
