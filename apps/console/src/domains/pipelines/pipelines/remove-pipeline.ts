import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { call } from '../../../api/call.ts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { confirmDelete } from '../../../ui/feedback/dialog.tsx'
import { count } from '../../../ui/format.ts'
import type { Runnable } from './places.ts'

/** Deletes a pipeline after naming what is deleted with it; answers whether it was deleted. */
export function useRemovePipeline(): (pipeline: Runnable) => Promise<boolean> {
  const remove = useWrite(pipelines.remove, { done: 'delete-success', quiet: true })
  return async ({ id, appId, projectName }) => {
    try {
      const { totalSize } = await call(builds.list, { params: { id }, query: { pageSize: 1 } })
      return await confirmDelete({
        title: t('pipelines-ui-delete-title', { name: projectName }),
        goes: [
          t('pipelines-ui-delete-definition'),
          ...(totalSize > 0 ? [t('pipelines-ui-delete-builds', { count: count(totalSize) })] : []),
        ],
        text: t('pipelines-ui-delete-stays'),
        typed: 'ok',
        run: () =>
          remove.mutateAsync({
            named: projectName,
            params: { appId, pipelineId: id },
            query: { confirm: projectName },
          }),
      })
    } catch (error) {
      toast.error(error)
      return false
    }
  }
}
