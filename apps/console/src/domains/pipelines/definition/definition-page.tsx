import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { versions } from '@gantry/contract/pipelines/editing/versions'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { exactTime } from '../../../ui/format.ts'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { PipelineFrame } from '../pipelines/pipeline-frame.tsx'
import { FileView } from '../definition-files/file-view.tsx'
import { EditView, type StoredDefinition, type Restored } from './edit-view.tsx'

export function DefinitionPage() {
  return (
    <PipelineFrame screen="cd-orchestration">
      {(pipeline) => <DefinitionView key={pipeline.id} pipeline={pipeline} />}
    </PipelineFrame>
  )
}

function DefinitionView({ pipeline }: { pipeline: Pipeline }) {
  const setting = useRead(pipelines.setting, { params: { appId: pipeline.appId, pipelineId: pipeline.id } })
  return (
    <Loaded query={setting}>
      {({ definitionFile: file, revision }) =>
        file ? (
          <FileView key={`${file.branch} ${file.path}`} {...{ pipeline, file, revision }} />
        ) : (
          <ConsoleView pipeline={pipeline} />
        )
      }
    </Loaded>
  )
}

function ConsoleView({ pipeline }: { pipeline: Pipeline }) {
  const query = useRead(definitions.get, { params: { appId: pipeline.appId, pipelineId: pipeline.id } })
  const [{ version }] = useUrlState({ version: '' })
  const revision = /^\d{1,9}$/.test(version) ? Number(version) : undefined
  const earlier = useRead(
    versions.get,
    { params: { id: pipeline.id, revision: revision ?? 1 } },
    { enabled: revision !== undefined },
  )
  const editing = (kept: StoredDefinition, restored?: Restored) => (
    <EditView key={restored?.revision} {...{ pipeline, restored }} newest={kept} reload={query.refetch} />
  )
  return (
    <Loaded query={query}>
      {(kept) =>
        revision === undefined ? (
          editing(kept)
        ) : (
          <Loaded query={earlier}>
            {({ document, by, at }) => (
              <>
                <p className="g-note" role="status">
                  {t('pipelines-ui-version-draft', { revision, by, time: exactTime(at) })}
                </p>
                {editing(kept, { stages: document.definition.stages, text: document.definitionText, revision })}
              </>
            )}
          </Loaded>
        )
      }
    </Loaded>
  )
}
