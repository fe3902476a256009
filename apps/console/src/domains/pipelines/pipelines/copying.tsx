import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { t, withWords } from '../../../api/language.ts'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { to, useGo } from '../../../ui/link.tsx'
import type { Action } from '../../../ui/table/row-actions.tsx'
import type { PipelinePlace, Runnable } from './places.ts'

const MoveDialog = later(async () => (await withWords('move', () => import('./move-dialog.tsx'))).MoveDialog)

/** The actions that clone a pipeline or move it to another group. `dialog` must be rendered on the page. */
export function useCopying(onMoved?: (to: PipelinePlace) => void) {
  const go = useGo()
  const moving = useDialog<Runnable>()
  const copying = (pipeline: Runnable): Action[] => [
    {
      key: 'clone',
      label: t('pipelines-ui-clone'),
      icon: 'copy',
      needs: pipelines.clone,
      onClick: () => go(to('cd-clone', {}, { pipelineId: pipeline.id })),
    },
    {
      key: 'move',
      label: t('pipelines-ui-move'),
      icon: 'arrow',
      needs: pipelines.setSetting,
      onClick: () => moving.show(pipeline),
    },
  ]
  const dialog = moving.open && (
    <MoveDialog pipeline={moving.open} onClose={moving.hide} {...(onMoved ? { onMoved } : {})} />
  )
  return { copying, dialog }
}
