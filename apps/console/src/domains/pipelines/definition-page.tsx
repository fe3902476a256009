import { useState } from 'react'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import type { z } from 'zod'
import { CallError } from '../../api/call.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { toast, wordsOf } from '../../api/notices.ts'
import { useMay } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copyable.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { YamlEditor } from '../../ui/yaml-editor.tsx'
import { DefinitionEditor } from './definition-editor.tsx'
import { fromYaml, problemsOfDefinition, toYaml } from './definition-yaml.ts'
import { draftOf, stagesOfDraft, type StageInput } from './draft.ts'
import { problemsOfDraft } from './draft-problems.ts'
import { PipelineFrame } from './pipeline-frame.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import './definition.css'

type Kept = z.output<typeof pipelines.definition.data>

const needs = 'pipeline_pipeline_edit'

export function DefinitionPage() {
  return (
    <PipelineFrame screen="cd-orchestration">
      {(pipeline) => <Definition key={pipeline.id} pipeline={pipeline} />}
    </PipelineFrame>
  )
}

function Definition({ pipeline }: { pipeline: Pipeline }) {
  const query = useRead(pipelines.definition, { params: { appId: pipeline.appId, pipelineId: pipeline.id } })
  return <Loaded query={query}>{(kept) => <Editing pipeline={pipeline} newest={kept} reload={query.refetch} />}</Loaded>
}

interface EditingProps {
  pipeline: Pipeline
  newest: Kept
  reload: () => Promise<{ data: Kept | undefined }>
}

/** The definition as a form and as text. Until something is changed it follows what others save. */
function Editing({ pipeline, newest, reload }: EditingProps) {
  const may = useMay(needs)
  const [base, setBase] = useState(newest)
  const [draft, setDraft] = useState(() => draftOf(newest.stages))
  const [tried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<{ text: string; conflict: boolean }>()
  const save = useWrite(pipelines.setDefinition, {
    refreshes: [pipelines.definition],
    done: 'save-success',
    quiet: true,
  })
  const inForce = toYaml(base.stages)
  const dirty = toYaml(stagesOfDraft(draft)) !== inForce
  const problems = problemsOfDraft(draft)
  useUnsaved(dirty)

  const adopt = (kept: Kept) => {
    setBase(kept)
    setDraft(draftOf(kept.stages))
    setTried(false)
    setRefusal(undefined)
  }
  // Somebody else saved, and nothing here would be lost.
  if (newest.revision > base.revision && !dirty) adopt(newest)

  const put = async (stages: StageInput[]) => {
    const params = { appId: pipeline.appId, pipelineId: pipeline.id }
    adopt(await save.mutateAsync({ params, body: { stages, revision: base.revision } }))
  }
  const submit = async () => {
    setTried(true)
    if (problems.size > 0) return
    try {
      await put(stagesOfDraft(draft))
    } catch (error) {
      setRefusal({ text: wordsOf(error), conflict: error instanceof CallError && error.status === 409 })
    }
  }
  const takeTheirs = async () => {
    const { data } = await reload()
    if (data) adopt(data)
  }
  const copyMine = async () => {
    if (await copyText(toYaml(stagesOfDraft(draft)))) toast.ok(t('ui-copied'))
  }

  return (
    <div className="p-views">
      <Tabs
        name="view"
        tabs={[
          {
            key: 'form',
            label: t('pipelines-ui-view-form'),
            content: () => (
              <>
                <DefinitionEditor draft={draft} onChange={setDraft} problems={problems} tried={tried} readOnly={!may} />
                {refusal && (
                  <div className="g-note g-note-bad" role="alert">
                    <p>{refusal.text}</p>
                    {refusal.conflict && (
                      <div className="g-row">
                        <Button small icon="copy" onClick={() => void copyMine()}>
                          {t('pipelines-ui-copy-mine')}
                        </Button>
                        <Button small icon="refresh" onClick={() => void takeTheirs()}>
                          {t('pipelines-ui-take-theirs')}
                        </Button>
                      </div>
                    )}
                  </div>
                )}
                {(dirty || draft.length > 0) && (
                  <div className="p-save" role="region" aria-label={t('pipelines-ui-save-bar')}>
                    <span aria-live="polite" className={tried && problems.size > 0 ? 'g-bad' : 'p-quiet'}>
                      {tried && problems.size > 0
                        ? t('pipelines-ui-problems', { count: problems.size })
                        : t(dirty ? 'pipelines-ui-unsaved' : 'pipelines-ui-saved')}
                    </span>
                    <div className="g-row">
                      {dirty && <Button onClick={() => adopt(newest)}>{t('pipelines-ui-discard')}</Button>}
                      <Button
                        primary
                        needs={needs}
                        loading={save.isPending}
                        disabled={!dirty && t('ui-yaml-same')}
                        onClick={() => void submit()}
                      >
                        {t('ui-save')}
                      </Button>
                    </div>
                  </div>
                )}
              </>
            ),
          },
          {
            key: 'yaml',
            label: 'YAML',
            content: () =>
              dirty ? (
                <div className="g-note g-note-warn">
                  <p>{t('pipelines-ui-yaml-dirty')}</p>
                  <div className="g-row">
                    <Button small onClick={() => adopt(newest)}>
                      {t('pipelines-ui-discard')}
                    </Button>
                  </div>
                </div>
              ) : (
                <YamlEditor
                  key={base.revision}
                  label={t('pipelines-ui-yaml')}
                  value={inForce}
                  draftKey={`definition-${pipeline.id}`}
                  check={problemsOfDefinition}
                  apply={t('ui-save')}
                  needs={needs}
                  {...(may
                    ? {
                        onApply: async (text: string) => {
                          const read = fromYaml(text)
                          if ('stages' in read) await put(read.stages)
                        },
                      }
                    : {})}
                />
              ),
          },
        ]}
      />
    </div>
  )
}
