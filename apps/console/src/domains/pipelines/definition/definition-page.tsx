import { useState } from 'react'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import type { z } from 'zod'
import { Definition, type StageInput } from '@gantry/contract/pipelines/definition'
import { call } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast, wordsOf } from '../../../api/notices.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copyable.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { rebase } from '../../../ui/form/rebase.ts'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { Tabs } from '../../../ui/tabs.tsx'
import { DraftNote } from '../../../ui/editor/draft-note.tsx'
import { isStale, ReviewDialog } from '../../../ui/editor/review-dialog.tsx'
import { YamlEditor } from '../../../ui/editor/yaml-editor.tsx'
import { DefinitionEditor } from './definition-editor.tsx'
import { fromYaml, problemsOfDefinition, toYaml } from './definition-yaml.ts'
import { draftOf, stagesOfDraft } from './draft.ts'
import { problemsOfDraft } from './draft-problems.ts'
import { PipelineFrame } from '../pipelines/pipeline-frame.tsx'
import { useUnsaved } from '../../../ui/form/unsaved.ts'
import styles from './definition.module.css'

type Kept = z.output<typeof pipelines.definition.data>

const needs = 'pipeline_pipeline_edit'
const stale = 'pipelines-changed-since'

export function DefinitionPage() {
  return (
    <PipelineFrame screen="cd-orchestration">
      {(pipeline) => <DefinitionView key={pipeline.id} pipeline={pipeline} />}
    </PipelineFrame>
  )
}

function DefinitionView({ pipeline }: { pipeline: Pipeline }) {
  const query = useRead(pipelines.definition, { params: { appId: pipeline.appId, pipelineId: pipeline.id } })
  return <Loaded query={query}>{(kept) => <Editing pipeline={pipeline} newest={kept} reload={query.refetch} />}</Loaded>
}

interface EditingProps {
  pipeline: Pipeline
  newest: Kept
  reload: () => Promise<{ data: Kept | undefined }>
}

/**
 * The definition as a form and as text. Until it is edited it follows what others save. If a colleague has changed it
 * meanwhile, the edit can be rebased on the present version, and is reviewed before it is saved.
 */
function Editing({ pipeline, newest, reload }: EditingProps) {
  const may = useMay(needs)
  const [base, setBase] = useState(newest)
  const [draft, setDraft] = useState(() => draftOf(newest.stages))
  const [tried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<{ text: string; conflict: boolean }>()
  const reviewing = useDialog<StageInput[]>()
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

  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const put = async (stages: StageInput[]) => {
    adopt(await save.mutateAsync({ named: pipeline.projectName, params, body: { stages, revision: base.revision } }))
  }
  const submit = async () => {
    setTried(true)
    if (problems.size > 0) return
    try {
      await put(stagesOfDraft(draft))
    } catch (error) {
      setRefusal({ text: wordsOf(error), conflict: isStale(error, stale) })
    }
  }
  const takeTheirs = async () => {
    const { data } = await reload()
    if (data) adopt(data)
  }
  const makeAgain = async (stages: StageInput[]) => {
    const now = await call(pipelines.definition, { params })
    // with all defaults, like the other two, so that equal definitions compare equal
    const edited = Definition.parse({ stages })
    const next = rebase(edited, { stages: base.stages }, { stages: now.stages }).stages
    adopt(now)
    setDraft(draftOf(next))
    reviewing.show(next)
  }
  const copyMine = async () => {
    if (await copyText(toYaml(stagesOfDraft(draft)))) toast.ok(t('ui-copied'))
  }

  const next = reviewing.open
  const draftKey = `definition-${pipeline.id}`
  const [, setView] = useUrlState({ view: 'form' })
  return (
    <div className={styles.views}>
      <Tabs
        name="view"
        tabs={[
          {
            key: 'form',
            label: t('pipelines-ui-view-form'),
            content: () => (
              <>
                <DraftNote
                  key={base.revision}
                  draftKey={draftKey}
                  value={inForce}
                  onOpen={() => setView({ view: 'yaml' })}
                />
                <DefinitionEditor draft={draft} onChange={setDraft} problems={problems} tried={tried} readOnly={!may} />
                {refusal && (
                  <div className="g-note g-note-bad" role="alert">
                    <p>{refusal.text}</p>
                    {refusal.conflict && (
                      <div className="g-row">
                        <Button
                          small
                          primary
                          icon="refresh"
                          onClick={() => void makeAgain(stagesOfDraft(draft)).catch(toast.error)}
                        >
                          {t('ui-review-rebase')}
                        </Button>
                        <Button small icon="copy" onClick={() => void copyMine()}>
                          {t('pipelines-ui-copy-mine')}
                        </Button>
                        <Button small icon="download" onClick={() => void takeTheirs()}>
                          {t('pipelines-ui-take-theirs')}
                        </Button>
                      </div>
                    )}
                  </div>
                )}
                {(dirty || draft.length > 0) && (
                  <div className={styles.save} role="region" aria-label={t('pipelines-ui-save-bar')}>
                    <span aria-live="polite" className={tried && problems.size > 0 ? 'g-bad' : 'g-quiet'}>
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
                  draftKey={draftKey}
                  check={problemsOfDefinition}
                  apply={t('ui-save')}
                  needs={needs}
                  {...(may
                    ? {
                        onApply: async (text: string) => {
                          const read = fromYaml(text)
                          if (!('stages' in read)) return
                          try {
                            await put(read.stages)
                          } catch (error) {
                            if (!isStale(error, stale)) throw error
                            // from here on it is an edit of the form, which is reviewed
                            await makeAgain(read.stages)
                          }
                        },
                      }
                    : {})}
                />
              ),
          },
        ]}
      />
      {next && (
        <ReviewDialog
          key={base.revision}
          title={t('pipelines-ui-review-title', { name: pipeline.projectName })}
          before={inForce}
          after={toYaml(next)}
          same={t('ui-yaml-same')}
          note={t('pipelines-ui-rebased', { revision: base.revision })}
          send={{ label: t('ui-save'), needs }}
          stale={stale}
          onSend={async () => {
            await put(next)
            reviewing.hide()
          }}
          onRebase={() => makeAgain(next)}
          onClose={reviewing.hide}
        />
      )}
    </div>
  )
}
